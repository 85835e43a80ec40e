"""Worker process with the toy oracle, or with a fault of a worker on demand."""

import os
import sys
import time

from put_server.analysis.analysis_worker import serve
from tests.analysis.toy_oracle import toy_oracle


def main() -> None:
    """`python -m tests.analysis.toy_worker [fault]`."""
    match sys.argv[1:]:
        case []:
            serve(sys.stdin.buffer, sys.stdout.buffer, toy_oracle)
        case ["dies"]:
            sys.stdin.buffer.read(4)
            os._exit(1)
        case ["hangs"]:
            time.sleep(3_600)
        case ["babbles"]:
            sys.stdout.buffer.write(b"\xff" * 64)
            sys.stdout.buffer.flush()
            sys.stdin.buffer.read()
        case ["raves"]:
            sys.stdout.buffer.write(b"\0\0\0\4\xc1\xc1\xc1\xc1")
            sys.stdout.buffer.flush()
            sys.stdin.buffer.read()
        case _:
            sys.exit(64)


if __name__ == "__main__":
    main()
