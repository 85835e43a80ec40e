### The drawn table of Primero.

betting-grave = refuse a bet or call vada
betting-last-showdown = The last showdown
betting-task-open = to bet or trade
betting-task-answer = to see, raise or refuse
betting-task-vada = to call vada or go on
betting-task-announce = what to announce
betting-task-bet = to bet or pass
betting-task-trade = to trade or stand
betting-bet = bet { $amount }
betting-raise = raise { $amount }
betting-trade = trade { $signs }
betting-laid-down = laid down { $signs }
betting-pot = pot
betting-level = bet
betting-by = by { $name }
betting-due = { $amount } to see it
betting-vada = vada: { $name }
betting-stock = stock { $count }
betting-dealt-again = dealt again { $count }x
betting-refused = refused
betting-in = in { $amount }
betting-says = says { $category }
betting-traded = traded { $count }

## Keys and marks, for the help.
betting-key-bet = choose how much to bet or raise by; Enter does it
betting-key-see = see the bet, refuse it; pass
betting-key-trade = choose cards to trade; Enter does it
betting-key-stand = keep your cards; call the showdown; go on without it
betting-key-announce = announce that category
betting-mark-gain = +3, -2
betting-mark-gain-means = what a player has won or lost since the sitting began, what they put in the pot among it
betting-mark-in = in 8
betting-mark-in-means = what a player has put in the pot in this round of betting
betting-mark-bet = BET
betting-mark-bet-means = whose bet is to be answered
betting-mark-refused = refused, out
betting-mark-refused-means = out if anybody takes the bet; out of the hand
betting-mark-barred = barred
betting-mark-barred-means = had a bet withdrawn, and may raise no more in this round
betting-mark-says = says Fluxus
betting-mark-says-means = the category that a player announced; it is never checked
betting-mark-traded = traded 2
betting-mark-traded-means = cards that a player has traded in this hand
