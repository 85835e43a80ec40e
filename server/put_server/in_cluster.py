"""Commands in a cluster, which are an extra of the installation."""

from typing import Any

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.settings import Settings


def in_cluster(command: str, settings: Settings, *arguments: object, **options: object) -> Any:
    """Result of a command of `cluster_commands`, which is an extra."""
    try:
        from put_server.cluster import cluster_commands  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise CommandFailed(
            exit_codes.USAGE, f"a cluster needs what is installed with put-cards[cluster] ({error.name} is missing)"
        ) from None
    return cluster_commands.run(command, settings, *arguments, **options)
