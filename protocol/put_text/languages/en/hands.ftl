### The first hands of Put, as the page teaches them: before each choice, and when another is made.

hands-you = You
hands-trick-title = A trick
hands-trick-1 = Doll leads a king. The line at the top says what beats it, whatever the suit: an ace does.
hands-trick-1-4d = A four loses this trick. Play the ace.
hands-trick-1-3s = The three takes it, too. Keep it: nothing beats a three, and the ace is enough here.
hands-trick-1-put = That comes in the next hand. First take a trick: play the ace.
hands-trick-2 = You took the trick, so you lead. Two tricks of three win the hand: lead the card that cannot lose.
hands-trick-2-4d = Nearly every card beats a four. Nothing beats the three.
hands-trick-2-put = You see what a put is for: you cannot lose this hand any more. Lead the three for now.
hands-trick-ends = A hand is a point, and five points win the game: unless somebody puts.
hands-see-title = A put that you should see
hands-see-1 = Doll puts. Throw in, and Doll has a point. See it, and whoever wins this hand wins the whole game. Nothing beats your three, and only 3 of the 49 cards that you cannot see beat your two.
hands-see-1-throw = You would give a point away, with cards that hardly ever lose. See it.
hands-see-2 = Now it is for the game. Doll leads an ace: take it with as little as will do.
hands-see-2-3h = The three takes it, too, but the two is enough. Keep the card that cannot lose.
hands-see-2-Ad = Two aces are equal, and a tied trick is nobody's. The two beats an ace.
hands-see-3 = One more trick wins the game.
hands-see-3-Ad = A two or a three would beat the ace. Nothing beats your three.
hands-see-ends = Doll had good cards, and yours were better. See a put when few cards beat yours.
hands-throw-title = A put that you should not see
hands-throw-1 = Doll puts again. Of the 49 cards that you cannot see, 36 beat your best, the seven. Is that worth the whole game?
hands-throw-1-see = You would nearly always lose the game. To throw in costs one point of five.
hands-throw-ends = It cost one point, and you never learn what Doll held. Put with bad cards yourself, now and then: where the other believes you, you win.
