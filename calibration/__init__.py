"""Where the board lies in the picture: lens, pose, colours, and how good that knowledge is."""
