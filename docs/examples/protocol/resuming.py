"""A bot that loses nothing when its connection drops: python resuming.py HOST PORT NAME [GAMES]."""

# ruff: noqa: PLW0603  # a script of one connection

import json
import random
import socket
import sys
import time

host, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
games = int(sys.argv[4]) if len(sys.argv) > 4 else 3

# What outlives a connection. A bot that may itself be restarted also keeps the token in a file.
token = ""  # who we are
opening = {}  # the table that we want
seats = {}  # by table, where we sit
seen = {}  # by table, the number of the last event we have
ended = {}  # by table, how many of its games are over; a rubber is one
decisions = {}  # by table, the last one
waiting = {}  # by id, the requests that have no answer yet
last_id = 0
over = 0  # games played to their end


def say(**message):
    connection.sendall(json.dumps(message).encode() + b"\n")


def ask(**request):
    global last_id
    last_id += 1
    waiting[last_id] = request
    say(id=last_id, **request)


def ask_once(**request):
    if request not in waiting.values():
        ask(**request)


def hear(message):
    global token, opening
    kind, table = message["type"], message.get("table")
    if kind == "welcome":
        token = message["token"]
        connection.settimeout(message["limits"]["dead_ms"] / 1000)
        offer = message["games"][0]  # or another, by its name
        opening = {"type": "open", "game": offer["name"], "seats": min(offer["seats"])}
        here = message.get("tables", [])
        for gone in seen.keys() - set(here):
            del seen[gone]
        if not here and not any(request["type"] in ("open", "sit") for request in waiting.values()):
            ask(**opening)
    elif kind == "ok":
        if waiting.pop(message["id"])["type"] == "open":
            ask(type="sit", table=table)
    elif kind == "refused":
        refused(waiting.pop(message["id"], None), message)
    elif kind == "table":
        waiting.pop(message.get("id"), None)
        seen[table] = message["number"]
        seats[table] = message["viewer"]
        look_at(table, message["info"])
    elif kind == "events":
        if message["first"] != seen[table] + 1:
            raise OSError("a gap: come back and ask for it")
        waiting.pop(message.get("id"), None)
        seen[table] += len(message["events"])
        if message.get("info"):
            look_at(table, message["info"])
    elif kind == "left":
        seen.pop(table, None)
        ask(**opening)
    elif kind == "ping":
        say(type="pong")
    if message.get("decision"):
        answer(table, message["decision"])


def look_at(table, info):
    global over
    state = info.get("state", "filling")
    here = info.get("games", 0) - (state in ("playing", "paused"))
    over += here - ended.get(table, 0)  # we opened the table, so all its games are ours
    ended[table] = here
    if over >= games:
        say(type="bye")
    elif state == "filling":
        ask_once(type="invite", table=table)
    elif state == "between" and not info["seats"][seats[table]].get("agrees"):
        ask_once(type="again", table=table, game=here + 1)


def answer(table, decision):
    decisions[table] = decision
    action = random.choice(decision["legal"])["action"]
    ask(type="act", table=table, decision=decision["number"], action=action)


# The table is not as we thought. Messages that follow, or came before, tell how it is.
TOLD_ANYHOW = {
    *("too_late", "no_game", "paused", "already_there", "not_there", "unknown_table", "seat_taken", "game_in_play"),
    "draining",
}


def refused(request, why):
    if why["code"] == "too_fast":
        time.sleep(why["retry_after_ms"] / 1000)
        ask(**request)
    elif why["code"] == "not_carried_out":
        if request["type"] != "act":  # the decision comes again by itself
            ask(**request)
    elif why["code"] == "illegal":  # it was in the list; but the server decides, and the decision waits
        if decisions[request["table"]]["number"] == request["decision"]:
            answer(request["table"], decisions[request["table"]])
    elif why["code"] == "unknown_table" and request["type"] == "sit":  # the one we opened was cleared away
        ask(**opening)
    elif why["code"] not in TOLD_ANYHOW:
        sys.exit(f"{request} was refused: {why['says']}")


pause = 0.2
while over < games:
    try:
        with socket.create_connection((host, port), timeout=10) as connection:
            who = {"token": token, "asked": list(waiting)} if token else {"name": name, "is_bot": True}
            say(type="hello", version=3, seen=[{"table": t, "number": n} for t, n in seen.items()], **who)
            for text in connection.makefile("rb"):
                if not text.endswith(b"\n"):
                    break  # the connection dropped in the middle of a message
                message = json.loads(text)
                if message["type"] == "goodbye":
                    if message.get("refusal") == "bad_token":
                        token, seen, waiting = "", {}, {}
                    elif message.get("refusal") == "name_taken":  # perhaps by us, on the connection that dropped
                        name = f"{name[:20]} {random.randrange(100, 1000)}"
                    elif message.get("refusal") in ("server_full", "draining"):
                        pass  # later, perhaps
                    elif message["code"] not in ("draining", "idle", "too_slow"):
                        sys.exit(message["says"] if over < games else 0)
                    pause = message.get("back_s", pause)
                    break
                pause = 0.2
                hear(message)
    except OSError as error:
        print(f"the connection dropped: {error}", file=sys.stderr)
    time.sleep(pause * random.uniform(0.5, 1))
    pause = min(2 * pause, 5)
