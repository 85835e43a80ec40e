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

## In the lobby
plain-others-come = Table { $table } is open. Others come with "sit { $table }"; "invite" asks a house player.
plain-left = You have left table { $table }.
plain-leave-first = You are at table { $table }. Say "leave" first.

## Languages
plain-languages = Languages here: { $languages }. For example: "language fr".
plain-language-now = From now on you hear English.

## Who you are
plain-greeting = { $greeting }, in plain English. Say who you are: "name Moll", if you are Moll.
plain-say-who = You have { $minutes } minutes for it. Say "help" for help.
plain-login-name = name NAME: come in under this name, of 1 to 24 characters.
plain-login-bot = bot NAME: the same, for a program; everyone is told that it is one. So is name NAME as a bot.
plain-login-password = password TEXT: say it before your name, where the server asks for one; or say it behind your name.
plain-login-back = back WORDS: come back to your seat, with the { $words } words you were given.
plain-login-numbers = numbers on|off: hear every event with its number, or without.
plain-login-language = language NAME: hear everything in another language: en, or fr for French.
plain-login-quit = quit: close the connection.
plain-password = This server asks for a password: say it behind your name, or "password" and the password first.
plain-say-back = Say "back" and the { $words } words that you were given, and nothing else.
plain-noted = Noted. Now say who you are.
plain-you-are-already = You are { $name } already.
plain-say-otherwise = Say it otherwise: "name ...", or "back ...".
plain-to-come-back = To come back, { plain-way-back }
plain-if-it-drops = If your connection drops, { plain-way-back }
plain-way-back = connect again and say "back { $token }". Anyone who says that is you.
plain-misfit = The { $field } cannot be that: { $reason }.
plain-unchecked = Nothing is checked on a typed connection: the server that deals would be its own witness.
plain-unchecked-client = If you play with put-client, you take part in the shuffling, and every deal is checked.
