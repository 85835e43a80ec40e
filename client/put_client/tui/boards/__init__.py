"""The boards: what is a family's own on the screen. Each family has one, by one line in `registry`."""
