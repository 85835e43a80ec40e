### Notes for beginners, each given once.

lesson-opponent = your opponent
lesson-put-eldest = You are eldest: you play first.
lesson-put-aim = The most tricks win the hand.
lesson-put-aim-points = The most tricks win the hand and a point, and { $target } points the game.
lesson-put-any-card = Play any card: the highest takes the trick, of any suit.
lesson-put-best = { $ranks } are the best, in that order.
lesson-put-last = { $name } needs one more point: if they win this hand they win the game, put or no put. So a put costs you nothing. Thrown in, it is a point; seen, it may win you the game.
lesson-put-put = You may put: { $meaning }. With good cards, hope to be seen; with bad ones, to be believed.
lesson-put-answer = A put may be good cards, or nothing. { $see }. Or { $throw }.
lesson-put-see-any = Thrown in, the game is lost: so see with any hand.
lesson-put-see-if = Thrown in, it is { $yours } to { $theirs }: see if your cards win the hand more often than you would the game from there.
lesson-put-tie = The best cards are tied, so no player takes this trick. { $leader ->
    [you] You lead
   *[other] { $leader-name } leads
} the next. One trick may now win the hand.
lesson-put-seen = The put is seen: this hand now decides the whole game at any score, unless it is drawn.
lesson-put-purse = Your purse at this table changes by { $gain }: it counts stakes won less stakes lost, and is no money.
lesson-triomphe-play = Here you are not free in what you play. { $why }
lesson-primero-bet = Each of the others in turn sees a bet, raises it or refuses it. A player who refuses is out of the hand if another takes the bet. Your purse may go below nothing.
lesson-primero-announce = What you announce is not checked in the end: it may be more than you hold. { $why }
