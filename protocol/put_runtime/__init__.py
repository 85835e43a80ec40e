"""What the programs share that is not the wire: their settings, their command lines, and the processes they start.

Import law: the standard library only. Server, client, arena, conformance suite and scripts import it.
"""

__all__: list[str] = []
"""Nothing at the top: import the modules by name."""
