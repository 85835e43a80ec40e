### The drawn table and the lobby: what stands on the screen, and what is said at its edges.

## The question, and what is waited for.
screen-your-move = Your move. { $asks }
screen-hand-held = The hand is over. Any key goes on.
screen-caught = The dealer was caught: nothing more is played here. v says how; b leaves.
screen-sent = Sent; the table has it in a moment ...
screen-not-your-turn = It is not your turn.
screen-game-paused = The game is paused.
screen-empty-seat-free = A seat is empty; s sits down there.
screen-empty-seat = A seat is empty.
screen-seats-empty-house = { $count ->
    [1] A seat is empty: wait, or press h to invite the house.
   *[other] Seats are empty: wait, or press h to invite the house.
}
screen-seats-empty = { $count ->
    [1] A seat is empty: wait for a player to sit down.
   *[other] Seats are empty: wait for a player to sit down.
}
screen-over = The game is over.
screen-over-another = The game is over. Another when { $names } will.
screen-over-agree = The game is over: a for another, b for the lobby.
screen-over-wait = Waiting for { $names } to want another game ...
screen-paused-go-on = Paused: g when you are ready to go on.
screen-paused = Paused.
screen-paused-until = { $count ->
    [1] Paused until { $names } is ready to go on.
   *[other] Paused until { $names } are ready to go on.
}
screen-pause-asked = { $who ->
    [one] { $names } asks
   *[other] { $names } ask
} for a pause of { $time }{ $next ->
    [agree] : z agrees.
    [wait] ; waiting for { $waited }.
   *[nothing] .
}
screen-away = { $name } is away; the table waits.
screen-away-deal = { $count ->
    [1] { $names } is away; the deal waits.
   *[other] { $names } are away; the deal waits.
}
screen-dealing = The cards are being dealt ...
screen-thinking = { $name } is thinking ...
screen-thinking-task = { $name } is thinking: { $task } ...
screen-thinking-trick = { $name } is thinking: { $task } trick { $number } ...
screen-thinking-lead = { $name } is thinking: what to lead to trick { $number } ...
screen-thinking-follow = { $name } is thinking: what to play to trick { $number } ...
screen-enter-does = Enter: { $does }
screen-may-quit = You may quit: your seat is kept.
screen-invited = { $by } asks you to table { $table }, { $game }{ $next ->
    [sit] : Enter sits down there.
    [choose] : Enter sits down, Esc stays.
   *[nothing] .
}
screen-clock-paused = at most
screen-clock-yours = your time
screen-clock-away = away, back within
screen-clock-other = time

## Who hears what is said.
screen-heard-gallery = Only the gallery hears you while they play: { $count ->
    [0] nobody else
   *[other] { $count } more
}.
screen-heard-by = Heard by { $names }.
screen-heard-nobody = Nobody hears this but the house.
screen-in-gallery = { $count } in the gallery

## The header, the panes and the rule.
screen-table = Table { $number }
screen-game = game { $number }
screen-hand = hand { $number }
screen-hand-of = hand { $number } of { $hands }
screen-state-paused = paused
screen-state-between = between
screen-state-free = { $count } free
screen-unread = { $count } unread: u
screen-exhibition = exhibition
screen-exhibition-nothing-counts = exhibition: nothing counts
screen-exhibition-note = This table is an exhibition: its packs repeat or were arranged, and nothing here counts.
screen-locked = locked
screen-admits = { $admits ->
    [people] people
    [bots] bots
   *[other] { $admits }
} only
screen-turn = { $seconds } s a turn
screen-watching = { $count } watching{ $you ->
    [yes] {" "}(you)
   *[no] {""}
}
screen-gallery-shut = gallery shut
screen-no-connection = no connection
screen-best = best
screen-last = last
screen-rules = The rules
screen-rules-more = r shows all of them
screen-story = Hand by hand
screen-log = Log
screen-talk = Talk
screen-talk-how = c to say something
screen-tricks = Tricks
screen-nothing-played = Nothing has been played yet.
screen-nothing-happened = Nothing has happened yet.
screen-forgotten = What was before this is forgotten.
screen-told-from-here = Told from where you came to the table.
screen-unread-from-here = unread
screen-save-file = /save FILE
screen-save-how = writes the game down, as you saw it.
screen-in-play = in play
screen-column-hand = hand
screen-not-solved = This game is not solved, so nothing can be said about your decisions.
screen-counter-clockwise = It is played counter-clockwise.
screen-options-usual = all options as usual
screen-cards-best-first = Cards, best first: { $cards }.

## The seats.
screen-seat-empty = (empty seat)
screen-mark-away = away
screen-mark-gone = gone
screen-mark-ready = ready
screen-mark-pause = pause
screen-kind-you = you
screen-kind-house = house
screen-kind-bot = bot
screen-kind-partner = partner
screen-mark-dealer = dealer
screen-mark-eldest = eldest
screen-mark-eldest-explained = eldest, first to play
screen-mark-put = PUT
screen-mark-doubles = DOUBLES
screen-mark-sees = sees
screen-mark-takes-it = takes it
screen-mark-takes-trick = takes it
screen-mark-gave = gave
screen-mark-threw = threw
screen-mark-out = out
screen-mark-shows = shows { $signs }
screen-score-rubber = { $score }, { $won } won
screen-purse-of = purse { $purse }
screen-purse-stakes = { $count ->
    [1] purse { $purse } stake
   *[other] purse { $purse } stakes
}

## The middle of the table.
screen-trick-at-stake = Trick { $number }, { $stake }
screen-trick-over = The first trick is over
screen-trick-put = Trick { $number }: { $seat ->
    [you] you have put
   *[other] { $seat-name } has put
}
screen-trick-doubled = Trick { $number }: { $seat ->
    [you] you have doubled
   *[other] { $seat-name } has doubled
}
screen-trick-saw = Trick { $number }, { $stake }: { $seat ->
    [you] you put
   *[other] { $seat-name } put
}, { $saw ->
    [you] you saw it
   *[other] { $names } saw it
}
screen-trick-took = Trick { $number }, { $stake }: { $seat ->
    [you] you doubled
   *[other] { $seat-name } doubled
}, { $saw ->
    [you] you took it
   *[other] { $names } took it
}
screen-trick-led = Trick { $number }: { $seat ->
    [you] you led
   *[other] { $seat-name } led
} { $sign }
screen-for-game = for the game
screen-for-points = { $count ->
    [1] for a point
   *[other] for { $count } points
}
screen-tied = tied
screen-led = led
screen-rank = { $rank }
screen-fool = Fool
screen-suit = { $suit ->
    [w] sword
    [b] baton
    [u] cup
    [o] coin
   *[t] trump
}
screen-pool = pool
screen-stake = stake { $count }
screen-trick-of = trick { $number } of { $most }
screen-hand-drawn = The hand is drawn.
screen-hand-drawn-anew = The hand is drawn; all scores go back to nothing.
screen-hand-won = { $seat ->
    [you] You win the hand
   *[other] { $seat-name } wins the hand
}{ $points ->
    [0] .
   *[other] , +{ $points }.
}
screen-do-put = put
screen-do-throw = throw in
screen-do-double = double
screen-do-give = give your best card
screen-do-let = let them give
screen-grave = do what cannot be taken back
screen-grave-put = put, see or throw in

## Words in large letters: capitals from A to Z without an accent.
screen-large-put = I PUT
screen-large-double = DOUBLE
screen-large-seen = I SEE
screen-large-taken = TAKEN
screen-large-drawn = DRAWN
screen-large-hand-over = HAND OVER
screen-large-hand-won = HAND WON
screen-large-hand-lost = HAND LOST
screen-large-game-over = GAME OVER
screen-large-you-win = YOU WIN
screen-large-you-lose = YOU LOSE

## Answers to keys and typed lines.
screen-not-card-now = Not a card now: answer first.
screen-not-that-card = Not that card.
screen-no-because = No. { $why }
screen-no-way-back = It cannot be taken back.
screen-not-now-lost = Not now: the connection is lost.
screen-asked-again = You are asked again before you { $actions }.
screen-asked-no-more = You are no longer asked before you { $actions }.
screen-no-spectators = Table { $table } admits no spectators.
screen-no-game = No game is offered here.
screen-no-free-seat = Table { $table } has no seat free now{ $watch ->
    [yes] ; w watches it.
   *[no] .
}
screen-line-full = A line has at most { $most } characters: the rest was left out.
screen-talk-flawed = What you say { $flaw }.
screen-no-table-open = No table is open.
screen-no-command-lobby = There is no such command as { $word } here; sit, watch, open, rules, help and quit are.
screen-no-command = There is no such command as { $word }; ? lists them.
screen-newer-game = { $game } is newer than this client, which cannot write it down. A later one can.
screen-not-whole = Only a game that you saw from its start can be written down.
screen-which-file = Which file? For example /save game.put.
screen-seats-numbered = Seats are numbered 1 to { $count }.
screen-written-down = The game is written down in { $path }.
screen-not-answered = The server has not answered what you asked before.
screen-nothing-kept = Nothing is kept here, so there is nothing to show.
screen-evidence = All that was told of it is kept in { $path }.

## Coming, going, and the connection.
screen-sit-at = You sit at table { $table }.
screen-watch-at = You watch table { $table }.
screen-back-at = You are back at table { $table }.
screen-left = You are no longer at table { $table }: { $says }.
screen-lost = The connection is lost; waiting for the server. q quits.
screen-stopping = The server is stopping; back in about { $time }. q quits.
screen-gone = The connection is back, but table { $table } is gone.
screen-between-clauses = { "; " }
screen-question = { $does }?
screen-quit = Quit?
screen-leave-program = Leave the program?
screen-leave-table = Leave the table?
screen-give-up = Give up the game?
screen-gives-up = That gives up the game.
screen-b-gives-up = { $kept } b gives the game up.
screen-seat-kept = Your seat at table { $table } is kept.
screen-seat-kept-for = Your seat at table { $table } is kept for { $time }.
screen-come-back = To come back, type: { $command }

## The lobby.
screen-lobby-tables = { $count ->
    [1] { $count } table
   *[other] { $count } tables
}
screen-lobby-people = { $count ->
    [1] { $count } person
   *[other] { $count } people
}
screen-lobby-filtered = { $count } of { $tables } with "{ $words }"
screen-lobby-you = you are { $name }
screen-people = People
screen-lobby-none-match = No table has these words. f, then Enter, lists all.
screen-lobby-empty = No table is open. Press o to open one.
screen-lobby-empty-house = No table is open. Play against the house at once:
screen-lobby-open-too = Or press o to open a table for others, too.
screen-more = { $count ->
    [0] more
   *[other] { $count } more
}
screen-and-more = and { $count } more
screen-welcome = Welcome
screen-column-number = no.
screen-column-rules = rules
screen-column-players = players
screen-column-state = state
screen-column-turn = turn
screen-column-watch = watch
screen-seat-open = (empty)
screen-shut = shut
screen-key = key
screen-nothing-counts-here = exhibition: nothing here counts
screen-no-clock = no turn clock
screen-bank = { $seconds } s for being away
screen-gallery-open = gallery open
screen-asks-passcode = asks a passcode
screen-person-at = { $name } at { $tables }

## Windows over the screen.
screen-invite-whom = Whom shall the house send?
screen-open-table = Open a table
screen-rows = { $last } of { $count }
screen-none = (none)
screen-help = Help
screen-deal = The deal
screen-analysis = Against perfect play
screen-log-and-talk = Log and talk
screen-lines = lines { $first } to { $last } of { $count }
screen-no-rules = The server tells no rules of this game.
screen-at-this-table = At this table
screen-may-choose = What a table may choose
screen-prompt-talk = say:
screen-prompt-passcode = passcode:
screen-prompt-filter = only:
screen-too-small = This window is { $width } by { $height }; the table needs { $least-width } by { $least-height }. Enlarge it, or press { $key } to go on in line mode, in the same seat.
screen-yes-or-no = { $question } { $says } y: yes, n: no
screen-needs-more = { $subject } needs { $least-width } by { $least-height }. This window is { $width } by { $height }. { $leaves }.

## Notes over the table.
screen-coach = The coach
screen-assisted = Assisted: this game counts for no streak.
screen-note-first = For your first game
screen-note-put-put = The put
screen-note-put-tie = A tie
screen-note-put-answer = They put
screen-note-put-seen = Seen
screen-note-put-last = When to put
screen-note-put-purse = The purse
screen-note-closes = closes it
screen-note-goes-on = goes on
screen-note-goes-on-or-ends = goes on, /teach off ends the notes
screen-perfect-play = perfect play: { $share }
screen-perfect = perfect: { $share }

## The bell and the title of the window.
screen-ring-put = { $name } has put: see it, or throw in.
screen-ring-move = Your move at table { $table }.
screen-ring-sits = { $name } sits down at table { $table }.
screen-ring-again = { $name } wants another game at table { $table }.
screen-ring-ready = { $name } is ready to go on at table { $table }.
screen-ring-late = Your time is nearly up at table { $table }.
screen-title-invited = { $name } asks you to table { $table }
screen-title-move = your move
screen-title-put = { $name } has put
screen-title-table = table { $table }
screen-house-row = { $number } { $name }: { $meaning }
