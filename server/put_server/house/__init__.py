"""House players: the server's own players, who fill empty seats.

Idea: a house player is a function of its seat's view and of the dice it was given; one that learns, also of what its
seat saw of an opponent before. It cannot cheat, because this
package can import nothing that holds hidden cards. Import law: standard library, msgspec and put_protocol; never
another package of the server. Of `random`, the type alone: the maker of a player gives it its dice, seeded or not.

`player` has the interface of a player, and the mixtures from which it draws actions; `registry` lists the kinds of
players for each family of games; each family's players are in a package of their own.
"""
