### Ce qu'un serveur offre : les jeux, leurs options, les joueurs de la maison. Le client les retrouve par l'anglais.

offer-put-1674-title = Le Put au dix-septième siècle
offer-put-1674-summary = Le plus de levées gagne la manche et un point ; qui atteint le but le premier gagne la partie. Avant chaque carte que tu entames ou joues, tu peux dire « put » : les autres jettent leurs cartes et te donnent le point, ou voient, et cette manche décide alors de la partie.
offer-put-1800-title = Le Put au dix-neuvième siècle
offer-put-1800-summary = Trois occasions de dire « put » ou de jeter ses cartes : celle du premier avant d'entamer, celle du donneur avant de répondre, et de nouveau celle du premier après la première levée. L'autre jette ses cartes et donne un point, ou voit, et la manche se joue alors pour la partie.
offer-put-partners-title = Le Put à quatre, par équipes
offer-put-partners-summary = Les partenaires se font face. Dans chaque équipe, l'un donne à l'autre sa meilleure carte et jette le reste ; qui la reçoit écarte une carte sur quatre et joue pour les deux une manche de Put à deux.
offer-put-parlett-title = Le Put aux concessions, avec gain d'emblée
offer-put-parlett-summary = Deux levées, ou une et deux égalités, gagnent d'emblée la partie. Qui va entamer peut dire « put », et inviter l'autre à jeter ses cartes pour un point, ou jeter les siennes ; qui atteint ainsi le but le premier gagne aussi.
offer-put-tavern-title = Le Put à la taverne
offer-put-tavern-summary = On ne peut dire « put » qu'avant la première levée, à tour de rôle depuis le premier. Les autres jettent leurs cartes, ou voient et jouent la manche pour la partie. Le plus de levées gagne la manche et un point.
offer-truc-title = Le Truc
offer-truc-summary = Avant chaque carte que tu entames ou joues, tu peux truquer, c'est-à-dire proposer de doubler ce que vaut la manche : l'autre tient, ou jette ses cartes pour ce qu'elle valait avant. Douze points font une partie, et les parties font le robre.
offer-triomphe-forcee-summary = Un jeu de hasard avec le jeu de tarot. Chacun mise et reçoit cinq cartes. Qui a la Mort prend aussitôt toutes les mises ; trois autres cartes sont payées ; qui fait le plus des cinq levées gagne ce qui reste.
offer-primero-summary = Mise sur deux cartes, puis sur quatre ; annonce une main que tu n'as peut-être pas ; échange, montre, et la meilleure main prend le pot. Une mise que tous refusent revient à qui l'a faite.
offer-put-tavern-source = la feuille de la taverne
offer-triomphe-forcee-source = Dummett 1980, tiré de la Maison académique de 1659
offer-primero-source = Dafydd ap Gwystl dans The Oak 5, suivant Parlett 1990

## Options
offer-cut = qui donne d'abord : qui tire la plus haute carte (high), ou la plus basse (low)
offer-drawn_put = après une manche nulle dont le put fut vu : garder les points (keep), ou repartir de zéro (anew)
offer-misdeals = accidents de la donne sur cent ; les Lois du Put les règlent
offer-outright = ce que rapporte une partie gagnée d'emblée : une mise (single), ou deux (double)
offer-pack = cartes du paquet : 52, 32 sans les 4 à 8, ou 28 sans les 4 à 9
offer-ranking = french : 7 8 A R D V 10 9 ; ou comme imprimé (printed) : 6 7 A R D V 10, avec un paquet de 28
offer-rubber = parties qui gagnent le robre
offer-target = points qui gagnent la partie
offer-tied_trick = une levée à égalité n'est à personne (nobody), ou va à qui fit la première levée sans égalité (first_winner)
offer-two_handed = à quel jeu à deux jouent ceux qui reçoivent
offer-force = quelle triomphe est la Force : 11, ou 9 comme dans le jeu de Vievil
offer-hands = manches d'une séance
offer-stake = ce que chaque joueur mise sur une manche
offer-limit = la plus haute mise ou relance
offer-abandoned = qui s'en va perd la partie (forfeit), ou la maison prend sa place (house)
offer-arranged = exhibition : les cartes du dessus de chaque paquet, comme 3s 2h 2c
offer-dealing = blind : tous ceux qui ont une clé battent les cartes ; plain : le serveur donne

## Joueurs de la maison
offer-house-beginner = joue ce que valent ses cartes, et ne bluffe jamais
offer-house-steady = compte honnêtement ses chances, et bluffe de temps en temps
offer-house-sharp = s'est exercé sur des millions de manches, et varie ses coups
offer-house-perfect = joue parfaitement un jeu résolu, tout autre comme sharp
offer-house-student = apprend ton jeu à un jeu résolu et joue contre lui ; comme perfect tant qu'il l'ignore, et si tu dis « forget me » ; tout autre jeu comme sharp
