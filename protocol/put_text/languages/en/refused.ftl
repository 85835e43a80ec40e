### Reasons of the server: to refuse a request, to say goodbye, to end a table. A client finds them by their English words.

refused-flaw = { $flaw ->
    [empty] is empty
    [spaced] begins or ends with a space
    [long] is longer than { $most } characters
    [marks] has more than { $most } marks on one letter
    [mixed] mixes letters that may be taken for each other, { $scripts }; use one alphabet
    [reserved] is kept for the server, or looks like one that is
   *[unprintable] has a character that cannot be shown
}
refused-name = the name { refused-flaw }
refused-talk = what you say { refused-flaw }
refused-name-here = another person here has this name already
refused-name-looks = this name looks like that of { $name }, who is here already
refused-name-kept = this name { $likeness ->
    [same] is
   *[alike] looks like one that is
} reserved for the person who used it last, until { $days } days after their last visit: they come back with their token, or words
refused-person = no one here has that name
refused-yourself = that is you
refused-not-invited = { $name } takes no invitations from you
refused-invited-often = { $name } was invited often enough for now; wait a moment
refused-house = no such house player; there are { $kinds }
refused-no-house = no house player sits { $seat ->
    [0] here
   *[other] in seat { $seat }
}

## Tables
refused-table = there is no table { $table }
refused-tables = you may be at { $most } tables at once
refused-kept-out = the person who opened this table keeps you out
refused-opener = only the person who opened the table may send a guest away
refused-host = only a player here, or the person who opened the table, may do that
refused-yourself-away = that is you: leave the table instead
refused-person-here = no one at this table has that name
refused-guest-in-play = a game is in play: a guest can be sent away when it is over
refused-passcode-needed = this table asks for its passcode
refused-passcode = this is not the table's passcode
refused-passcodes = too many wrong passcodes: try again in { $seconds } seconds
refused-passcodes-tried = Wrong passcodes were tried at your table { $table }. It ignores the player who tried them for a while, longer each time. If it was a friend, invite them by name.
refused-no-seats = this table has { $count } seats
refused-no-seat = no seat is free
refused-seat = seat { $number } is taken
refused-not-seated = you do not sit at this table
refused-not-there = you are not at this table
refused-admits = { $name } cannot sit here: the table is for { $admits ->
    [bots] bots only: say so in hello, with is_bot
   *[people] people only
}
refused-no-spectators = this table admits no spectators
refused-gallery-full = the gallery is full
refused-seated = you sit at this table already
refused-there = you are at this table already
refused-person-seated = { $name } sits at this table already

## Games
refused-game = no such rule set
refused-games = no such rule set; there are { $games }
refused-option = { $game } has no such option; it has { $options }
refused-value = { $option } must be { $kind ->
    [text] a text of at most { $most } characters
    [number] a whole number from { $least } to { $most }
   *[one] one of { $values }
}
refused-option-flaw = { $option }: { $flaw ->
    [twice] a card is named twice
    [foreign] { $named } is no card of this pack
   *[unknown] there is no such option
}
refused-seats = { $game } is played with so many seats: { $numbers }
refused-push = this server sends no push messages there
refused-deals = only an exhibition deals named sequences of packs
refused-seats-in-play = a game is in play; seats can be taken when it is over
refused-stand-in-play = a game is in play: resign, or leave, first
refused-in-play = a game is in play
refused-analysis-in-play = a game is in play; its decisions are weighed when it is over
refused-record-in-play = a game is in play; it is sent when it is over
refused-illegal = that is not among the legal actions of this decision
refused-illegal-position = that is not among the legal actions of this position
refused-paused = the game is paused
refused-paused-already = the game is paused already
refused-not-paused = the game is not paused
refused-pause-asked = you have asked for a pause already, and the shortest asked for counts
refused-ready = you are ready already
refused-late = decision { $decision } is over
refused-early = decision { $decision } was not asked yet
refused-turn = it is another player's turn
refused-no-decision = no decision waits for you
refused-again = you have asked for another game already
refused-other-game = you agreed to another game than the next, which is number { $game }
refused-no-game = no game is in play
refused-given-up = you have given this game up
refused-finished-for-you = another player finished that game in your place
refused-never-played = you have played no game to its end at this table
refused-changed-nothing = this request changed nothing; ask again if you still want to
refused-coach-people = the coach advises only in games against house players alone
refused-coach-blind = the cards are dealt blind: you alone can see yours. Open a table with dealing=plain for a coach
refused-analysis-blind = the cards were dealt blind, so the server does not know what players held. The terminal client weighs such a game on your machine, if it saw all of it
refused-unsolved = perfect play is not known for { $game }{ $why ->
    [options] {" "}with these options, only with the usual ones
    [seats] {" "}with { $seats } players, only with two
    [games] ; it is known, for two players, for { $games }
   *[none] {""}
}
refused-entry-server = this server holds the key of your seat
refused-entry-no-deal = no deal is in play
refused-entry = this entry cannot be taken: { $flaw }
refused-entry-needed = you hold the key of your seat: send the entry
refused-not-blind = this table is not dealt blind
refused-analysis-full = too many analyses are waiting; ask again in a minute
refused-analysis-many = your earlier requests are not done yet; ask again when they are
refused-analysis-lost = the analysis failed; ask again
refused-position = the position could not be worked out
refused-record-unwritten = the game could not be written down
refused-record-long = the game is too long to be sent

## Why a table is dealt from a pack that the server shuffles
refused-plain = { $why ->
    [asked] the table asks for it
    [arranged] the pack is arranged
    [house] the house may take over a seat
    [package] this server lacks the package coincurve
    [accidents] an accident in the dealing shows cards
    [full] too many games against the house are dealt blind now
   *[keys] nobody here keeps the key of their cards
}

## What ends a table or a seat
refused-left = { $why ->
    [place] the table was cleared away, for its place was needed
    [empty] the table was cleared away, for nobody sits at it
    [client] your client did not do its part of a deal
    [sent] the person who opened this table sent you away
    [away] you were away for too long
   *[gone] you are no longer at this table
}

## Hello and goodbye
refused-version = this server speaks protocol version { $first } and { $second }
refused-password = this server asks for a password
refused-token = this token is unknown or has ended
refused-token-lost = this token is unknown: the server has lost a part of what it kept, and you with it
refused-draining = the server is stopping
refused-draining-table = the server is stopping; nothing begins at table { $table }
refused-full = the server is full: it { $of ->
    [people] holds no more people
    [tables] holds no more tables
   *[connections] takes no more connections
}
refused-crowded = { $most } { $of ->
    [people] people are here
   *[tables] tables were opened
} from your { $where ->
    [address] address
   *[network] network
}, the most that may be
refused-newcomers = too many people came from your address: try again in { $seconds } seconds
refused-gave-way = the server is full, and your place went to a person from a network with fewer people here
refused-late-hello = a later hello of yours came before this one
refused-taken-over = you came back by another connection
refused-bye = goodbye
refused-too-fast = you sent requests too fast, and did not wait when told to
refused-wait = too many requests: wait { $seconds } seconds
refused-no-hello = no hello came
refused-no-answer = this part of the server does not answer at the moment; try again
refused-part-stopped = a part of the server has stopped; come back in a moment, your seats are kept
refused-part-silent = a part of the server does not answer; try again in a moment
refused-gateway-stops = this gateway of the server stops; come back, and another one has your seats
refused-bug = the server could not handle what you asked; come back, your seats are kept
refused-disk = the server cannot write to its disk, and stops
refused-hands-over = the server hands over to its successor; seats are kept
refused-sent-away = you were sent away by the operator{ $because ->
    [none] {""}
   *[other] : { $because }
}
refused-time = { $unit ->
    [days] { words-days }
    [hours] { words-hours }
   *[minutes] { words-minutes }
}
refused-stops = the server is stopping{ $kept ->
    [no] { $unit ->
        [none] {""}
       *[other] , and back in about { refused-time }
    }
   *[yes] ; tables and seats are kept until it is back{ $unit ->
        [none] {""}
       *[other] , in about { refused-time }
    }
}
refused-will-stop = The server is stopping{ $seconds ->
    [0] { $unit ->
        [none] {""}
       *[other] , and is expected back in about { refused-time }
    }
   *[other] : games in play may go on for { $seconds } seconds{ $unit ->
        [none] {""}
       *[other] ; it is expected back about { refused-time } later
    }
}.
refused-loss = The server has lost a part of what it had told you, and goes on from an earlier moment. Your tables are shown anew.
