### Primero.

primero-gets = { $seat ->
    [you] you get
   *[other] { $seat-name } gets
} { $cards }
    .brief = { primero-gets }
primero-draws = { $seat ->
    [you] you draw
   *[other] { $seat-name } draws
} { $cards }
    .brief = { primero-draws }

## What is typed, and what is said where it cannot be done now
primero-typed-bet = bet
primero-typed-raise = raise | raise it | see and raise | see it and raise
primero-typed-see = see | see it | see the bet | take | take it | take the bet | call
primero-typed-refuse = refuse | refuse it | refuse the bet | fold
primero-typed-pass = pass | check | make no bet
primero-typed-trade = trade | lay down | exchange | swap
primero-typed-stand = stand | keep | keep all | keep my cards
primero-typed-vada = vada | call vada
primero-typed-go-on = go on | no | no vada
primero-typed-announce = announce | say
primero-cannot-see = There is no bet for you to see now.
primero-cannot-refuse = There is no bet for you to refuse now, or it is one that you must take.
primero-cannot-raise = You cannot raise now.
primero-cannot-bet = You cannot bet now.
primero-cannot-vada = You cannot call vada: only a Primero or a Fluxus may, and only when you are asked.
primero-cannot-pass = You cannot pass now.
primero-cannot-trade = You cannot trade now.
primero-cannot-stand = You cannot stand now.
primero-cannot-go-on = You cannot go on now.
primero-cannot-announce = You cannot announce now.

## Its rules, a line each; `$value` is the value of the option that a line depends on.
primero-rules-pack = 40 cards: a pack without the 8s, 9s and 10s. Each player pays 1 into the pot and is dealt two cards.
primero-rules-first = In turn, from the dealer's right, each player bets, or trades one or both cards for new ones.
primero-rules-trading = After the first bet nobody may trade. If everyone trades, the same dealer deals again.
primero-rules-answers = After a bet the others are asked in turn: see it (pay as much), raise it (see it and bet more), or refuse it.
primero-rules-limit = No bet may be higher than { $value }, and no raise.
primero-rules-taken = If anybody takes a bet, by seeing or raising it, all who refused it are out of the hand.
primero-rules-untaken = If nobody takes it, it goes back to its maker, who may raise no more in this round. The one before it stands.
primero-rules-must = Only the very first bet of a hand must be taken: if all others refused it, the last player asked sees or raises.
primero-rules-second = Then each player still in is dealt two more cards, and has four.
primero-rules-numerus = The hands, from the lowest: Numerus, two or three cards of one suit, worth those cards.
primero-rules-primero = Primero: a card of each suit, worth all four. Supremus: ace, 6 and 7 of one suit, worth 55.
primero-rules-fluxus = Fluxus: four cards of one suit, worth all four. Chorus: four cards of one rank, worth all four.
primero-rules-points = A 7 is worth 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12, a king, queen or knave 10.
primero-rules-better = A better category wins; in the same category more points win; equal hands: the nearest to the dealer's right.
primero-rules-vada = Who holds a Primero or a Fluxus may now call "vada": everyone shows at once, and the best hand takes the pot.
primero-rules-betting = Otherwise there is a second betting. On their first turn in it players announce the category of their hand.
primero-rules-bluff = It may be higher than the hand, which is a bluff, but not lower. Nobody ever checks it.
primero-rules-chorus = One exception: with a Chorus you may repeat a Primero, Supremus or Fluxus that somebody has announced.
primero-rules-free = After announcing you bet or pass, or answer a bet. No bet has to be taken in this round.
primero-rules-last = Last, each player may trade one or two cards, or stand. Then everyone still in shows, and the best takes the pot.
primero-rules-deal = The deal passes to the right. For the first deal cards are turned up, and the first ace deals.
primero-rules-sitting = { $value ->
    [1] A sitting is one hand.
   *[other] A sitting is { $value } hands. Nobody wins it: what the purses gained and lost tells.
}
