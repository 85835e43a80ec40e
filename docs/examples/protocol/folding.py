"""The view of Put folded from changes, for two players of put-1674."""


def fold(view, message, me):
    """The view after an `events` message; `me` is your seat, or "gallery"."""
    if "view" in message:
        return message["view"]
    view = dict(view)
    for event in message["events"]:
        seat = event.get("seat")
        match event["event"]:
            case "dealt":
                view |= {name: event[name] for name in ("hand", "dealer", "eldest", "counts")}
                view |= {"cards": event["cards"], "playing": [True, True], "tricks": [0, 0], "trick": {}, "past": []}
                leave_out(view, "putter", "seen_by")
            case "played":
                trick, card = view["trick"], event["card"]
                view["trick"] = {key: [*trick.get(key, []), one] for key, one in (("seats", seat), ("cards", card))}
                view["cards"] = [held for held in view.get("cards", []) if held != card]
                view["counts"] = [count - (at == seat) for at, count in enumerate(view["counts"])]
            case "put":
                view["putter"] = seat
                leave_out(view, "seen_by")
            case "saw":
                view["seen_by"] = [seat]
            case "threw_in" if "counts" in view:
                view["playing"] = [is_in and at != seat for at, is_in in enumerate(view["playing"])]
                view["counts"] = [0 if at == seat else count for at, count in enumerate(view["counts"])]
                view["cards"] = [] if seat == me else view.get("cards", [])
            case "trick":
                view["past"] = [*view.get("past", []), view["trick"] | {"winner": event["winner"]}]
                view |= {"trick": {}, "tricks": event["tricks"]}
            case "hand" | "game":
                view["scores"] = event["scores"]
                leave_out(view, "dealer", "eldest", "cards", "counts", "trick")
            case "drawn" | "dealer" | "threw_in" | "timed_out":
                pass  # they end a turn, and no more
            case _:
                continue  # talk, steps of deals, who comes and goes: the game is as before
        leave_out(view, "to_move", "moment")
    if "moment" in message:
        view |= {"to_move": message["turn"]["seat"], "moment": message["moment"]}
    return view


def leave_out(view, *names):
    for name in names:
        view.pop(name, None)
