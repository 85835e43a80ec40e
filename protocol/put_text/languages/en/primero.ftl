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
