#!/usr/bin/env python3
"""A bot that needs nothing but Python: JSON lines over a socket, and one of the legal actions at random.

    python bot_stdlib.py HOST PORT NAME --house steady --games 10     opens a table and plays the house
    python bot_stdlib.py HOST PORT NAME --table 3                     sits down at a table that is there
    python bot_stdlib.py HOST PORT NAME --invited                     waits to be asked, and plays wherever it is
    python bot_stdlib.py --stdio --invited                            the same over standard input and output

Copy it and change `choose`. Everything else is the protocol: say hello, answer decisions, ask for another game, and
reconnect after a drop. It ignores what it does not know. At the end it prints how it did, as a line of JSON.
"""

# mypy: ignore-errors

import argparse
import json
import os
import random
import select
import signal
import socket
import sys
import time

DEAD = 75.0  # seconds of silence after which the connection is given up, until `welcome` tells them
HANG_UPS = 3  # connections in a row that end before a welcome, after which it is no server of ours
PATIENCE = 120.0  # seconds to keep trying to reconnect
COMING_BACK = {"draining", "idle", "too_slow"}  # goodbyes to this connection, not to this person
PASSING = {"draining", "server_full", "too_fast"}  # why a hello may be refused now, and not in a while
KNOWN = {
    "again": {"already_there", "game_in_play", "too_late"},
    "leave": {"not_there", "unknown_table"},
}  # done before the drop
OVERTAKEN = {"too_late", "not_your_turn", "no_game", "paused"}  # an answer after time, or another's leaving, decided


def choose(view, legal, dice):  # noqa: ARG001  # a better bot looks at the view
    """The bot. `view` is what it sees, `legal` all it may do: the `action` of one of these choices."""
    return dice.choice(legal)["action"]


class Dropped(Exception):
    """The connection dropped, and we reconnect: after `args[0]` seconds, if the server named a time."""


class Finished(Exception):
    """There is nothing more to do; `args[0]`, if any, says what went wrong."""


class Connection:
    """JSON objects, a line each, over a socket or a pair of pipes."""

    def __init__(self, source, sink):
        self.source, self.sink, self.rest = source, sink, b""

    def send(self, message):
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.sink.fileno(), data) :]

    def read(self, seconds):
        """The next message; None when none comes for so long."""
        while b"\n" not in self.rest:
            if not select.select([self.source], [], [], seconds)[0]:
                return None
            data = os.read(self.source.fileno(), 65536)
            if not data:
                raise ConnectionResetError
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)


class Table:
    """A table where we sit, as far as we heard."""

    seat = view = decision = None
    number = 0  # of the last event
    begun = None  # games before we came
    games = purse = 0
    answered = 0  # the last decision whose answer was accepted
    had_company = False


class Player:
    """One person at the server, over as many connections as it takes."""

    def __init__(self, options):
        self.options, self.dice = options, random.Random(options.seed)
        self.connection = None
        self.name = options.name
        self.dead = DEAD
        self.token = ""
        self.last_id = 0
        self.asked = {}  # requests that have no answer yet, by id
        self.tables = {}
        self.games = self.won = self.purse = self.drops = self.hang_ups = 0
        self.is_connected = False
        self.refused = {}  # how often, by code

    def run(self):
        """Play until we are finished. Returns what went wrong, or nothing."""
        lost_at, wait = time.monotonic(), 0.2
        while True:
            try:
                self.connect()
                while True:
                    self.hear_next()
                    lost_at, wait = time.monotonic(), 0.2
            except Finished as end:
                return end.args[0] if end.args else ""
            except (OSError, Dropped) as drop:
                self.hang_up()
                if self.options.stdio:
                    return ""  # whoever spoke to us has hung up
                self.hang_ups += self.is_connected
                if not self.token and not 0 < self.hang_ups < HANG_UPS:
                    return f"no server at {self.options.host}:{self.options.port}: {drop}"
                if time.monotonic() - lost_at > PATIENCE:
                    return "the server is lost"
                self.drops += 1
                stated = drop.args[0] if isinstance(drop, Dropped) and drop.args else 0
                lost_at += stated
                time.sleep(stated + wait * self.dice.uniform(0.5, 1.0))
                wait = min(2 * wait, 5.0)

    def connect(self):
        o, self.is_connected = self.options, False
        if o.stdio:
            self.connection = Connection(sys.stdin, sys.stdout)
        else:
            connected = socket.create_connection((o.host, o.port), timeout=10)
            connected.settimeout(None)
            self.connection = Connection(connected, connected)
        self.is_connected = True
        hello = {
            "type": "hello",
            "version": 3,
            "is_bot": True,
            "words": False,
            "knows": ["put", "triomphe", "primero"],
            "client": "bot_stdlib",
        }
        if self.token:  # as whoever we were; what we missed follows, and the answers we are owed
            seen = [{"table": n, "number": table.number} for n, table in self.tables.items() if table.seat is not None]
            hello.update(token=self.token, seen=seen, asked=list(self.asked))
        else:
            hello.update(name=self.name)
        self.connection.send(hello)

    def ask(self, kind, **fields):
        """A request has an id, and gets exactly one answer with it: `refused`, `ok`, or `events` or a `table`."""
        self.last_id += 1
        self.asked[self.last_id] = {"type": kind, "id": self.last_id, **fields}
        self.connection.send(self.asked[self.last_id])

    def is_asking(self, kind, table, decision=None):
        wanted = kind, table, decision
        return any((one["type"], one.get("table"), one.get("decision")) == wanted for one in self.asked.values())

    def sit(self, number, seat=None):
        self.tables[number] = Table()
        self.ask("sit", table=number, seat=seat)

    def hear_next(self):
        for _ in range(3):  # a ping after each third of the time
            message = self.connection.read(self.dead / 3)
            if message is not None:
                handle = getattr(self, f"on_{message.get('type')}", None)
                return handle and handle(message)  # what we do not know is no affair of ours
            self.connection.send({"type": "ping"})
        raise Dropped

    def on_ping(self, _):
        self.connection.send({"type": "pong"})

    def on_welcome(self, message):
        is_new, self.token = not self.token, message["token"]
        self.dead, self.hang_ups = message["limits"]["dead_ms"] / 1000, 0
        if not is_new:
            for number in set(self.tables) - set(message.get("tables", [])):
                if self.tables[number].seat is not None:
                    self.on_left({"table": number})  # it went while we were away
            return
        o = self.options
        if o.table:
            self.sit(o.table)
        elif not o.invited:
            o.seats = o.seats or next((min(game["seats"]) for game in message["games"] if game["name"] == o.game), 2)
            self.ask("open", game=o.game, seats=o.seats, options=dict(o.option))

    def on_goodbye(self, message):
        if message.get("refusal") == "name_taken" and self.hang_ups:  # by us: it let us in, and we did not hear of it
            self.name = f"{self.options.name[:20]} {self.dice.randrange(100, 1000)}"
            raise Dropped
        if message.get("refusal") == "bad_token":  # the server has begun anew, and so do we
            self.token, self.tables, self.asked = "", {}, {}
            raise Dropped
        if message["code"] in COMING_BACK or message.get("refusal") in PASSING:
            raise Dropped(message.get("back_s") or 0)
        raise Finished(*([] if message["code"] == "bye" else [message["says"]]))

    def on_ok(self, message):
        request = self.asked.pop(message.get("id"), {})
        number = request.get("table")
        match request.get("type"):
            case "open":
                self.sit(message["table"])
            case "sit" if self.options.house:
                for _ in range(self.options.seats - 1):
                    self.ask("invite", table=number, house=self.options.house)
            case "act" if number in self.tables:
                self.tables[number].answered = request["decision"]
            case "leave":
                self.on_left({"table": number})

    def on_refused(self, message):
        request, code = self.asked.pop(message["id"], {}), message["code"]
        kind, number = request.get("type"), request.get("table")
        again = {name: value for name, value in request.items() if name not in ("type", "id")}
        if code == "too_fast":  # the same again, when we may
            time.sleep(message.get("retry_after_ms", 1000) / 1000)
            self.ask(kind, **again)
        elif code == "not_carried_out":  # it was sent on a connection that dropped
            if kind != "act":  # a decision that still waits is sent again by itself
                self.ask(kind, **again)
        elif code not in KNOWN.get(kind, ()):
            self.refused[code] = self.refused.get(code, 0) + 1
            print(f"{kind} was refused: {message['says']} ({code})", file=sys.stderr)
            if kind == "open":
                raise Finished(message["says"])
            if code == "illegal" and number in self.tables:
                self.answer(number, self.tables[number].decision)
        if kind in ("sit", "leave") and number in self.tables and not self.is_asking(kind, number):
            self.on_left({"table": number})

    def on_invited(self, message):
        if self.options.invited and message["table"] not in self.tables:
            self.sit(message["table"], message.get("seat"))

    def on_left(self, message):
        self.tables.pop(message["table"], None)
        if not self.options.invited:
            raise Finished

    def on_table(self, message):
        self.on_ok(message)  # of our `sit`, perhaps
        table = self.tables.get(message["table"])
        if table is not None:
            table.seat, table.number, table.view = message["viewer"], message["number"], message.get("view")
            self.follow(message, table)

    def on_events(self, message):
        self.on_ok(message)  # of what we asked, perhaps
        table = self.tables.get(message["table"])
        if table is not None:
            table.number = message["first"] + len(message["events"]) - 1
            table.view = message.get("view", table.view)
            self.follow(message, table)

    def follow(self, message, table):
        number, decision = message["table"], message.get("decision")
        if message.get("info"):
            self.look(number, table, message["info"])
        if decision and decision["number"] > table.answered and not self.is_asking("act", number, decision["number"]):
            table.decision = decision
            self.answer(number, decision)

    def answer(self, number, decision):
        action = choose(self.tables[number].view, decision["legal"], self.dice)
        self.ask("act", table=number, decision=decision["number"], action=action)

    def look(self, number, table, info):
        """Count the games that are over, and ask for another, or leave. A field at its default may be left out."""
        games, is_in_play = info.get("games", 0), info.get("state") in ("playing", "paused")
        if table.begun is None:
            table.begun = games - is_in_play
        over = games - table.begun - is_in_play
        if over > table.games:
            purse = info["seats"][table.seat].get("purse", 0)
            self.games, self.won = self.games + 1, self.won + (purse > table.purse)
            self.purse += purse - table.purse
            table.games, table.purse = over, purse
        has_to_ask = info.get("state") == "between" and not info["seats"][table.seat].get("agrees")
        others = [seat for place, seat in enumerate(info["seats"]) if place != table.seat and not seat.get("is_house")]
        is_alone = all(seat.get("name") is None for seat in others)
        is_enough = self.games >= self.options.games if self.options.games else table.had_company and is_alone
        table.had_company = table.had_company or not is_alone
        if is_in_play:
            return
        if is_enough:
            if not self.is_asking("leave", number):
                self.ask("leave", table=number)
        elif has_to_ask and not self.is_asking("again", number):
            self.ask("again", table=number, game=games + 1)

    def hang_up(self):
        if self.connection is not None and not self.options.stdio:
            self.connection.sink.close()
        self.connection = None

    def bye(self):
        """Give up the seats and the name, and read to the end, so that the server has read it too."""
        if self.connection is not None:
            try:
                self.connection.send({"type": "bye"})
                while (message := self.connection.read(2.0)) is not None and message.get("type") != "goodbye":
                    pass
            except OSError:
                pass  # it is gone already
        self.hang_up()


def main():
    flags = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    flags.add_argument("host", nargs="?", default="localhost")
    flags.add_argument("port", nargs="?", type=int, default=1674)
    flags.add_argument("name", nargs="?", default="Stdlib")
    flags.add_argument("--stdio", action="store_true", help="speak on standard input and output")
    flags.add_argument("--invited", action="store_true", help="wait to be invited, and play wherever it is")
    flags.add_argument("--table", type=int, help="sit down at this table")
    flags.add_argument("--game", default="put-1674", help="the rule set of the table it opens")
    flags.add_argument("--seats", type=int, help="at that table (default: as few as the game has)")
    flags.add_argument("--option", action="append", default=[], type=option, metavar="NAME=VALUE", help="of the rules")
    flags.add_argument("--house", help="a house player for the other seats, such as steady")
    flags.add_argument("--games", type=int, help="to play (default: 1; with --invited no end)")
    flags.add_argument("--seed", type=int, help="of the dice")
    options = flags.parse_args()
    options.games = options.games or (0 if options.invited else 1)

    def end(*_):
        raise Finished

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    player, wrong = Player(options), ""
    try:
        wrong = player.run()
        player.bye()
    except Finished:  # a signal, anywhere
        player.bye()
    did = {"name": player.name, "games": player.games, "won": player.won, "purse": player.purse}
    print(
        json.dumps({**did, "drops": player.drops, "refused": player.refused}),
        file=sys.stderr if options.stdio else sys.stdout,
    )
    sys.exit(f"{sys.argv[0]}: {wrong}" if wrong else 0)


def option(text):
    name, _, value = text.partition("=")
    return name, int(value) if value.isdigit() else value


if __name__ == "__main__":
    main()
