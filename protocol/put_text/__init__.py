"""The game in words: sentences for people, and typed lines as actions.

Line mode, the plain connection of the server, the log of the full screen and `put-server show` all take their words
from here, so one event has one sentence everywhere.
Import law: put_protocol only; no asyncio, clock or randomness.

    phrases          parts of sentences: seats, cards, counts, times
    presenters       events and views as sentences, and what is typed for actions, a module a family of games
    lessons          notes for beginners
    analysis_text    analyses as sentences
    parse_action     a typed line as a legal action
    struct_text      a Struct as one line, and back
    notation         a game as one viewer saw it, as a text file
    plain            a whole connection in plain English
"""

__all__: list[str] = []
"""Empty: import the modules by name."""
