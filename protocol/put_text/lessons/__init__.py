"""Notes for beginners: a few sentences each, at the moment they matter, a module a family that has any. Pure."""
