"""The boards: what is a family's own on the screen.

The rest of the screen asks `registry.board_of(table)`, and knows no type of any family. What a board remembers between
two views is `AtTable.memory`, which only that board reads. A family without a line in the registry has the plain
`Board`, by which its games can be played; its own is a subclass, in a module or a package of its own.
"""
