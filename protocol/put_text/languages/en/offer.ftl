### What a server offers: rule sets, their options, house players. A client finds them by their English words.

offer-put-1674-title = Put in the seventeenth century
offer-put-1674-summary = Most tricks win the hand and a point; the first to the target wins the game. Before any card you lead or play you may say "I put": the others throw in and give you the point, or see, and then this hand decides the game.
offer-put-1800-title = Put in the nineteenth century
offer-put-1800-summary = Three chances to put or to throw in: eldest's before leading, the dealer's before playing to the lead, and eldest's again when the first trick is over. The other throws in and gives a point, or sees, and then the hand is played out for the game.
offer-put-partners-title = Four-handed Put, in partnerships
offer-put-partners-summary = Partners sit opposite. One of each side gives the other their best card and throws the rest away; the receiver discards one of four and plays a hand of two-handed Put for both.
offer-put-parlett-title = Put with concessions and the outright win
offer-put-parlett-summary = Two tricks, or one with two tied, win the game outright. Whoever is about to lead may put, inviting the other to throw in for a point, or may throw in; the first to the target by such points wins too.
offer-put-tavern-title = Put at the tavern
offer-put-tavern-summary = You may put only before the first trick, in turn from eldest. The others throw in, or see and play the hand for the game. Most tricks win the hand and a point.
offer-truc-title = Truc, the French cousin
offer-truc-summary = Before a card you lead or play you may offer to double what the hand is worth: the other takes it, or throws in for what it was worth before. Twelve points win a game, and games the rubber.
offer-triomphe-forcee-summary = A gambling game with the tarot pack. Everyone stakes, and gets five cards. Who holds La Mort takes all the stakes at once; three other cards are paid for; who takes the most of five tricks wins what is left.
offer-primero-summary = Bet on two cards, then on four; announce a hand that you may not have; trade, show, and the best hand takes the pot. A bet that everyone refuses goes back to its maker.
offer-put-tavern-source = the tavern sheet
offer-triomphe-forcee-source = Dummett 1980, from the Maison académique 1659
offer-primero-source = Dafydd ap Gwystl in The Oak 5, after Parlett 1990

## Options
offer-cut = who deals first: whoever draws the highest card, or the lowest
offer-drawn_put = after a drawn hand with an accepted put: keep the scores, or begin anew from nothing
offer-misdeals = accidents in the dealing, in a hundred deals: the Laws of Put settle them
offer-outright = what a game won outright earns: a single stake, or a double
offer-pack = cards in the pack: 52, 32 without 4 to 8, or 28 without 4 to 9
offer-ranking = french: 7 8 A K Q J 10 9; or as printed: 6 7 A K Q J 10, with a pack of 28
offer-rubber = games that win the rubber
offer-target = points that win the game
offer-tied_trick = a tied trick is nobody's, or goes to who took the first trick that was not tied
offer-two_handed = which two-handed game the receivers play
offer-force = which trump is La Force: 11, or 9 as in Vievil's pack
offer-hands = hands in a sitting
offer-stake = what each player stakes on a hand
offer-limit = the highest bet, or raise
offer-abandoned = a player who goes away forfeits, or the house plays on
offer-arranged = exhibition: top cards of every pack, as 3s 2h 2c
offer-dealing = blind: all who keep a key shuffle; plain: the server deals

## House players
offer-house-beginner = plays what its own cards are worth, and never bluffs
offer-house-steady = counts its chances honestly, and bluffs now and then
offer-house-sharp = has practised on millions of hands, and mixes its moves
offer-house-perfect = plays a solved game perfectly, any other as sharp does
offer-house-student = learns how you play a solved game and plays against that; as perfect does until it knows, and when you say "forget me"; any other game as sharp does
