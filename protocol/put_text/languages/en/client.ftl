### put-client outside of the table: at its start, in line mode, in practice by the line, and when a connection fails.

## The start.
client-looking = looking for servers on this network ...
client-cannot-search = the network cannot be searched: { $error }.
client-no-server = No server announces itself on this network. To start one for others: put-server. To play by yourself, from the folder of the sources: scripts/play.
client-server-at = { $name } at { $address }
client-there-is = On this network there is { $servers }.
client-what-else = To play by yourself, from the folder of the sources: scripts/play. To start a server: put-server.
client-servers = Servers on this network:
client-not-safe = NOT safe:
client-servers-played-at = Servers you have played at, and this machine:
client-which-server = A number, or an address, or { $again } to look again [1]:
client-not-listed = There is no server { $number } in the list.
client-not-encrypted = not encrypted
client-false-key = another key than it says
client-other-key = another key than you know
client-known-key = you know its key
client-new = new to you
client-some-tables = ? tables
client-some-people = ? people
client-your-name = Your name:
client-your-name-or = Your name [{ $offer }]:
client-name-flawed = This name { $flaw }.
client-name-not-taken = { $source }: name must be one that a server takes, and { $name } { $flaw }
client-try-name = Try --name { $name }.
client-try-another = Try --name with another.
client-exported = { $count ->
    [1] { $count } game
   *[other] { $count } games
} written to { $path }.
client-way-back = { $place }, and there: back { $token }

## Line mode.
client-note = Note: { $note }{ $first ->
    [yes] {" "}Say "teach off" for no more notes.
   *[no] {""}
}
client-notes-off = You get no more notes; teach again gives them anew.
client-notes-again = You get every note once more.
client-notes-how = Say "teach off" for no more notes, or "teach again" for all of them anew.
client-no-notes = Notes are turned off in the settings (teach).
client-no-language = The language is chosen when the program starts: put-client --language fr.
client-which-file = Which file? For example: save evening.txt.
client-not-written = It cannot be written: { $error }.
client-written = { $count ->
    [1] { $count } sentence
   *[other] { $count } sentences
} written to { $path }.
client-back = The connection is back.
client-back-without-you = The connection is back, but table { $table } has gone on without you.
client-lost = The connection is lost: { $why }. Waiting for the server to come back; type "quit" to stop waiting.
client-lost-for = The connection is lost: { $why }. It should be back in about { $time }; type "quit" to stop waiting.
client-no-such-deal = No deal { $number } was made here while you were.

## Practice by the line.
client-drill-begins = Practice at { $game }: your answers are judged against perfect play.
client-drill-words = Say your move, or "why", "skip", "score", "help" or "quit".
client-drill-can = You can: { $choices }.
client-drill-own = This is a mistake of yours, as it stood.
client-drill-next = Press Enter for the next position, or say "why".
client-drill-judged = This one is judged: press Enter for the next, or say "why", "score" or "quit".
client-drill-nothing = You have answered nothing yet.
client-drill-score = So far: { $count ->
    [1] one answer
   *[other] { $count } answers
}, { $right } of them right, { $each } of a game lost on the average.
client-drill-help-move = A move: as it is offered, or a card (3s, or the 3 of spades), put, see, throw in, or #1 for the first choice.
client-drill-help-legal = legal: hear every move you may make.
client-drill-help-table = table: hear the position again.
client-drill-help-why = why: before your answer, why you may do this and no more; after it, what every choice is worth.
client-drill-help-skip = skip: have another position; this one does not count.
client-drill-help-score = score: hear how you do.
client-drill-help-quit = quit: end.

## A connection that fails.
client-no-put-server = No put server at { $address }: { $reason }.
client-key-changed = WARNING: { $server } is not the server that it was, or another machine is between you and it. Its key should be { $expected } and is { $found }. You are not connected. If its operator tells you that the new key is right, accept it with: put-client '{ $server }#{ $found }'
client-not-verified = WARNING: { $server } had a valid certificate before, and now it has none ({ $reason }): another machine may be between you and it. You are not connected. If its operator tells you that this is right, accept its key with: put-client '{ $server }#{ $found }'
client-not-verified-later = WARNING: { $server } had a valid certificate before, and now it has none ({ $reason }): another machine may be between you and it. You are not connected. If its operator tells you that this is right, try again later
client-no-longer-encrypted = WARNING: the connection to { $server } should be encrypted and is not: it is not the server that it was, or another machine is between you and it. You are not connected. To connect all the same, so that others on the way can read everything: put-client --plain '{ $server }'
client-cannot-encrypt = The connection to { $server } cannot be encrypted: the server does not speak TLS. You are not connected. To connect all the same, so that others on the way can read everything: put-client --plain '{ $server }'
client-server-silent = it accepts connections and says nothing
client-server-closed = it closed the connection without a word
client-unreachable = { $why ->
    [unknown] no host of that name is known
    [silent] it does not answer
    [tls] it does not speak TLS as we do
   *[nobody] no server listens there
}
client-lost-silent = nothing was heard from the server for too long
client-lost-broke = the connection to { $server } broke ({ $why ->
    [none] no reason given
   *[other] { $why }
})
client-lost-dropped = the connection to { $server } dropped
client-lost-newer = the server knows more than this client, and is asked for whole views
client-lost-then = { $why }, and then { $then }
client-failed = this client failed ({ $error })
client-closed-by-you = you closed it
client-unencrypted = NOT encrypted: others on the way can read your cards and take your seat.
client-new-server = New server, key { $key }: compare with the operator's.{ $kept ->
    [no] {" "}It could not be remembered.
   *[yes] {""}
}
client-unanswered-closed = the connection was closed before the answer came
client-unanswered-why = { $is_up ->
    [yes] it answers nothing
   *[no] the connection dropped and is not back yet
}
client-unanswered-late = no answer came in { $seconds } seconds
client-rejected = The server does not let you in: { $why }.
client-unanswered = It is not known whether your { $request } was carried out: { $reason }.
client-over = The connection is over: { $why }.
client-bad-server = The other side does not speak as a put server does: { $why }.
client-unfair-game = Table { $table } is not played fairly. { $says }

client-own-page = Open { $page } in a browser on this machine, to play at { $server }.
client-shown-otherwise = The table was shown otherwise than the events tell it.
client-weighable = Say "analyse" to hear what your decisions cost.
client-no-solutions = the program that has the solutions does not run here
client-key-elsewhere = The key of your cards is not here: another program of yours has it, or it is lost. You can neither see nor play them.
client-keys-not-kept = Your session can no longer be stored here. If this program ends, your hand is lost.
client-part-withheld = Your part of the deal is not given: it cannot be noted here, so a later program might give another.
client-what-key = one character that is neither a digit nor a space, or one of f1 to f12

## scripts/play
client-own-table = Your own table
client-onlooker = Onlooker
