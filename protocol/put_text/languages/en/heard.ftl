### What is heard at a table and in the lobby: answers to what is typed, and what the server tells.

## Nowhere, and at a table.
heard-greeting = You are { $name }, at { $server }. Say "help" for help.
heard-nowhere = You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.
heard-no-table-open = No table is open. Say "open" to open one.
heard-here-are = Here are: { $names }.
heard-one-table = You are at table { $other }, too, but one connection follows one table: leave table { $here } and come back to hear of table { $other }.
heard-in-seat = { $who } in seat { $number }
heard-in-seat-ready = { $who } in seat { $number } and ready for another game
heard-at-table = You are { $seat ->
    [gallery] in the gallery of
   *[other] in seat { $seat } at
} table { $table }{ $after ->
    [none] .
   *[other] , after event { $after }.
}
heard-left = You are no longer at table { $table }: { $why }.
heard-notice = { $speaker ->
    [operator] The operator
   *[server] The server
} says: { $says }
heard-invited = { $by } asks you to table { $table }, { $game }: say "{ $command }" to sit down there.
heard-too-fast = That was too fast: wait { $time }, and say it again.
heard-table = Table { $table }, { $game }: { $seats }; { $about }.
heard-table-filling = it waits for players
heard-table-playing = game { $game } is in play
heard-table-paused = game { $game } is paused
heard-table-between = it is between games
heard-table-begins = its first game is about to begin
heard-table-turn = { $time } a turn
heard-table-locked = a passcode is asked
heard-table-no-spectators = no spectators
heard-table-for-people = for people only
heard-table-for-bots = for bots only
heard-table-assisted = played with the coach
heard-table-exhibition = an exhibition, where nothing counts
heard-no-player = no player
heard-house = of the house
heard-house-named = of the house, { $name }
heard-bot = a bot
heard-away = away
heard-gone = gone
heard-among-them = { $watchers }, you among them
heard-gallery-only = While a game is played, only the gallery hears what the gallery says.
heard-by-table = Everyone at the table hears what you say.
heard-by-all = Everyone at the table and in the gallery hears what you say.

## A move.
heard-move = Your move: { $choices }.
heard-asked = Your move. { $asks }
heard-can = You can: { $choices }.
heard-partner = Your partner is { $names }.
heard-about-to = You are about to { $does }. Say "yes" to do it, or make another move.
heard-ask-off = To be asked no more before such a move, say "ask off".
heard-with-card = { $says } with { $won }.
heard-no-cards = You hold no cards.
heard-hold = You hold { $cards }.
heard-hold-taken = { $holds }, and have taken { $tricks }.
heard-no-card-yet = No card was played yet.
heard-no-tricks = This game has no tricks.
heard-on-table = on the table { $played }
heard-last-trick = in the last trick { $played }, and { $winner ->
    [nobody] it was tied
    [you] you took it
   *[other] { $winner-name } took it
}
heard-purses = the purses, in stakes won less stakes lost, are { $purses }
heard-no-game = no game has begun

## Time.
heard-have-time = You have { $time }.
heard-left-time = You have { $time } left.
heard-time-left = { $seat ->
    [you] you have
   *[other] { $seat-name } has
} { $time } left.
heard-no-clock = No clock runs now.
heard-limits = There are { $time } for each decision, and { $bank } a game for being disconnected.
heard-no-limit = This table has no limit of its own for a decision, but { $bank } a game for being disconnected.
heard-paused-for = The game is paused, and goes on in { $time } at most. No clock runs until then.
heard-pause-asked = A pause of at most { $time } is asked for by { $seats }.
heard-pause-awaits = It begins when { $names } { $who ->
    [one] agrees.
    [ours] agree: say "pause".
   *[many] agree.
}
heard-pause-ready = Ready to go on: { $seats }.
heard-pause-ends = The game goes on when every player has said "go on", or when the time is up.
heard-agree = Say "pause" to agree to it.

## Between games.
heard-waits = The table waits for { $players }. Others come with "sit { $table }"; "invite" asks a house player.
heard-about-to-begin = A game is about to begin.
heard-next-game = The next game begins when { $names } { $who ->
    [one] has
   *[other] have
} said "again".
heard-again = Say "again" for another game, or "leave".
heard-again-solved = Say "again" for another game, "analyse" to hear what your decisions cost, or "leave".
heard-rules = Say "rules" to hear how it is played, and "why" when you wonder about your choices.
heard-brief = From now on you hear few words. An empty line tells your choices, and "full" brings all words back.
heard-unproved = No deal here is proved to you: nothing checks them on a typed connection.

## Memory, and words that are not understood.
heard-nothing-said = Nothing was said yet.
heard-nothing-kept = Nothing is kept of that.
heard-log-how = Say "log" for this hand, "log 2" for the second, "log game", or "log 10m" for ten minutes.
heard-say-it-as = Say it as "{ $spoken }": { $meaning }.
heard-say-more = "{ $word }" could be { $words }: say more of it.
heard-say-help = Say "help" to hear what you can say.
heard-no-command = "{ $word }" is no command.
heard-nothing-asked = Nothing was asked that is to be answered with yes or no.
heard-not-done = It is not done.
heard-question-over = That question is no more: the game has gone on. It is not done.

## Going.
heard-rest-of = what is left of { $time }
heard-keeps-nothing = This table has no time for being away: to go now gives the game up.
heard-kept = Your seat at table { $table } is kept for { $time }.
heard-kept-or-given-up = Your seat at table { $table } is kept for { $time }. After that the game is given up.
heard-kept-paused = Your seat at table { $table } is kept while the game rests, { $rest } at most, and then for { $time }.
heard-house-plays-on = To leave now lets the house play on in your place: you are out of this game and its stakes.
heard-resigns = To resign now gives this game up: you lose it, and pay what is due.
heard-leaves = To leave now gives this game up: you lose it, and pay what is due.
heard-purse-ends = Your purse of { $purse } ends with your seat: when you sit down again it begins at nothing.

## Words that are typed: a command, and the English word for it; and answers.
heard-commands = help: help
heard-typed-yes = yes | y
heard-typed-no = no | n
