"""The Atlantis table companion: sees the table, knows the rules, keeps the secrets."""

__version__ = "0.1.0"
