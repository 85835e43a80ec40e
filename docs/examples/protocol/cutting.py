"""A chain of cuts for sealed deals."""

from base64 import b64encode
from hashlib import sha256
from secrets import token_bytes


class Chain:
    def __init__(self, secret=None, links=4096):
        self.sealed = None  # the seal that was cut last
        self.links = [secret or token_bytes(32)]
        for _ in range(links):
            self.links.append(sha256(b"\x0eput seal chain" + self.links[-1]).digest())

    def end(self):  # for `sit` and `promise`: the end of the chain, and later the link given last
        return b64encode(self.links[-1]).decode()

    def cut(self, sealed, seat):  # the link for `cut`, or None: nothing is to be cut
        if self.sealed and sealed["roots"] == self.sealed["roots"]:
            return self.end()  # the same seal, after a drop: the same link
        if sealed["cuts"][seat] != self.end() or len(self.links) == 1:
            return None  # promise `end` again, or a new chain's
        self.links.pop()
        self.sealed = sealed
        return self.end()
