"""Errors of the operating system are told in plain words."""

import errno

from put_runtime.system_errors import failure_of, reason_of


def test_reason_has_no_number_of_the_system() -> None:
    """Of an error with or without its text, and of one that is not the system's."""
    assert reason_of(FileExistsError(errno.EEXIST, "File exists", "/x")) == "file exists"
    assert reason_of(ConnectionResetError()) == "ConnectionResetError"
    assert reason_of(ValueError("no card")) == "no card"


def test_failure_names_its_file() -> None:
    """Where there is one."""
    assert failure_of(PermissionError(errno.EACCES, "Permission denied", "/x")) == "/x: permission denied"
    assert failure_of(OSError(errno.ENOSPC, "No space left on device")) == "no space left on device"
