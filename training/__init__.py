"""What the recogniser is trained on: own scenes, own textures, own labels. Nothing here is needed to play."""
