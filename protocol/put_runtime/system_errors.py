"""Errors of the operating system in plain words: without `[Errno 17]`, and with the file."""


def reason_of(error: Exception) -> str:
    """The reason of a failure as a clause: `permission denied`. Other errors give their own text."""
    if not isinstance(error, OSError):
        return str(error) or type(error).__name__
    says = error.strerror
    return f"{says[:1].lower()}{says[1:]}" if says else type(error).__name__


def failure_of(error: Exception) -> str:
    """The reason with the file, if the error names one: `/x/y: permission denied`."""
    name = getattr(error, "filename", None)
    return f"{name}: {reason_of(error)}" if name else reason_of(error)
