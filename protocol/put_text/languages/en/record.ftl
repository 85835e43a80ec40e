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
record-key-close = close this help
record-key-help = this help
    .brief = help
record-key-quit = quit (also Ctrl-C)
    .brief = quit
