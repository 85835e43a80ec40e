"""Matches between bots: every deal is played from every seat, so that luck cancels.

Idea: each bot plays in a process of its own over the protocol, against a server that was started for the match and
repeats its packs from a seed; results come from the server alone. So Python classes, other people's programs and house
players are measured alike. A bot sees only its own seat. A bot that hangs, dies, cheats or floods loses only its own
games. Import law: put_client, put_protocol, put_text and put_runtime; the server is a process. Only `match_terms` and
`in_process` import its rules. Public: the command `put-arena` and its `--json`. No other package imports it.

The modules:

    competitors, schedule                           pure
    statistics -> results -> match_report           pure
    match_log -> contest -> match_terms             a match as it stands, its files, and what is played
    sandbox, dial_listener                          a bot's view of this machine
    orders -> class_player                          in a bot's process
    proxy -> processes -> roster                    the processes of a server and its players
    director                                        one server's tables in one wave
    in_process                                      all of that without a server
    match_play -> cli                               the whole match
"""

__all__: list[str] = []
