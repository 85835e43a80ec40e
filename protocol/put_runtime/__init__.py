"""Runtime parts that the programs share, beside the wire: settings, command lines, files, and child processes.

Import law: the standard library, and `platformdirs` and `filelock` for what systems differ in. Server, client, arena,
conformance suite and scripts import it.
"""

__all__: list[str] = []
"""Empty: import the modules by name."""
