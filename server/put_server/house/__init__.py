"""House players: the server's own players, who fill empty seats.

Idea: a house player is a function of what its seat sees and of the dice it was given. It cannot cheat, because nothing
it could cheat with can be named here.
Import law: standard library and put_protocol only; never another package of the server. Of `random`, the type alone:
the maker of a player gives it its dice, seeded or not.

`player` is the interface of a player and what it draws its actions from; `registry` has the kinds of players, and who
plays which family of games; each family's players are in a package of their own.
"""
