### Rules, a line each. `$value` is the value of the option that a line depends on; an empty form is no line.

## Put, and what Truc has of it
rules-sizes = Two players hold three cards each, three hold four, four hold five. There are as many tricks as cards.
rules-two-players = Two players, three cards each.
rules-cards = Cards rank { $value ->
    [32] 3 2 A K Q J 10 9
    [28] 3 2 A K Q J 10
   *[52] 3 2 A K Q J 10 9 8 7 6 5 4
}, the three being the best. Suits do not matter.
rules-eldest-left = Eldest, at the dealer's left, is first to speak and to play.
rules-eldest-other = Eldest, who did not deal, is first to speak and to play.
rules-eldest-leads = Eldest, who did not deal, leads to the first trick.
rules-trick = One leads any card, the others play any card to it; the highest takes the trick, and its winner leads the next.
rules-tie = If the highest are equal, the trick is tied, and whoever led it leads again.
rules-tied-trick = { $value ->
    [first_winner] A tied trick belongs to the player who took the first trick that was not tied.
   *[nobody] A tied trick is nobody's.
}
rules-two-of-three = { $value ->
    [first_winner] Two tricks win the hand, with those that were tied.
   *[nobody] Two tricks win the hand, or one with two tied.
}
rules-drawn-of-three = { $value ->
    [first_winner] Nothing but ties is a drawn hand: nobody scores.
   *[nobody] One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.
}
rules-most-tricks = Who takes the most tricks wins the hand, and a point.
rules-tie-for-most = A tie for the most is a drawn hand: nobody scores, and the next is dealt.
rules-certain = A hand ends as soon as it is certain what becomes of it. Cards that were not played stay unseen.
rules-deal = For the first deal everybody draws a card; the { $value ->
    [low] worst
   *[high] best
} deals. Then the deal passes to the left.
rules-final = { $value ->
    [0] What you have said or played cannot be taken back.
   *[other] What you have said or played cannot be taken back. The Laws of Put settle accidents, { $value } in 100 deals.
}
rules-no-throwing-in = There is no other throwing in.
rules-game = { $value ->
    [1] The first point wins the game, and each who lost it pays a stake.
   *[other] The first to { $value } points wins the game, and each who lost it pays a stake.
}
rules-game-for-two = { $value ->
    [1] The first point wins the game, and the other pays a stake.
   *[other] The first to { $value } points wins the game, and the other pays a stake.
}
rules-game-for-pairs = { $value ->
    [1] The first point wins the game; each of the other pair pays a stake.
   *[other] The first pair to { $value } points wins the game; each of the other pair pays a stake.
}
rules-drawn-put = { $value ->
    [anew] If a hand with a put that was seen is drawn, everybody begins anew without a point.
   *[keep] If a hand with a put that was seen is drawn, nothing comes of the put: the scores stay as they are.
}
rules-bluff = So a put is a threat. Made on good cards it may win the game at once; on bad ones it may frighten them away.

rules-put-ever = Before any card that you lead or play you may say "I put", if nobody has yet in this hand.
rules-put-answers = Each of the others then throws in their cards or sees the put, in turn from your left.
rules-put-nobody = If all throw in, you have a point, and the hand is over.
rules-put-seen = If anybody sees, you and those who see play the hand out.
rules-put-game = Its winner wins the whole game, whatever the score.
rules-put-pay = Only those who played on pay the winner.
rules-put-no-throwing-in = There is no other throwing in: without a put every hand is played.

rules-stage-1 = First eldest leads a card, or puts, or throws in.
rules-stage-2 = If eldest led, the other plays a card to it, or puts, or throws in.
rules-stage-3 = If the other played, the first trick is over, and eldest must put or throw in, whoever took it.
rules-stage-4 = Who throws in gives the other a point, and the hand is over.
rules-stage-5 = To put is to say "I put". The other then throws in, and you have a point; or sees the put.
rules-stage-6 = After a put that was seen nobody puts or throws in any more, and the other tricks are played.
rules-stage-7 = Whoever wins that hand has as many points as they need to win the game.
rules-stage-8 = So no second trick is ever played unless somebody put and was seen.
rules-after-put = When a put was seen, who was to lead or to play does.
rules-after-third-chance = After the third chance the winner of the first trick leads.
rules-one-point-left = When the other needs one point only, to throw in is to lose the game.

rules-partners = Four players: those who sit opposite are partners, and win and lose together. Three cards each.
rules-partners-give = In each pair one gives the other their best card, unseen by the other pair, and throws the other two away.
rules-partners-asked = Eldest, at the dealer's left, is asked first: to give, or to let the partner give. Then the dealer is asked.
rules-partners-receive = Who was given a card throws one of four away. These two play the hand, each for their pair.
rules-partners-eldest = Of these two, the one of eldest's pair is eldest now.
rules-receivers-1 = { $value ->
   *[put-1800] { rules-stage-1 }
    [put-1674] Before any card that they lead or play a player may say "I put", if nobody has yet in this hand.
}
rules-receivers-2 = { $value ->
   *[put-1800] { rules-stage-2 }
    [put-1674] The other then throws in, and gives a point; or sees the put, and this hand wins the game.
}
rules-receivers-3 = { $value ->
   *[put-1800] { rules-stage-3 }
    [put-1674] Without a put the hand is played out for a point. There is no other throwing in.
}
rules-receivers-4 = { $value ->
   *[put-1800] { rules-stage-4 }
    [put-1674] {""}
}
rules-receivers-5 = { $value ->
   *[put-1800] { rules-stage-5 }
    [put-1674] {""}
}
rules-receivers-6 = { $value ->
   *[put-1800] { rules-stage-6 }
    [put-1674] {""}
}
rules-receivers-7 = { $value ->
   *[put-1800] { rules-stage-7 }
    [put-1674] {""}
}
rules-receivers-8 = { $value ->
   *[put-1800] { rules-stage-8 }
    [put-1674] {""}
}

rules-parlett-game = Two tricks, or one with two tied, win not only the hand but the whole game.
rules-parlett-drawn = One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.
rules-parlett-lead = Whoever is about to lead to a trick may first put, or throw in. Whoever follows must play a card.
rules-parlett-put = To put is to say "I put": the other throws in, and you have a point; or sees it, and then you must lead.
rules-parlett-asks = A put raises nothing here: it only asks the other to give up before they lose the game. It may be made again.
rules-parlett-points = { $value ->
    [1] So points come from throwing in alone, and the first point wins the game too.
   *[other] So points come from throwing in alone, and the first to { $value } points by it wins the game too.
}
rules-parlett-pay = { $value ->
   *[single] The loser of a game pays a stake.
    [double] The loser of a game pays a stake, or two if it was won outright.
}

rules-tavern-opening = Before the first card, each in turn from eldest round to the dealer puts or says nothing.
rules-tavern-later = Later nobody may put.
rules-tavern-answers = When one has put, the others throw in their cards or see the put, in turn from the putter's left.
rules-tavern-nobody = If all throw in, the putter has a point, and the hand is over.
rules-tavern-seen = If anybody sees, the putter and those who see play the hand out.
rules-tavern-pay = Only those who played on pay.
rules-tavern-no-put = If nobody puts, the hand is played out for a point. There is no other throwing in.

rules-truc-pack = Two players, three cards each, from a pack of { $value ->
   *[french] 32
    [printed] 28
}.
rules-truc-cards = { $value ->
   *[french] Cards rank 7 8 A K Q J 10 9, the seven being the best. Suits do not matter.
    [printed] Cards rank 6 7 A K Q J 10, the six being the best. Suits do not matter.
}
rules-truc-worth = A hand is worth one point to begin with.
rules-truc-double = Before a card that you lead or play you may offer to double what the hand is worth, once in a turn.
rules-truc-answer = The other takes it, and you play on for twice as much; or throws in, and you have what it was worth before.
rules-truc-again = Either of you may double again when they are to play, until the hand is worth all that both of you need.
rules-truc-drawn = A drawn hand scores nothing, whatever it was worth; the next is worth one again.
rules-truc-game = The first to twelve points wins a game and its stake; points beyond twelve count for nothing.
rules-truc-rubber = { $value ->
    [1] One game is the whole rubber.
   *[2] The first to win two games wins the rubber.
}

## Triomphe Forcée
rules-triomphe-players = Four to ten players. In each hand everyone stakes { $value } for the pool, and is dealt five cards.
rules-triomphe-trumps = Trumps rank from XXI, the highest, to I. The Fool is no trump, and belongs to no suit.
rules-triomphe-long = Swords and batons rank K Q C J 10 9 8 7 6 5 4 3 2 1; C is the cavalier.
rules-triomphe-round = Cups and coins rank K Q C J 1 2 3 4 5 6 7 8 9 10: of these pips the 1 is the best.
rules-triomphe-la-mort = Who holds La Mort, trump XIII, shows it and takes the whole pool; the hand is over.
rules-triomphe-paid = If nobody does, three cards are paid for, in turn from the dealer's right; nobody has to ask for it.
rules-triomphe-force = The Fool and Le Basteleur, trump I, bring one stake each from the pool; La Force, { $value ->
   *[11] trump XI
    [9] trump IX
}, two.
rules-triomphe-emptied = If that empties the pool, the hand is over.
rules-triomphe-tricks = If not, five tricks are played. The player at the dealer's right leads first. The turn passes to the right.
rules-triomphe-follow = You must follow suit if you can, also when a trump was led.
rules-triomphe-trump = If you cannot, you must play a trump; if you have no trump either, play anything.
rules-triomphe-takes = The highest trump takes the trick; without a trump, the highest card of the suit led does.
rules-triomphe-leads = Who took a trick leads the next.
rules-triomphe-fool = The Fool may be played at any time, whatever was led. It never takes a trick.
rules-triomphe-fool-led = If the Fool is led, the next card sets the suit.
rules-triomphe-pool = Who takes the most tricks wins what is left of the pool.
rules-triomphe-two-each = If two take two tricks each, whoever took their second one first wins it.
rules-triomphe-one-each = If five players take a trick each, whoever took the first one wins it.
rules-triomphe-deal = For the first deal cards are turned up: who gets the first trump deals. Then the deal passes to the right.
rules-triomphe-sitting = { $value ->
    [1] The sitting ends after one hand.
   *[other] The sitting ends after { $value } hands. Nobody wins it as a whole: the purses tell.
}

## Primero
rules-primero-pack = 40 cards: a pack without the 8s, 9s and 10s. Each player pays 1 into the pot and is dealt two cards.
rules-primero-first = In turn, from the dealer's right, each player bets, or trades one or both cards for new ones.
rules-primero-trading = After the first bet nobody may trade. If everyone trades, the same dealer deals again.
rules-primero-answers = After a bet the others are asked in turn: see it (pay as much), raise it (see it and bet more), or refuse it.
rules-primero-limit = No bet may be higher than { $value }, and no raise.
rules-primero-taken = If anybody takes a bet, by seeing or raising it, all who refused it are out of the hand.
rules-primero-untaken = If nobody takes it, it goes back to its maker, who may raise no more in this round. The one before it stands.
rules-primero-must = Only the very first bet of a hand must be taken: if all others refused it, the last player asked sees or raises.
rules-primero-second = Then each player still in is dealt two more cards, and has four.
rules-primero-numerus = The hands, from the lowest: Numerus, two or three cards of one suit, worth those cards.
rules-primero-primero = Primero: a card of each suit, worth all four. Supremus: ace, 6 and 7 of one suit, worth 55.
rules-primero-fluxus = Fluxus: four cards of one suit, worth all four. Chorus: four cards of one rank, worth all four.
rules-primero-points = A 7 is worth 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12, a king, queen or knave 10.
rules-primero-better = A better category wins; in the same category more points win; equal hands: the nearest to the dealer's right.
rules-primero-vada = Who holds a Primero or a Fluxus may now call "vada": everyone shows at once, and the best hand takes the pot.
rules-primero-betting = Otherwise there is a second betting. On their first turn in it players announce the category of their hand.
rules-primero-bluff = It may be higher than the hand, which is a bluff, but not lower. Nobody ever checks it.
rules-primero-chorus = One exception: with a Chorus you may repeat a Primero, Supremus or Fluxus that somebody has announced.
rules-primero-free = After announcing you bet or pass, or answer a bet. No bet has to be taken in this round.
rules-primero-last = Last, each player may trade one or two cards, or stand. Then everyone still in shows, and the best takes the pot.
rules-primero-deal = The deal passes to the right. For the first deal cards are turned up, and the first ace deals.
rules-primero-sitting = { $value ->
    [1] A sitting is one hand.
   *[other] A sitting is { $value } hands. Nobody wins it: what the purses gained and lost tells.
}
