### La table dessinée de Primero.

betting-grave = refuser un pari ou dire vada
betting-last-showdown = Derniers jeux montrés
betting-task-open = de parier ou d'échanger
betting-task-answer = de tenir, relancer ou refuser
betting-task-vada = de dire vada ou de continuer
betting-task-announce = d'annoncer un jeu
betting-task-bet = de parier ou de passer
betting-task-trade = d'échanger ou de garder
betting-bet = parie { $amount }
betting-raise = relance { $amount }
betting-trade = échange { $signs }
betting-laid-down = posé { $signs }
betting-pot = pot
betting-level = pari
betting-by = de { $name }
betting-due = { $amount } pour tenir
betting-vada = vada : { $name }
betting-stock = talon { $count }
betting-dealt-again = redonné { $count }x
betting-refused = refusé
betting-in = mis { $amount }
betting-says = dit { $category }
betting-traded = échange { $count }

## Touches et signes, pour l'aide.
betting-key-bet = choisir un pari ou une relance ; Entrée le fait
betting-key-see = tenir le pari, le refuser ; passer
betting-key-trade = choisir des cartes à échanger ; Entrée le fait
betting-key-stand = garder tes cartes ; demander à montrer ; continuer sans
betting-key-announce = annoncer ce jeu
betting-mark-gain = +3, -2
betting-mark-gain-means = ce qu'un joueur a gagné ou perdu depuis le début de la séance, avec ce qu'il a mis au pot
betting-mark-in = mis 8
betting-mark-in-means = ce qu'un joueur a mis au pot dans ce tour de paris
betting-mark-bet = PARI
betting-mark-bet-means = de qui est le pari à tenir
betting-mark-refused = refusé, hors jeu
betting-mark-refused-means = sorti si un autre tient ; sorti de la manche
betting-mark-barred = barré
betting-mark-barred-means = a repris un pari, et ne relance plus dans ce tour
betting-mark-says = dit Fluxus
betting-mark-says-means = le jeu qu'un joueur a annoncé ; on ne le vérifie jamais
betting-mark-traded = échange 2
betting-mark-traded-means = cartes qu'un joueur a échangées dans cette manche
