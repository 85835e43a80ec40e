### The page of what a game's decisions cost.

review-awaited = Your decisions are being weighed. It takes a moment.
review-more = More is being weighed.
review-assumed = Chances are those of winning the game if you and your opponent played perfectly from there on. You are judged by what you knew: their cards, where you did not see them, are weighed by how they would have played them.
review-place = hand, trick
review-cards = cards
review-did = you did
review-before = before
review-after = after
review-cost = cost
review-held = you held
review-perfect = Perfect play: { $best }.
review-moment = { $moment ->
    [last_say] last
    [reply] play
   *[other] { $moment }
}
review-quality = { $quality }
review-do-put = put
review-do-see = see
review-do-throw = throw in
review-do-pass = pass
review-do-double = double
