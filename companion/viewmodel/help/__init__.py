"""A rule where it is needed: its number touched, it stands there in the people's language with a small picture."""
