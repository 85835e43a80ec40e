"""A client is put through its parts before it meets real opponents, and told what it did right and wrong.

Idea: lobby, tables and rules are the real ones and so are the messages; only the opponents are scripted, and the
connection between the lobby and the client is in the hands of a scene, which does to it what a bad evening does.
Import law: reads the layers below; nothing of the server reads it but the command that starts it.

The modules read from the small to the large: `checks` (what is judged, and where the protocol says so), `marks` and
`report` (how it came out), `company` (the opponents), `stage` (a lobby, and who plays in it), `line` (one connection of
the client's), `critic` (what holds in every scene), `scene` (what a scene is), `scenes` (each of them), `candidate`
(the client as a process), `performance` (one scene, played), `evening` (all of them).
"""
