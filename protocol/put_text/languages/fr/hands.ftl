### Les premières manches de Put, telles que la page les enseigne : avant chaque choix, et quand on en fait un autre.

hands-you = Toi
hands-trick-title = Une levée
hands-trick-1 = Doll entame d'un roi. La ligne du haut dit ce qui le bat, sans souci des couleurs : un as suffit.
hands-trick-1-4d = Un quatre perd cette levée. Joue l'as.
hands-trick-1-3s = Le trois la prend aussi. Garde-le : rien ne bat un trois, et l'as suffit ici.
hands-trick-1-put = Ce sera pour la manche suivante. Prends d'abord une levée : joue l'as.
hands-trick-2 = Tu as pris la levée, tu entames donc. Deux levées sur trois gagnent la manche : entame de la carte qui ne peut pas perdre.
hands-trick-2-4d = Presque toutes les cartes battent un quatre. Rien ne bat le trois.
hands-trick-2-put = Tu vois à quoi sert un put : tu ne peux plus perdre cette manche. Entame du trois pour l'instant.
hands-trick-ends = Une manche vaut un point, et cinq points gagnent la partie : sauf si on dit put.
hands-see-title = Un put qu'il faut voir
hands-see-1 = Doll dit put. Si tu jettes, Doll a un point. Si tu vois, qui gagne cette manche gagne toute la partie. Rien ne bat ton trois, et seules 3 des 49 cartes que tu ne vois pas battent ton deux.
hands-see-1-throw = Tu donnerais un point avec des cartes qui ne perdent presque jamais. Vois.
hands-see-2 = Maintenant la partie est en jeu. Doll entame d'un as : prends-le avec la plus petite carte qui suffit.
hands-see-2-3h = Le trois la prend aussi, mais le deux suffit. Garde la carte qui ne peut pas perdre.
hands-see-2-Ad = Deux as sont à égalité, et la levée n'est alors à personne. Le deux bat un as.
hands-see-3 = Une levée de plus gagne la partie.
hands-see-3-Ad = Un deux ou un trois battrait l'as. Rien ne bat ton trois.
hands-see-ends = Doll avait de bonnes cartes, et les tiennes étaient meilleures. Vois un put quand peu de cartes battent les tiennes.
hands-throw-title = Un put qu'il ne faut pas voir
hands-throw-1 = Doll dit encore put. Des 49 cartes que tu ne vois pas, 36 battent ta meilleure, le sept. Cela vaut-il toute la partie ?
hands-throw-1-see = Tu perdrais presque toujours la partie. Jeter coûte un point sur cinq.
hands-throw-ends = Cela a coûté un point, et tu n'apprends jamais ce que Doll avait. Dis put toi aussi avec de mauvaises cartes, de temps en temps : là où l'autre te croit, tu gagnes.
