"""A bot of nothing but the standard library; each fault that it can be given is one mistake.

faulty_client.py HOST PORT NAME [FAULT [MANNER [GAME]]]

It waits to be invited; or, by its manner, `opens` a table and invites the house,
`hosts` one and waits for company, `looks` for a table where somebody waits, `rehosts` as often as it is sent away, the
house playing on in its place, or `visits` for one game, and says bye.
"""

import json
import random
import socket
import sys
import time
from typing import Any

FAULTS = {
    "answers_twice": "sends every answer twice",
    "ignores_pings": "answers no ping",
    "loops_on_goodbye": "connects again at once after every goodbye",
    "returns_once": "connects again half a second after every goodbye, and then ends",
    "opens_twice": "opens another table when it hears nothing of the first",
    "forgets_again": "takes a request for another game for heard when the connection drops",
    "insists_when_illegal": "sends an action again that was refused as illegal",
    "illegal_card": "plays a card it does not hold",
    "forgets_seen": "comes back without seen",
    "counts_messages": "counts messages of events instead of events",
    "forgets_token": "comes back as somebody new",
    "never_returns": "ends when the connection drops",
    "repeats_after_drop": "sends its last answer again after a drop, whether it was heard or not",
    "asks_strangely": "names requests in asked that were answered",
    "chokes_on_fields": "ends at a field it does not know",
    "chokes_on_messages": "ends at a message it does not know",
    "chokes_on_events": "ends at an event it does not know",
    "skips_unknown_events": "does not count events it does not know",
    "guesses_views": "asks for changes, and not for the view when it gets an event it does not know",
    "reads_whole_pieces": "takes what one read gives for whole messages",
    "reads_one_message": "takes only the first message of a read",
    "short_lines": "cannot read more than 32 KiB in one message",
    "does_not_wait": "asks again at once when it was too fast",
    "gives_up_when_too_fast": "ends when it was too fast",
    "dies_of_illegal": "ends when an action is refused",
    "insists_when_late": "sends the same answer again and again when it is too late",
    "same_ids": "gives every request the id 1",
    "extra_field": "sends a field that is in no schema",
    "no_hello": "asks before it says hello",
    "counts_back": "counts its hellos backwards",
    "is_person": "does not say that it is a bot",
    "wrong_version": "says version 99",
    "hangs": "answers nothing after its third answer",
    "floods": "asks to look a thousand times",
    "dies": "ends by an error after its second answer",
    "impatient": "ends after a second of silence at a table",
    "ignores_left": "answers once more at a table that it has left",
    "gives_up_in_pause": "stops playing when a pause is asked for",
    "sits_on_result": "never asks for another game, and does not leave",
    "speaks_garbage": "begins with bytes that are no message",
    "wants_anything": "answers decisions that it was not asked",
    "hammers": "connects as fast as it can while the server is away",
    "says_nothing": "connects, and says nothing",
    "endless_line": "sends a line that does not end",
    "never_sits": "says hello, and no more",
    "stays_away": "does not come back after any goodbye",
    "trusts_its_seat": "waits at its table when it comes back, whether it is there still or not",
    "gives_up_without_token": "ends when its token has ended",
    "gives_up_when_full": "ends when there is no room for it",
    "waits_for_ever": "waits for a server that has fallen silent as long as it takes",
    "gives_up_its_name": "ends when its name is taken, by the connection that dropped",
    "never_asks_after": "opens and sits once, and hears of no request that was lost",
    "mistakes_fields": "takes the first field of an action for what it does",
    "ends_with_the_game": "waits for ever when an opponent has left",
    "plays_alone_not": "stops playing when an opponent is away",
    "short_names": "cannot read a name of more than 32 bytes",
    "one_table_only": "forgets its table when it sits down at another",
    "pairs_in_order": "takes an answer for that of the request that it made first",
}

KNOWN = {
    "welcome", "ok", "refused", "lobby", "table", "events", "decision", "openings", "invited", "left", "notice",
    "goodbye", "ping", "pong",
}  # fmt: skip


class Bot:
    def __init__(self, host: str, port: int, name: str, fault: str, manner: str, game: str) -> None:
        self.manner = manner
        self.game = game
        self.address = (host, port)
        self.name = name
        self.fault = fault
        self.dice = random.Random(name)
        self.token = ""
        self.seen: dict[int, int] = {}
        self.seats: dict[int, int] = {}
        self.requests = 0
        self.hellos = 0
        self.asked: dict[int, dict[str, Any]] = {}
        self.answered: dict[int, int] = {}
        self.last_act: dict[str, Any] | None = None
        self.legal: dict[tuple[int, int], list[Any]] = {}
        self.acts = 0
        self.is_quiet = False
        self.is_taken = False
        self.agains: set[int] = set()
        self.socket: socket.socket

    def has(self, fault: str) -> bool:
        return self.fault == fault

    # --- out ---

    def send(self, message: dict[str, Any]) -> None:
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def ask(self, message: dict[str, Any]) -> None:
        self.requests = 1 if self.has("same_ids") else self.requests + 1
        message = {**message, "id": self.requests}
        if self.has("extra_field"):
            message["mood"] = "merry"
        self.asked[self.requests] = message
        self.send(message)

    def hello(self) -> None:
        hello: dict[str, Any] = {"type": "hello", "version": 99 if self.has("wrong_version") else 2}
        if self.token and not self.has("forgets_token"):
            hello["token"] = self.token
            if not self.has("forgets_seen"):
                hello["seen"] = [{"table": table, "number": number} for table, number in self.seen.items()]
            if self.has("opens_twice") or self.has("forgets_again") or self.has("never_asks_after"):
                self.asked.clear()
            hello["asked"] = list(self.asked)
            if self.has("asks_strangely"):
                hello["asked"] = list(range(1, self.requests + 1))
        else:
            hello["name"] = self.name + " II" if self.token or self.is_taken else self.name
            self.seen.clear()
            self.asked.clear()
        if not self.has("is_person"):
            hello["is_bot"] = True
        if self.has("counts_back"):
            self.hellos += 1
            hello["incarnation"] = 100 - self.hellos
        if self.has("guesses_views"):
            hello["views"] = "changes"
        self.send(hello)
        if self.token and self.has("repeats_after_drop") and self.last_act is not None:
            self.ask(self.last_act)

    # --- in ---

    def run(self) -> None:
        while True:
            try:
                self.socket = socket.create_connection(self.address, timeout=10)
                if self.has("no_hello"):
                    self.ask({"type": "look"})
                if self.has("speaks_garbage"):
                    self.socket.sendall(b"\xff\xfe\n")
                if self.has("says_nothing"):
                    time.sleep(60)
                if self.has("endless_line"):
                    self.socket.sendall(b"{" * 100_000)
                self.hello()
                goodbye = self.follow()
            except ConnectionError:
                goodbye = None
            finally:
                if hasattr(self, "socket"):
                    self.socket.close()
            if goodbye is None and self.has("never_returns"):
                sys.exit(3)
            if self.has("loops_on_goodbye"):
                continue
            if goodbye is not None:
                if self.has("returns_once") and goodbye["code"] != "draining":
                    self.fault = ""
                    time.sleep(0.5)
                elif self.manner == "rehosts" and goodbye["code"] == "kicked":
                    self.token = ""
                elif goodbye.get("refusal") == "server_full" and not self.has("gives_up_when_full"):
                    time.sleep(0.3)
                elif goodbye.get("refusal") == "bad_token" and not self.has("gives_up_without_token"):
                    self.token = ""
                elif goodbye.get("refusal") == "name_taken" and not self.has("gives_up_its_name"):
                    self.is_taken = True
                elif goodbye["code"] not in ("draining", "idle", "too_slow") or self.has("stays_away"):
                    sys.exit(0)
                if not self.has("hammers"):
                    time.sleep(goodbye.get("back_s", 0))
            time.sleep(0.001 if self.has("hammers") else 0.05)

    def follow(self) -> dict[str, Any] | None:
        rest = b""
        self.socket.settimeout(10)
        while True:
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                if self.has("impatient"):
                    sys.exit("I have waited long enough")
                if self.has("waits_for_ever"):
                    continue
                return None
            if not data:
                return None
            if self.has("reads_whole_pieces"):
                pieces = [json.loads(line) for line in data.split(b"\n") if line]
            else:
                *lines, rest = (rest + data).split(b"\n")
                if self.has("short_lines") and max(map(len, (rest, *lines))) > 32 * 1024:
                    sys.exit("a line is too long")
                pieces = [json.loads(line) for line in lines]
            if self.has("reads_one_message"):
                del pieces[1:]
            for message in pieces:
                if message["type"] == "goodbye":
                    return dict(message)
                self.hear(message)

    def hear(self, message: dict[str, Any]) -> None:
        if self.has("pairs_in_order") and message.get("id") in self.asked:
            message = {**message, "id": min(self.asked)}
        if self.has("chokes_on_fields") and "x_rehearsal" in message:
            sys.exit("what is x_rehearsal?")
        if self.has("chokes_on_messages") and message["type"] not in KNOWN:
            sys.exit("what kind of message is this?")
        match message["type"]:
            case "welcome":
                is_new, self.token = not self.token, message["token"]
                self.socket.settimeout(message["limits"]["dead_ms"] / 1000)
                gone = self.seen.keys() - set(message.get("tables", [])) if not self.has("trusts_its_seat") else set()
                for table in gone:
                    del self.seen[table]
                is_host = (is_new or gone) and self.manner in ("opens", "hosts")
                if is_host or (self.has("opens_twice") and not self.seen):
                    self.ask({"type": "open", "game": self.game, "seats": 2})
                elif is_new and self.manner == "rehosts":
                    self.rehost()
                elif is_new and self.manner == "looks":
                    self.ask({"type": "look"})
                if self.has("floods"):
                    for _ in range(1000):
                        self.ask({"type": "look"})
            case "ping" if not self.has("ignores_pings"):
                self.send({"type": "pong"})
            case "lobby" if self.manner == "looks" and not self.seen:
                for info in message.get("tables", []):
                    if any("name" not in chair for chair in info["seats"]):
                        self.manner = "invited"
                        self.sit(info["id"])
                        break
            case "invited" if not self.has("never_sits") and not (self.has("trusts_its_seat") and self.seen):
                self.sit(message["table"])
            case "table" if self.has("short_names") and any(
                len(str(chair.get("name", "")).encode()) > 32 for chair in message["info"]["seats"]
            ):
                sys.exit("this name is too long")
            case "table":
                self.seen[message["table"]] = message["number"]
                self.seats[message["table"]] = message["viewer"]
                self.look_at(message["table"], message["info"])
            case "events":
                self.events(message)
            case "left":
                self.seen.pop(message["table"], None)
                if self.has("ignores_left") and self.last_act is not None:
                    self.ask(self.last_act)
                if self.manner == "rehosts":
                    self.rehost()
            case "decision":
                self.decide(message)
            case "ok":
                request = self.asked.pop(message["id"], {})
                if request.get("type") == "open":
                    self.sit(message["table"])
                    if self.manner == "opens":
                        self.ask({"type": "invite", "table": message["table"]})
            case "refused":
                self.refused(message)
            case _:
                pass

    def rehost(self) -> None:
        self.ask({"type": "open", "game": self.game, "seats": 2, "options": {"abandoned": "house"}})

    def events(self, message: dict[str, Any]) -> None:
        events = message["events"]
        if self.has("chokes_on_events") and any(event["event"] == "x_rehearsal" for event in events):
            sys.exit("what kind of event is this?")
        if self.has("skips_unknown_events"):
            events = [event for event in events if event["event"] != "x_rehearsal"]
            self.seen[message["table"]] = self.seen.get(message["table"], 0) + len(events)
        elif self.has("counts_messages"):
            self.seen[message["table"]] = self.seen.get(message["table"], 0) + 1
        else:
            self.seen[message["table"]] = message["first"] + len(events) - 1
        kinds = {event["event"] for event in events}
        self.is_quiet |= self.has("gives_up_in_pause") and "pause_asked" in kinds
        self.is_quiet |= self.has("plays_alone_not") and "presence" in kinds
        if self.has("ends_with_the_game") and "stood" in kinds and self.acts:
            time.sleep(60)
        if "info" in message:
            self.look_at(message["table"], message["info"])

    def sit(self, table: int) -> None:
        self.ask({"type": "sit", "table": table})

    def look_at(self, table: int, info: dict[str, Any]) -> None:
        is_over = info.get("games") and info.get("state") == "between"
        mine = [seat for seat in info["seats"] if str(seat.get("name", "")).startswith(self.name)]
        has_asked = any(request["type"] == "again" for request in self.asked.values())
        if self.has("forgets_again"):
            has_asked = info.get("games") in self.agains
        if is_over and mine and self.manner == "visits":
            self.send({"type": "bye"})
        elif is_over and mine and not mine[0].get("agrees") and not has_asked and not self.has("sits_on_result"):
            self.agains.add(info["games"])
            self.ask({"type": "again", "table": table})

    def decide(self, message: dict[str, Any]) -> None:
        table, decision, legal = message["table"], message["decision"], message["legal"]
        self.legal[table, decision] = legal
        on_its_way = [r for r in self.asked.values() if r["type"] == "act" and r["decision"] == decision]
        is_elsewhere = self.has("one_table_only") and table < max(self.seats)
        if self.is_quiet or is_elsewhere or on_its_way or (self.has("hangs") and self.acts >= 3):
            return
        if self.has("dies") and self.acts >= 2:
            raise RuntimeError("this bot is tired")
        self.act(table, decision)
        if self.has("answers_twice"):
            self.act(table, decision)
        if self.has("wants_anything"):
            self.act(table, decision + 1000)

    def act(self, table: int, decision: int) -> None:
        self.acts += 1
        if self.has("impatient"):
            self.socket.settimeout(1)
        action = self.dice.choice(self.legal.get((table, decision), [{"action": {"do": "put"}}]))["action"]
        if self.has("mistakes_fields"):
            action = {**action, "do": next(iter(action.values()))}
        if self.has("illegal_card") and action["do"] == "play":
            held = {choice["action"].get("card") for choice in self.legal[table, decision]}
            action = {"do": "play", "card": next(rank + "s" for rank in "23456789" if rank + "s" not in held)}
        self.last_act = {"type": "act", "table": table, "decision": decision, "action": action}
        self.ask(self.last_act)

    def refused(self, message: dict[str, Any]) -> None:
        if message["code"] == "illegal" and self.has("insists_when_illegal"):
            self.ask(dict(self.asked.pop(message["id"])))
            return
        request = self.asked.pop(message["id"], None)
        if request is None:
            return
        request.pop("id")
        match message["code"]:
            case "too_fast":
                if self.has("gives_up_when_too_fast"):
                    sys.exit("too fast?")
                if not self.has("does_not_wait"):
                    time.sleep(message["retry_after_ms"] / 1000)
                self.ask(request)
            case "not_carried_out":
                self.ask(request)
            case "illegal" if request["type"] == "act":
                if self.has("dies_of_illegal"):
                    sys.exit("illegal?")
                self.act(request["table"], request["decision"])
            case "too_late" if self.has("insists_when_late"):
                self.ask(request)
            case _:
                pass


if __name__ == "__main__":
    given = sys.argv[1:]
    host, port, name, fault, manner, game = [*given, *["", "invited", "put-1674"][len(given) - 3 :]]
    Bot(host, int(port), name, fault, manner, game).run()
