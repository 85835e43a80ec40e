"""House players: the server's own players, who fill empty seats.

Idea: a house player is a function of its seat's view and its random generator. A player that learns also uses what its
seat saw of an opponent before. It cannot cheat, because this package cannot import anything with hidden cards. Import
law: standard library, msgspec and put_protocol; never another package of the server. Of `random` only the type: the
maker of a player passes in the generator.

`player` has the interface of a player, and the mixed strategies from which it draws actions; `registry` lists the kinds
of players for each family of games; each family's players are in a package of their own.
"""
