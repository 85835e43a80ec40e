### Notes pour débuter, chacune donnée une fois.

lesson-opponent = l'adversaire
lesson-put-eldest = C'est à toi de jouer en premier.
lesson-put-aim = Le plus de levées gagne la manche.
lesson-put-aim-points = Le plus de levées gagne la manche et un point, et { $target } points gagnent la partie.
lesson-put-any-card = Joue la carte que tu veux : la plus forte prend la levée, sans souci des couleurs.
lesson-put-best = Les meilleures sont, dans l'ordre : { $ranks }.
lesson-put-last = Il ne manque qu'un point à { $name } : gagner cette manche, c'est gagner la partie, put ou pas. Dire put ne te coûte donc rien. Si on jette, c'est un point ; si on voit, la partie peut être à toi.
lesson-put-put = Tu peux dire put : { $meaning }. Avec de bonnes cartes, espère qu'on voie ; avec de mauvaises, qu'on te croie.
lesson-put-answer = Derrière un put il y a de bonnes cartes, ou rien. { $see }. Ou bien { $throw }.
lesson-put-see-any = Jeter, c'est perdre la partie : vois donc avec n'importe quelles cartes.
lesson-put-see-if = Si tu jettes, on est à { $yours } contre { $theirs } : vois si tes cartes gagnent la manche plus souvent que tu ne gagnerais la partie de là.
lesson-put-tie = Les meilleures cartes sont à égalité : personne ne prend cette levée. { $leader ->
    [you] Tu entames
   *[other] { $leader-name } entame
} la suivante. Une seule levée peut maintenant gagner la manche.
lesson-put-seen = Le put est vu : cette manche décide maintenant de toute la partie, sauf si elle est nulle.
lesson-put-purse = Ta bourse à cette table change de { $gain } : elle compte les mises gagnées moins les mises perdues, et ce n'est pas de l'argent.
lesson-triomphe-play = Ici tu n'es pas libre de jouer ce que tu veux. { $why }
lesson-primero-bet = Chacun à son tour tient un pari, le relance ou le refuse. Qui refuse sort de la manche si un autre le tient. Ta bourse peut descendre sous zéro.
lesson-primero-announce = Ce que tu annonces n'est pas vérifié à la fin : ce peut être plus que tes cartes. { $why }
