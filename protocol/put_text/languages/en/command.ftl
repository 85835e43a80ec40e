### Commands that are typed: what each does, as `help` tells it, and what some answer.

command-hand = hear the cards you hold
command-legal = hear every move you may make now
command-why = hear why it is these moves and no others
command-table = hear the whole table
command-score = hear the score and the purses
command-mine = hear your cards, and the tricks you have taken
command-trick = hear the cards on the table, or the last trick
command-time = hear how much time is left
command-clock = hear how long there is to decide
command-proof = hear whether the deal is fair: who shuffled it, and what is proved
command-who = hear who is here
command-rules = hear how this game is played, or another
command-options = hear what was agreed for this game, or may be for another
command-repeat = hear again what the table said since you last typed, or its last sentences
command-log = hear what was said in this hand, in another by its number, in the game, or in the last 10m
command-save = write the log to a file
command-brief = hear few words: choices only when you ask, with an empty line
command-full = hear everything
command-ask = be asked before a move that decides a hand or a game, or not
command-alone = have moves that leave no choice, as a last card, made by themselves, or not
command-yes = do what you were asked about; anything else does not
command-language = hear everything in another language: en, or fr for French
command-numbers = hear every event with its number, or without
command-say = talk to the table; from the gallery, to the gallery until the game is over
command-mute = hear no more of what a person says
command-unmute = hear again what a person says
command-block = hear no more of a person, who can neither invite you nor come to tables you open
command-unblock = end a block
command-again = ask for another game
command-analyse = hear what your decisions in the last game cost, against perfect play
command-coach = hear what is best now, and why, in a game against the house alone; it is marked as assisted
command-pause = let the game rest when everyone agrees, for at most this long: 30m, 2h or 7d
command-go = be ready to go on after a pause
command-goon = { command-go }
command-resign = give the game up and keep your seat; you are asked first
command-stand = give up your seat, between games
command-leave = go away from the table; during a game this gives it up, and you are asked first
command-tables = hear which tables are open, and who is here
command-lobby = { command-tables }
command-games = hear which games there are
command-houses = hear which house players there are
command-open = open a table and sit down at it, put-1674 for two if you name nothing; options of a table are turn and bank in seconds, passcode, gallery=shut, and admits=people or admits=bots
command-sit = take that seat, or any
command-watch = join the gallery
command-invite = ask a house player to your table, or a person who is here
command-dismiss = send a house player away, between games: by seat or name, or the last
command-send = send a guest away from a table that you opened, between games, and keep them out until you invite them
command-help = hear the words to begin with, or those of a topic, or what one word does
command-quit = stop for now: your seat is kept for a time, and you are told how to come back
command-exit = { command-quit }

## A command as it is heard: `sit TABLE, perhaps SEAT, perhaps PASSCODE`
command-or = or
command-perhaps = , perhaps
command-argument = { $name }
command-topic = { $topic }

## Help
command-help-lobby = To play against the house say "open", then "invite". To join others say "tables", then "sit" and a number.
command-help-table = "hand", "table" and "score" say how things stand, "why" what you may do, and "rules" how it is played.
command-help-moves = At your move say the number of a choice, or a card, such as 3s or the 3 of spades, or put, see or throw in.
command-help-lines = An empty line says what is asked of you, and "repeat" what was said. "quit" stops for now.
command-help-more = There is more: say "help" and { $topics } or { $all }; or "help" and a word.
command-help-none = There is no help about { $topic }. Say "help" and { $topics } or { $all }.

## Answers
command-say-repeat = Say "repeat", or "repeat 5" for the last five sentences.
command-say-seat = Which seat? For example "sit 1 2" for the second at table 1, or "sit 1" for any.
command-say-table = Which table? For example: "watch 1".
command-say-deal = Which deal? For example: "proof", or "proof 3".
command-to-do-it = { $means } Say "yes" to do it.{ $keeps ->
    [yes] {" "}To stop for now and keep your seat, say "quit".
   *[no] {""}
}
command-to-quit = { $why } Say "yes" to quit.
command-ends-table = This table ends with the program, and the game with it.
command-table-lost = The server opened a table and did not say which.
command-no-house = No such house player sits here.
command-invited = { $name } is invited.
command-sent-away = { $name } is sent away, and comes back only if you invite them.
command-heard-no-more = { $kind ->
    [mute] You hear no more of what they say.
    [unmute] You hear them again.
    [block] You hear no more of them, and they of you only where others play.
   *[unblock] They may invite you again.
}
command-few-words = { $on ->
    [yes] You hear few words. An empty line tells your choices.
   *[no] You hear everything.
}
command-asked = { $on ->
    [yes] You are asked before a move that decides a hand or a game.
   *[no] You are no longer asked before a move that decides a hand or a game.
}
command-played-alone = { $on ->
    [yes] Moves without a choice are played by themselves.
   *[no] Moves without a choice wait for you.
}
command-numbered = { $on ->
    [yes] Numbers are on.
   *[no] Numbers are off.
}
command-no-files = Here nothing can be written: keep what your terminal shows, or play with put-client, which takes "save".

## What the server offers
command-game = { $name }: { $title }, for { $seats } players. After { $source }.
command-say-game = Say "rules" and a name to hear how it is played, "open" and the name to play it.
command-house = { $name }: { $meaning }.
command-say-house = Say "invite" and a name.
command-rules-of = { $title }, after { $source }.
command-option = { $name }: { $meaning }; { $range ->
    [none] {""}
   *[other] { $range };{" "}
}{ $where ->
    [here] here
   *[default] unless you say otherwise
} { $value ->
    [none] nothing
   *[other] { $value }
}.
command-range = { $least } to { $most }
command-no-options = { $game } has no options.
command-no-game = There is no game "{ $game }" here. Say "games" to hear which there are.
command-how-many = How many seats? For example: "open { $game } { $seats }".
command-no-option = There is no option "{ $name }" in { $game }. There are { $options }.
command-seconds = Turn and bank are numbers of seconds, as in "turn=60": for a decision, and for being away in all.
command-gallery = The gallery is open or shut, as in "gallery=shut".
command-admits = A table admits all, people or bots, as in "admits=people".

## Lines that cannot be taken
command-line-long = a line has { $most } bytes at most, and yours was not taken
command-line-bytes = a line is text in UTF-8, and yours was not taken
command-line-first = the first thing you say must be a line
command-lines-ahead = you typed too far ahead of the answers
command-no-web = this is a put server, and no web server
command-late = you did not say who you are within { $minutes } minutes
