"""System calls that a bot in the sandbox may not make, as a program for the kernel's filter (seccomp).

Three kinds are refused: those that reach another process without a file or a network (locks, watched files, keyrings,
families of sockets that no namespace shuts off, the state of the page cache); those that hold memory which belongs to
no process; and those that make namespaces, in which a process would have capabilities again. Calls newer than this
list do not exist for a bot.

libseccomp makes the program: it knows the numbers of calls on every architecture.
"""

import ctypes
import errno
import os
import socket
from functools import cache

_NAMES = (
    *("unshare", "setns", "clone3", "open_by_handle_at", "bpf", "perf_event_open", "userfaultfd", "ptrace"),
    *("flock", "inotify_init", "inotify_init1", "fanotify_init", "add_key", "request_key", "keyctl"),
    *("mincore", "fadvise64", "readahead", "preadv2", "pwritev2", "process_madvise"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_create", "memfd_secret", "shmget"),
)
_CONNECT = "connect"
_NEWER = range(451, 600)
"""Numbers from `cachestat` on; they are the same on every architecture."""

_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)
"""Commands of `fcntl` that lock, lease or watch a file."""
_PAGES_OUT = (20, 21)
"""Advice of `madvise` that empties the page cache: MADV_COLD, MADV_PAGEOUT."""
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)  # the last is AF_NETLINK
_MOST_FAMILIES = 64
_CLONE_NEWUSER = 0x10000000

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EQUAL, _GREATER, _MASKED = 4, 6, 7
_INT = 0xFFFFFFFF
"""The kernel looks at so many bits of an int; the others may be anything."""


class _Condition(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


@cache
def filter_program(*, connects: bool) -> bytes:
    """The program. `connects`: whether sockets may be connected; an inherited one could be, to somewhere else.

    :raises OSError: there is no libseccomp.
    """
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def refuse(call: str | int, number: int, *conditions: _Condition) -> None:
        found = library.seccomp_syscall_resolve_name(call.encode()) if isinstance(call, str) else call
        given = (_Condition * len(conditions))(*conditions)
        action = ctypes.c_uint32(_ERRNO | number)
        failed = library.seccomp_rule_add_array(context, action, found, ctypes.c_uint(len(conditions)), given)
        if failed:
            raise OSError(-failed, f"libseccomp refuses {call}: {os.strerror(-failed)}")

    try:
        for name in (*_NAMES, *(() if connects else (_CONNECT,))):
            refuse(name, errno.ENOSYS if name == "clone3" else errno.EPERM)  # without it the C library takes clone
        for new in _NEWER:
            refuse(new, errno.ENOSYS)
        refuse("clone", errno.EPERM, _Condition(0, _MASKED, _CLONE_NEWUSER, _CLONE_NEWUSER))
        for command in _LOCKS:
            refuse("fcntl", errno.ENOLCK, _Condition(1, _MASKED, _INT, command))
        for advice in _PAGES_OUT:
            refuse("madvise", errno.EPERM, _Condition(2, _MASKED, _INT, advice))
        for family in range(_MOST_FAMILIES):
            if family not in _FAMILIES:
                refuse("socket", errno.EAFNOSUPPORT, _Condition(0, _EQUAL, family, 0))
        refuse("socket", errno.EAFNOSUPPORT, _Condition(0, _GREATER, _MOST_FAMILIES - 1, 0))
        with os.fdopen(os.memfd_create("filter"), "w+b") as file:
            library.seccomp_export_bpf(context, file.fileno())
            file.seek(0)
            return file.read()
    finally:
        library.seccomp_release(context)
