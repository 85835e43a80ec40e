### scripts/play, et son aide.

play-about = Joue dans ce terminal : un serveur à lui sur un port libre de cette machine, un joueur de la maison en face, et tout disparaît quand tu quittes. Avec --watch des joueurs de la maison jouent par de vraies connexions, et un spectateur raconte la partie.
play-watch = regarder jouer la maison, en phrases, puis finir
play-drill = t'exercer : des positions, et tes réponses jugées
play-games = avec --watch : combien de parties (par défaut : 1)
play-seed = donner chaque fois les mêmes cartes, pour une démonstration, par le serveur seul
play-game = la règle du jeu (par défaut : put-1674)
play-seats = combien de joueurs (par défaut : le moins que le jeu permet)
play-house = qui joue contre toi
play-name = ton nom à la table (par défaut : celui de ta session)
play-line = des phrases au lieu d'une table dessinée
play-language = la langue (par défaut : celle de LANG, ou l'anglais)
play-ascii = dessiner avec des caractères simples seulement
