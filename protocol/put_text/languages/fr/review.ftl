### La page de ce qu'ont coûté les décisions d'une partie.

review-awaited = Tes décisions sont à l'étude. Un instant.
review-more = D'autres sont à l'étude.
review-assumed = Les chances sont celles de gagner la partie si les deux joueurs jouaient parfaitement ensuite. On te juge d'après ce que tu savais : les cartes que tu n'as pas vues sont pesées d'après la façon dont on les aurait jouées.
review-place = manche
review-cards = cartes
review-did = ton coup
review-before = avant
review-after = après
review-cost = coût
review-held = tu avais
review-perfect = Jeu parfait : { $best }.
review-moment = { $moment ->
    [last_say] fin
    [reply] suite
    [lead] entame
    [answer] réponse
   *[other] { $moment }
}
review-quality = { $quality ->
    [slip] écart
    [mistake] erreur
    [blunder] bourde
   *[other] { $quality }
}
review-do-put = put
review-do-see = voir
review-do-throw = jeter
review-do-pass = passer
review-do-double = truquer
