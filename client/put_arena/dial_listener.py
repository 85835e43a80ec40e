"""Listener for a program that connects by itself, opened in the program's own network.

    python -I -S dial_listener.py DESCRIPTOR PROGRAM ARGUMENT...

It opens a port, passes the listening socket to the arena through the descriptor, replaces `{port}` in the command, and
becomes the program. A socket belongs to the network in which it was made. So the arena accepts the program's
connections, although the two networks are not connected.
"""

import os
import socket
import sys


def main() -> None:
    descriptor, *program = sys.argv[1:]
    with socket.socket(fileno=int(descriptor)) as arena, socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        socket.send_fds(arena, [b"x"], [listener.fileno()])
    words = [word.replace("{port}", port) for word in program]
    try:
        os.execvp(words[0], words)
    except OSError as error:
        sys.exit(f"{words[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main()
