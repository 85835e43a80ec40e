### scripts/play, and its help.

play-about = Play in this terminal: a server of its own on a free loopback port, a house player opposite, and all of it removed when you quit. With --watch house players play over real sockets, and a spectator tells the game.
play-watch = watch house players play, in sentences, then end
play-drill = practise: positions, and your answers judged
play-games = with --watch: how many games (default: 1)
play-seed = deal the same packs each time, for a show: dealt plain
play-game = the rule set (default: put-1674)
play-seats = how many play (default: as few as the game has)
play-house = who plays against you
play-name = your name at the table (default: your login name)
play-line = sentences instead of a drawn table
play-language = what is said in (default: that of LANG, or English)
play-ascii = draw with plain characters only
