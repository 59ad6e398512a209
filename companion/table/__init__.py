"""The session and its journal, dealer and reconciler."""
