"""The rules in prose, for a player who has nothing but a screen: `GameOffer.rules` of each rule set.

They tell what holds under the options' defaults; the options say for themselves what they change. Long papers on each
game, with their sources and examples, are in the documentation.
"""

_CARDS = "Cards rank 3 2 A K Q J 10 9 8 7 6 5 4, the three being the best. Suits do not matter."
_TRICK = (
    "One leads any card, the others play any card to it; the highest takes the trick, and its winner leads the next.",
    "If the highest are equal, the trick is tied: it is nobody's, and whoever led it leads again.",
)
_CERTAIN = "A hand ends as soon as it is certain what becomes of it. Cards that were not played stay unseen."
_DEAL_HIGH = "For the first deal everybody draws a card; the best deals. Then the deal passes to the left."
_DEAL_LOW = "For the first deal everybody draws a card; the worst deals. Then the deal passes to the left."
_GAME = "The first to five points wins the game, and each who lost it pays a stake."
_FINAL = "What you have said or played cannot be taken back."

_TWO_OF_THREE = (
    "Two tricks win the hand, or one with two tied.",
    "One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.",
)
_MOST_TRICKS = (
    "Who takes the most tricks wins the hand, and a point.",
    "A tie for the most is a drawn hand: nobody scores, and the next is dealt.",
)
_SIZES = "Two players hold three cards each, three hold four, four hold five. There are as many tricks as cards."
_ELDEST = "Eldest, at the dealer's left, is first to speak and to play."
_DRAWN_PUT = "If that hand is drawn, nothing comes of the put: the scores stay as they are, and the next is dealt."
_BLUFF = "So a put is a threat. Made on good cards it may win the game at once; on bad ones it may frighten them away."

PUT_1674 = (
    _SIZES,
    _CARDS,
    _ELDEST,
    *_TRICK,
    *_MOST_TRICKS,
    'Before any card that you lead or play you may say "I put", if nobody has yet in this hand.',
    "Each of the others then throws in his cards or sees the put, in turn from your left.",
    "If all throw in, you have a point, and the hand is over.",
    "If anybody sees, you and those who see play the hand out, and its winner wins the whole game, whatever the score.",
    "Only those who played on pay him.",
    _DRAWN_PUT,
    _BLUFF,
    "There is no other throwing in: without a put every hand is played.",
    _CERTAIN,
    _DEAL_HIGH,
    _GAME,
    _FINAL,
)

_STAGES = (
    "First eldest leads a card, or puts, or throws in.",
    "If he led, the other plays a card to it, or puts, or throws in.",
    "If he played, the first trick is over, and eldest must put or throw in, whoever took it.",
    "Who throws in gives the other a point, and the hand is over.",
    'To put is to say "I put". The other then throws in, and you have a point; or he sees the put.',
    "After a put that was seen nobody puts or throws in any more, and the other tricks are played.",
    "Whoever wins that hand has as many points as he needs to win the game.",
    "So no second trick is ever played unless somebody put and was seen.",
)

PUT_1800 = (
    "Two players, three cards each.",
    _CARDS,
    "Eldest, who did not deal, is first to speak and to play.",
    *_STAGES,
    *_TRICK,
    *_TWO_OF_THREE,
    "When a put was seen, who was to lead or to play does; after the third chance the winner of the first trick leads.",
    _DRAWN_PUT,
    _BLUFF,
    "When the other needs one point only, to throw in is to lose the game.",
    _DEAL_LOW,
    "The first to five points wins the game, and the other pays a stake.",
    _FINAL,
)

PUT_PARTNERS = (
    "Four players: those who sit opposite are partners, and win and lose together. Three cards each.",
    _CARDS,
    "In each pair one gives his partner his best card, unseen by the others, and throws his other two away.",
    "Eldest, at the dealer's left, is asked first whether he gives or lets his partner give; then the dealer is.",
    "Who was given a card throws one of his four away. These two play the hand, each for his pair.",
    "The one of eldest's pair is eldest now.",
    *_STAGES,
    *_TRICK,
    *_TWO_OF_THREE,
    _DRAWN_PUT,
    "Where the option two handed says put-1674: whoever is to play a card may put first, and throws in only to a put.",
    "There a hand without a put is played out for a point, and one with a put that was seen wins the game.",
    _DEAL_LOW,
    "The first pair to five points wins the game; each of the other pair pays a stake.",
    _FINAL,
)

PUT_PARLETT = (
    "Two players, three cards each.",
    _CARDS,
    "Eldest, who did not deal, leads to the first trick.",
    *_TRICK,
    "Two tricks, or one with two tied, win not only the hand but the whole game.",
    "One trick each and a tie, or nothing but ties, is a drawn hand: nobody scores.",
    "Whoever is about to lead to a trick may first put, or throw in. Whoever follows must play a card.",
    "Who throws in gives the other a point, and the hand is over.",
    'To put is to say "I put": the other throws in, and you have a point; or he sees it, and then you must lead.',
    "A put raises nothing here: it only asks the other to give up before he loses the game. It may be made again.",
    "So points come from throwing in alone, and the first to five by them wins the game too.",
    _CERTAIN,
    _DEAL_HIGH,
    "The loser of a game pays a stake.",
    _FINAL,
)

PUT_TAVERN = (
    _SIZES,
    _CARDS,
    _ELDEST,
    "Before the first card, each in turn from eldest round to the dealer puts or says nothing. Later nobody may put.",
    "When one has put, the others throw in their cards or see the put, in turn from his left.",
    "If all throw in, he has a point, and the hand is over.",
    "If anybody sees, he and those who see play the hand out, and its winner wins the whole game, whatever the score.",
    "Only those who played on pay.",
    "If nobody puts, the hand is played out for a point. There is no other throwing in.",
    *_TRICK,
    *_MOST_TRICKS,
    _DRAWN_PUT,
    _BLUFF,
    _CERTAIN,
    _DEAL_HIGH,
    _GAME,
    _FINAL,
)

TRUC = (
    "Two players, three cards each, from a pack of 32.",
    "Cards rank 7 8 A K Q J 10 9, the seven being the best. Suits do not matter.",
    "Eldest, who did not deal, leads to the first trick.",
    *_TRICK,
    *_TWO_OF_THREE,
    "A hand is worth one point to begin with.",
    "Before a card that you lead or play you may offer to double what the hand is worth, once in a turn.",
    "The other takes it, and you play on for twice as much; or he throws in, and you have what it was worth before.",
    "Either of you may double again when he is to play, until the hand is worth all that both of you need.",
    "There is no other throwing in. A drawn hand scores nothing, whatever it was worth; the next is worth one again.",
    _CERTAIN,
    _DEAL_LOW,
    "The first to twelve points wins a game and its stake; points beyond twelve count for nothing.",
    "The first to win two games wins the rubber.",
    _FINAL,
)
