### Plain English by the line: answers to what is typed, at a table and in the lobby.

## What was typed cannot be done
plain-not-your-move = It is not your move.
plain-number-or-amount = { $number } could be a number in the list or an amount: say "#{ $number }" for "{ $choice }", or "{ $amount }" for the amount.
plain-number-or-card = { $number } could be a number in the list or a card: say "#{ $number }" for "{ $choice }", or "play { $number }" for the card.
plain-which-one = Which one: { $choices }?
plain-you-can-play = You can play { $choices }.
plain-you-can = You can { $choices }.
plain-did-you-mean = Did you mean "{ $word }"?
plain-no-choice = "{ $words }" is no choice of yours.
plain-how-long = How long? For example "30m", "2h" or "7d": minutes, hours or days.
plain-longest-pause = A pause is { $days } days at most.
plain-no-such-card = You can play no { words-rank } now.
plain-cannot-play = You cannot play { $card } now.

## Choices
plain-choices = { $first } { $count ->
    [2] and
   *[other] to
} { $last } { $choices }
plain-amounts = { $first } to { $last }
plain-sets = { $verb } { $sizes } { $most ->
    [1] card
   *[other] cards
}
plain-articles = the | trump
