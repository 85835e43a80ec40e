### The record, the replay and practice, on their screens.

record-the-record = The record
record-the-replay = The replay
record-practice = Practice
record-replay = Replay
record-yours = Your record
record-list = Games
record-escape-goes-back = Esc goes back
record-q-quits = q quits
record-back-because = { $error } Esc goes back.

## Practice.
record-opponent = Opponent
record-looking = A position is being looked for ...
record-practice-help = Answer with the key beside a choice. An answer that costs less than 0.1% of a game is right. A position that you got wrong comes again, later each time that you get it right. Enter goes on to the next, Esc ends the practice. Any key closes this.
record-every-choice = Every choice
record-mistake = a mistake of yours
record-again = once more
record-position = a position
record-right = { $right } of { $answered } right

## The record.
record-no-moves-kept = Of this game only the figures are kept, and not its moves.
record-games = { $count ->
    [1] { $count } game
   *[other] { $count } games
}
record-won = { $count } won
record-lost = { $count } lost
record-accuracy = accuracy { $share }
record-practised = practice { $share } of { $count }
record-fine-by-month = Fine decisions by month, in percent
record-month = { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Oct
    [11] Nov
   *[12] Dec
}
record-against = Against
record-by-rules = By rules
record-fine = { $share } fine
record-won-of = { $won } of { $games }
record-nothing = Nothing is recorded yet. A game is recorded when it ends.
record-percent = { $whole }%
record-house = house, { $house }
record-cost = cost { $cost }%
record-mark-coach = coach
record-mark-exhibition = exhibition
record-mark-no-moves = no moves

## The replay.
record-gallery = the gallery
record-seen-by = seen by { $viewer }
record-table-game = table { $table }, game { $game }
record-beginning = The beginning; nothing has happened yet.
record-step = step { $number } of { $count }
record-playing = playing
record-end = the end
record-judged-fine = Fine: { $share } to win the game. Perfect play: { $best }.
record-judged = A { $quality }: cost { $cost }. Perfect play: { $best }.
record-key-on = on a step (also Space)
    .brief = on
record-key-back = back a step
    .brief = back
record-key-play = go on by itself, or stop
    .brief = play
record-key-hand-on = on to the next hand
    .brief = hand on
record-key-hand-back = back to where this hand began
    .brief = hand back
record-key-home = the beginning
record-key-end = the end
record-key-close = close this help, or leave
record-key-help = this help
    .brief = help
record-key-quit = quit (also Ctrl-C)
    .brief = quit

## A game shown again, in sentences.
record-replay-keys = Enter shows the next step, "b" goes back one, "h" on to the next hand, "q" quits.
record-replay-heading = Game { $number } at table { $table }{ $server ->
    [none] {""}
   *[other] {" "}of { $server }
}{ $date ->
    [none] {""}
   *[other] , { $date }
}: { $game }{ $exhibition ->
    [yes] , an exhibition
   *[no] {""}
}, played by { $players }, { $viewer ->
    [gallery] from the gallery
   *[other] as { $viewer } (you) saw it
}.
record-replay-player = { $name }{ $kind ->
    [house] {" "}(house)
    [bot] {" "}(bot)
   *[person] {""}
}
record-replay-ends = That is all of it.
record-replay-begins = This is the beginning.
record-file-long = the file is longer than { $bytes } bytes
record-file-no-text = this is no text in UTF-8

## The record in sentences.
record-none-yet = Nothing is recorded yet. Games are recorded when they end.
record-all = { record-games }: { $won } won, { $lost } lost, { $even } even.
record-run = { $which ->
    [none] No run of wins or losses.
    [wins] { $count ->
        [1] 1 win
       *[other] { $count } wins
    } in a row.
   *[losses] { $count ->
        [1] 1 loss
       *[other] { $count } losses
    } in a row.
}
record-longest-run = The longest run of wins: { $count }.
record-assisted = { record-games } with the coach: not counted for streaks and accuracy.
record-decisions = { $decisions ->
    [1] 1 decision
   *[other] { $decisions } decisions
}
record-against-perfect = Against perfect play: { $share } of { record-decisions } fine, { $each }% of a game lost by each on the average.
record-practice-all = Practice: { $count ->
    [1] 1 answer
   *[other] { $count } answers
}, { $right } of them right.
record-by = { $by ->
    [rules] By rules
   *[opponents] Against
} { $label }: { $tally }.
record-tally = { record-games }, { $won } won, { $lost } lost{ $even ->
    [0] {""}
   *[other] , { $even } even
}{ $decisions ->
    [0] {""}
   *[other] ; { $share } of { record-decisions } fine
}
record-in-month = { $label }: { record-games }, { $won } won{ $decisions ->
    [0] {""}
   *[other] , { $share } of { record-decisions } fine
}{ $answers ->
    [0] {""}
   *[other] , practice { $right } right of { $answers }
}.
record-outcome = { $outcome ->
    [won] won
    [lost] lost
   *[even] even
}
record-game = Game { $number }, { $ended }: { $game } against { $against ->
    [none] nobody
   *[other] { $against }
}, { record-outcome } ({ $gain }){ $decisions ->
    [0] {""}
   *[other] , { record-decisions } cost { $cost }%
}{ $assisted ->
    [yes] , with the coach
   *[no] {""}
}
record-from-yours = { $date ->
    [none] From a game of yours.
   *[other] From your game of { $date }.
}
record-no-position = No new position is to be had here.
record-no-judgement = The answer cannot be judged.
record-no-solutions = No new positions are to be had: the program that has the solutions does not run here.
record-nothing-came = nothing came in { $seconds } seconds
record-closed = The connection is closed.
record-later = The record { $file } was written by a later release of put-client; it is left alone.
record-unusable = The record { $file } cannot be used: { $why }. Nothing is recorded{ $damaged ->
    [yes] ; move the file away to begin another
   *[no] {""}
}.
