### Règles, une ligne chacune. `$value` est la valeur de l'option dont dépend une ligne ; une forme vide : pas de ligne.

## Le Put, et ce que le Truc en a
rules-sizes = À deux joueurs on a trois cartes, à trois quatre, à quatre cinq. Il y a autant de levées que de cartes.
rules-two-players = Deux joueurs, trois cartes chacun.
rules-cards = Ordre des cartes : { $value ->
    [32] 3 2 A R D V 10 9
    [28] 3 2 A R D V 10
   *[52] 3 2 A R D V 10 9 8 7 6 5 4
}, le trois en tête. Les couleurs ne comptent pas.
rules-eldest-left = Le premier en cartes, à gauche du donneur, parle et joue d'abord.
rules-eldest-other = Le premier en cartes, qui n'a pas donné, parle et joue d'abord.
rules-eldest-leads = Le premier en cartes, qui n'a pas donné, entame la première levée.
rules-trick = L'un entame de n'importe quelle carte, les autres jouent la leur ; la plus haute prend la levée, et qui l'a prise entame la suivante.
rules-tie = Si les plus hautes sont égales, la levée est à égalité, et qui l'avait entamée entame de nouveau.
rules-tied-trick = { $value ->
    [first_winner] Une levée à égalité revient à qui a pris la première levée sans égalité.
   *[nobody] Une levée à égalité n'est à personne.
}
rules-two-of-three = { $value ->
    [first_winner] Deux levées gagnent la manche, avec celles à égalité.
   *[nobody] Deux levées gagnent la manche, ou une seule avec deux égalités.
}
rules-drawn-of-three = { $value ->
    [first_winner] Trois égalités font une manche nulle : personne ne marque.
   *[nobody] Une levée chacun et une égalité, ou trois égalités, font une manche nulle : personne ne marque.
}
rules-most-tricks = Qui prend le plus de levées gagne la manche, et un point.
rules-tie-for-most = À égalité de levées la manche est nulle : personne ne marque, et on donne la suivante.
rules-certain = Une manche finit dès que son issue est certaine. Les cartes qui ne sont pas jouées restent cachées.
rules-deal = Pour la première donne chacun tire une carte ; la { $value ->
    [low] plus basse
   *[high] plus haute
} donne. Ensuite la donne passe à gauche.
rules-final = { $value ->
    [0] Ce que tu as dit ou joué ne se reprend pas.
   *[other] Ce que tu as dit ou joué ne se reprend pas. Les Lois du Put règlent les accidents, dans { $value } % des donnes.
}
rules-no-throwing-in = On ne jette pas ses cartes autrement.
rules-game = { $value ->
    [1] Le premier point gagne la partie, et chaque perdant paie une mise.
   *[other] Le premier à { $value } points gagne la partie, et chaque perdant paie une mise.
}
rules-game-for-two = { $value ->
    [1] Le premier point gagne la partie, et l'autre paie une mise.
   *[other] Le premier à { $value } points gagne la partie, et l'autre paie une mise.
}
rules-game-for-pairs = { $value ->
    [1] Le premier point gagne la partie ; chacun des deux autres paie une mise.
   *[other] La première équipe à { $value } points gagne la partie ; chacun des deux autres paie une mise.
}
rules-drawn-put = { $value ->
    [anew] Si une manche dont le put a été vu est nulle, tous repartent de zéro.
   *[keep] Si une manche dont le put a été vu est nulle, le put ne donne rien : les points restent.
}
rules-bluff = Un put est donc une menace : avec de bonnes cartes il peut gagner la partie, avec de mauvaises il peut faire fuir.

rules-put-ever = Avant chaque carte que tu entames ou joues, tu peux dire « put », si personne ne l'a dit dans cette manche.
rules-put-answers = Chacun des autres, depuis ta gauche, jette alors ses cartes ou voit le put.
rules-put-nobody = Si tous jettent leurs cartes, tu as un point, et la manche est finie.
rules-put-seen = Si quelqu'un voit, toi et ceux qui voient jouez la manche jusqu'au bout.
rules-put-game = Qui la gagne gagne toute la partie, quel que soit le score.
rules-put-pay = Seuls ceux qui ont continué à jouer paient.
rules-put-no-throwing-in = On ne jette pas ses cartes autrement : sans put, toute manche se joue.

rules-stage-1 = D'abord le premier entame, ou dit « put », ou jette ses cartes.
rules-stage-2 = S'il a entamé, l'autre joue sa carte, ou dit « put », ou jette ses cartes.
rules-stage-3 = Si l'autre a joué, la levée est finie, et le premier doit dire « put » ou jeter ses cartes, qui que l'ait prise.
rules-stage-4 = Qui jette ses cartes donne un point à l'autre, et la manche est finie.
rules-stage-5 = Dire put, c'est dire « put » : l'autre jette ses cartes, et tu as un point ; ou il voit.
rules-stage-6 = Après un put vu personne ne dit plus rien ni ne jette ses cartes, et les autres levées se jouent.
rules-stage-7 = Qui gagne cette manche a tous les points qu'il lui faut pour gagner la partie.
rules-stage-8 = On ne joue donc une deuxième levée que si un put a été vu.
rules-after-put = Quand un put est vu, joue celui qui devait jouer.
rules-after-third-chance = Après la troisième occasion, qui a pris la première levée entame.
rules-one-point-left = Quand il ne manque qu'un point à l'autre, jeter ses cartes, c'est perdre la partie.

rules-partners = Quatre joueurs : ceux qui se font face sont partenaires, et gagnent et perdent ensemble. Trois cartes chacun.
rules-partners-give = Dans chaque équipe l'un donne à l'autre sa meilleure carte, cachée aux autres, et jette les deux qui lui restent.
rules-partners-asked = Le premier en cartes, à gauche du donneur, choisit d'abord : donner, ou laisser donner son partenaire. Puis le donneur.
rules-partners-receive = Qui a reçu une carte en jette une de ses quatre. Ces deux joueurs jouent la manche, chacun pour son équipe.
rules-partners-eldest = Celui de l'équipe du premier est maintenant le premier.
rules-receivers-1 = { $value ->
   *[put-1800] { rules-stage-1 }
    [put-1674] Avant chaque carte qu'il entame ou joue, un joueur peut dire « put », si personne ne l'a dit dans cette manche.
}
rules-receivers-2 = { $value ->
   *[put-1800] { rules-stage-2 }
    [put-1674] L'autre jette alors ses cartes, et donne un point ; ou il voit, et cette manche gagne la partie.
}
rules-receivers-3 = { $value ->
   *[put-1800] { rules-stage-3 }
    [put-1674] Sans put la manche se joue pour un point. On ne jette pas ses cartes autrement.
}
rules-receivers-4 = { $value ->
   *[put-1800] { rules-stage-4 }
    [put-1674] {""}
}
rules-receivers-5 = { $value ->
   *[put-1800] { rules-stage-5 }
    [put-1674] {""}
}
rules-receivers-6 = { $value ->
   *[put-1800] { rules-stage-6 }
    [put-1674] {""}
}
rules-receivers-7 = { $value ->
   *[put-1800] { rules-stage-7 }
    [put-1674] {""}
}
rules-receivers-8 = { $value ->
   *[put-1800] { rules-stage-8 }
    [put-1674] {""}
}

rules-parlett-game = Deux levées, ou une et deux égalités, gagnent non seulement la manche mais toute la partie.
rules-parlett-drawn = Une levée chacun et une égalité, ou trois égalités, font une manche nulle : personne ne marque.
rules-parlett-lead = Qui va entamer une levée peut d'abord dire « put », ou jeter ses cartes. Qui suit doit jouer une carte.
rules-parlett-put = Dire put, c'est dire « put » : l'autre jette ses cartes, et tu as un point ; ou il voit, et tu dois alors entamer.
rules-parlett-asks = Un put ne relance rien ici : il invite seulement l'autre à céder avant de perdre la partie. On peut le refaire.
rules-parlett-points = { $value ->
    [1] On ne marque donc que si l'autre jette ses cartes, et le premier point gagne aussi la partie.
   *[other] On ne marque donc que si l'autre jette ses cartes, et le premier à { $value } points ainsi gagne aussi la partie.
}
rules-parlett-pay = { $value ->
   *[single] Qui perd une partie paie une mise.
    [double] Qui perd une partie paie une mise, ou deux si elle a été gagnée d'emblée.
}

rules-tavern-opening = Avant la première carte, chacun à son tour, du premier au donneur, dit « put » ou rien.
rules-tavern-later = Plus tard personne ne peut plus le dire.
rules-tavern-answers = Après un put, les autres, depuis la gauche de qui l'a dit, jettent leurs cartes ou voient.
rules-tavern-nobody = Si tous jettent leurs cartes, qui l'a dit a un point, et la manche est finie.
rules-tavern-seen = Si quelqu'un voit, qui l'a dit et ceux qui voient jouent la manche jusqu'au bout.
rules-tavern-pay = Seuls paient ceux qui ont continué à jouer.
rules-tavern-no-put = Si personne ne le dit, la manche se joue pour un point. On ne jette pas ses cartes autrement.

rules-truc-pack = Deux joueurs, trois cartes chacun, d'un jeu de { $value ->
   *[french] 32
    [printed] 28
}.
rules-truc-cards = { $value ->
   *[french] Ordre des cartes : 7 8 A R D V 10 9, le sept en tête. Les couleurs ne comptent pas.
    [printed] Ordre des cartes : 6 7 A R D V 10, le six en tête. Les couleurs ne comptent pas.
}
rules-truc-worth = Une manche vaut d'abord un point.
rules-truc-double = Avant une carte que tu entames ou joues, tu peux truquer, une fois par tour : proposer que la manche vaille le double.
rules-truc-answer = L'autre tient, et vous jouez pour le double ; ou il jette ses cartes, et tu marques ce que la manche valait avant.
rules-truc-again = Chacun peut truquer encore quand c'est à lui de jouer, tant que la manche ne vaut pas ce qui manque aux deux.
rules-truc-drawn = Une manche nulle ne rapporte rien, quoi qu'elle ait valu ; la suivante vaut de nouveau un point.
rules-truc-game = Qui arrive le premier à douze points gagne une partie et sa mise ; au-delà de douze rien ne compte.
rules-truc-rubber = { $value ->
    [1] Une seule partie fait le robre.
   *[2] Qui gagne le premier deux parties gagne le robre.
}

## La Triomphe Forcée
rules-triomphe-players = De quatre à dix joueurs. À chaque manche chacun met { $value } au pot, et reçoit cinq cartes.
rules-triomphe-trumps = Les triomphes vont de la XXI, la plus forte, à la I. Le Fou n'est pas une triomphe, et n'est d'aucune couleur.
rules-triomphe-long = Épées et bâtons : R D C V 10 9 8 7 6 5 4 3 2 1 ; C est le cavalier.
rules-triomphe-round = Coupes et deniers : R D C V 1 2 3 4 5 6 7 8 9 10 ; de ces points le 1 est le plus fort.
rules-triomphe-la-mort = Qui a la Mort, la triomphe XIII, la montre et prend tout le pot ; la manche est finie.
rules-triomphe-paid = Si personne ne l'a, trois cartes sont payées, à tour de rôle depuis la droite du donneur ; nul n'a à le demander.
rules-triomphe-force = Le Fou et le Basteleur, la triomphe I, rapportent chacun une mise du pot ; la Force, la triomphe { $value ->
   *[11] XI
    [9] IX
}, deux.
rules-triomphe-emptied = Si le pot en est vidé, la manche est finie.
rules-triomphe-tricks = Sinon, on joue cinq levées. Le joueur à droite du donneur entame la première. On joue vers la droite.
rules-triomphe-follow = Il faut fournir de la couleur si l'on peut, même quand on a entamé de triomphe.
rules-triomphe-trump = Sinon il faut jouer une triomphe ; qui n'a pas de triomphe non plus joue ce qu'il veut.
rules-triomphe-takes = La plus forte triomphe prend la levée ; sans triomphe, la plus forte carte de la couleur demandée.
rules-triomphe-leads = Qui a pris une levée entame la suivante.
rules-triomphe-fool = Le Fou se joue à tout moment, quelle que soit l'entame. Il ne prend jamais de levée.
rules-triomphe-fool-led = Si l'on entame du Fou, la carte suivante fixe la couleur.
rules-triomphe-pool = Qui prend le plus de levées gagne ce qui reste du pot.
rules-triomphe-two-each = Si deux joueurs prennent deux levées chacun, gagne celui qui a eu sa deuxième d'abord.
rules-triomphe-one-each = Si cinq joueurs prennent une levée chacun, gagne celui qui a pris la première.
rules-triomphe-deal = Pour la première donne on retourne des cartes : qui a la première triomphe donne. Ensuite la donne passe à droite.
rules-triomphe-sitting = { $value ->
    [1] La séance finit après une manche.
   *[other] La séance finit après { $value } manches. Personne ne la gagne en tout : les bourses disent le reste.
}

## Primero
rules-primero-pack = 40 cartes : un jeu sans les 8, les 9 et les 10. Chacun met 1 au pot et reçoit deux cartes.
rules-primero-first = À tour de rôle, dès la droite du donneur, on parie, ou on échange une carte ou les deux.
rules-primero-trading = Après le premier pari plus d'échange. Si chacun échange, le même donneur redonne.
rules-primero-answers = Après un pari chacun à son tour le tient (paie autant), le relance (tient et parie plus) ou le refuse.
rules-primero-limit = Aucun pari ni aucune relance ne dépasse { $value }.
rules-primero-taken = Si quelqu'un tient un pari ou le relance, tous ceux qui l'ont refusé sortent de la manche.
rules-primero-untaken = Si personne ne le tient, il revient à qui l'a fait, qui ne relance plus dans ce tour. Le précédent vaut.
rules-primero-must = Seul le premier pari d'une manche doit être tenu : si tous le refusent, le dernier tient ou relance.
rules-primero-second = Puis chaque joueur encore en jeu reçoit deux cartes de plus, et en a quatre.
rules-primero-numerus = Les jeux, du plus bas au plus haut : Numerus, deux ou trois cartes d'une couleur, qui comptent.
rules-primero-primero = Primero : une de chaque couleur, toutes comptent. Supremus : as, 6 et 7 d'une couleur, 55 points.
rules-primero-fluxus = Fluxus : quatre cartes d'une couleur. Chorus : quatre cartes d'un rang. Les quatre comptent.
rules-primero-points = Un 7 vaut 21, un 6 18, un as 16, un 5 15, un 4 14, un 3 13, un 2 12, un roi, une dame, un valet 10.
rules-primero-better = Le meilleur jeu gagne ; à jeu pareil, plus de points ; à égalité, le plus près à droite du donneur.
rules-primero-vada = Qui a un Primero ou un Fluxus peut dire « vada » : chacun montre, et le meilleur jeu prend le pot.
rules-primero-betting = Sinon vient un second tour de paris. La première fois qu'on y parle, on annonce quel jeu on a.
rules-primero-bluff = L'annonce peut dépasser le jeu, et c'est un bluff, mais non être au-dessous. On ne la vérifie jamais.
rules-primero-chorus = Une exception : un Chorus peut répéter un Primero, un Supremus ou un Fluxus déjà annoncé.
rules-primero-free = Après l'annonce on parie ou on passe, ou on répond à un pari. Dans ce tour nul ne doit en tenir un.
rules-primero-last = Enfin chacun échange une carte ou deux, ou garde tout. Puis on montre, et le meilleur prend le pot.
rules-primero-deal = La donne passe à droite. Pour la première on retourne des cartes, et le premier as donne.
rules-primero-sitting = { $value ->
    [1] Une séance est d'une manche.
   *[other] Une séance est de { $value } manches. Personne ne la gagne : les bourses disent le reste.
}
