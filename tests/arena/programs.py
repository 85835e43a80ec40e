"""A bot that knows nothing but JSON lines, for the arena's tests: good, or bad in one way.

python programs.py HOW              on standard input and output
python programs.py HOW HOST PORT    over a socket
python programs.py HOW@3            in version 3 of the protocol
"""

import json
import socket
import sys
import time
from typing import Any

ASKED = 1_000_000_000
"""Ids of requests that no game needs begin here."""


def main() -> None:
    said, *address = sys.argv[1:]
    how, _, version = said.partition("@")
    former: list[socket.socket] = []
    if address:
        place = address[0], int(address[1])
        former += [socket.create_connection(place) for _ in range(3 if how == "returning" else 0)]
        line = socket.create_connection(place).makefile("rwb")
        hear, say = line, line
    else:
        hear, say = sys.stdin.buffer, sys.stdout.buffer  # type: ignore[assignment]  # files of bytes all the same
    if how == "returning" and any(one.recv(1) for one in former):
        sys.exit("a former connection is still served")
    if how == "mute":
        time.sleep(3600)
    if how == "chatty":
        say.write(b"Hello, I am a bot!\n")
        say.flush()

    def send(**message: Any) -> None:
        if not message:
            say.close()
            time.sleep(3600)
        say.write(json.dumps(message).encode() + b"\n")
        say.flush()

    send(type="hello", version=int(version or 2), name="nobody in particular", client="test")
    for count, text in enumerate(hear, 1):
        message = json.loads(text)
        if isinstance(question := message.get("decision"), dict):
            move(how, {**question, "table": message["table"], "decision": question["number"]}, count, send)
        match message["type"]:
            case "invited" if how == "thief":
                send(type="sit", id=count, table=message["table"], seat=1 - message["seat"])
            case "ok" if message["id"] >= ASKED:
                sys.exit(9)
            case "invited" if how != "lazy":
                send(type="sit", id=count, table=999 if how == "lost" else message["table"], seat=message["seat"])
            case "events" if message.get("info", {}).get("state") == "between" and "games" in message["info"]:
                if how != "tired":
                    send(type="again", id=count, table=message["table"])
            case "decision":
                move(how, message, count, send)
            case "ping":
                send(type="pong")
            case "goodbye":
                break
            case _:
                pass


def move(how: str, decision: dict[str, Any], count: int, send: Any) -> None:
    action = decision["legal"][0]["action"]
    if how == "asleep":
        return
    if how == "gone":
        send()  # the last
    if how == "leaving":
        send(type="leave", id=count, table=decision["table"])
        return
    if how == "dying":
        print("something is wrong", file=sys.stderr)
        sys.exit(7)
    if how == "flooding":
        while True:
            send(type="sit", id=count, table=1)
    if how == "cheating":
        send(
            type="act",
            id=count + 1_000_000,
            table=decision["table"],
            decision=decision["decision"],
            action={"do": "give"},
        )
    if how == "asking":
        table = decision["table"]
        send(type="coach", id=ASKED + count * 10, table=table)
        send(type="say", id=ASKED + count * 10 + 1, table=table, text="I hold the king")
        send(type="open", id=ASKED + count * 10 + 2, game="put-1674", seats=2)
    if how == "pausing":
        send(type="pause", id=count + 1_000_000, table=decision["table"], minutes=60)
    if how == "debugging":
        print("the king is best")
    send(type="act", id=count, table=decision["table"], decision=decision["decision"], action=action)


if __name__ == "__main__":
    main()
