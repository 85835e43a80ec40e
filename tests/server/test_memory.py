"""Memory that the server's process gives back."""

import platform
import subprocess
import sys

import pytest

_FREE = """
import resource, threading
from put_server.serving import return_large_blocks

return_large_blocks()

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def work():
    for _ in range(3):
        bytes(range(256)) * 40_000
    print(resident() - before)

bytes(range(256)) * 40_000
before = resident()
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep no large blocks")
def test_thread_gives_large_blocks_back() -> None:
    """Such as checkpoints: after several of 10 MB it has not kept one."""
    ran = subprocess.run([sys.executable, "-c", _FREE], capture_output=True, text=True, check=True, timeout=60)
    assert int(ran.stdout) < 2 * 1024 * 1024
