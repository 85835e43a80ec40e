### put-verify: what a file proves of a game.

verify-about = Check a game as its viewer was told it: its deals, and by the rules all that happened in it. The file is in Put notation, or evidence that a client kept or the page saved.
verify-statuses = The exit status is 0 if every deal is proved, { $unfair } if something does not hold, and { $unproved } if nothing is wrong and not every deal is proved.
verify-file = the game, in Put notation or as lines of JSON
verify-seen = Table { $table }, { $seat ->
    [nobody] from the gallery
   *[other] as { $seat-name } (you) saw it
}.
verify-plain = Game { $game } was dealt by the server alone: { $why }.
verify-partial = It begins in the middle of a game: what was told before is not in this file.
verify-cut = This file is not whole: what should follow its line { $line } is missing, and nothing can be said of what comes after it.
verify-fault = NOT FAIR: { $fault }
verify-unfair = This was not dealt or played fairly, or this is not what was told of it.
verify-by-rules = It follows the rules. { $plain ->
    [yes] The server dealt it alone (dealing=plain), so nothing proves its deals.
   *[no] The steps that prove its deals are not in this file.
}
verify-nothing = Nothing was dealt here, so nothing can be said of it.
verify-proved = Every deal is proved, as far as its viewer saw it.
verify-some-proved = Nothing is wrong with what is here; { $proved } of { $dealt } deals are proved.
