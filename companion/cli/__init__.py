"""The commands of the one program, where real and simulated parts are put together."""
