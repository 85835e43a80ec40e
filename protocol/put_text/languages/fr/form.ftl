### Le formulaire qui ouvre une table : ses lignes, et ce qu'elles veulent dire.

form-game = règles
form-game-means = à quoi on joue
form-rule-set = { $title }, d'après { $source }. { $summary }
form-seats = places
form-seats-means = combien de joueurs
form-turn = par coup
form-turn-means = secondes pour chaque décision ; 0 : autant que le serveur le permet
form-bank = absence
form-bank-means = secondes d'absence permises à chacun pendant une partie, en tout
form-passcode = mot de passe
form-passcode-means = demandé à qui s'assied ou regarde ; vide pour une table publique
form-gallery = galerie
form-gallery-means = open : on peut regarder ; shut : on ne peut pas
form-admits = joueurs
form-admits-means = qui peut s'asseoir : all, tous ; people, humains seulement ; bots, robots seulement ; la maison vient là où on l'invite
form-more = plus
form-more-means = options de ces règles, temps d'absence, et qui peut regarder et jouer : Droite les montre
form-as-usual = comme d'habitude
form-from-to = { $meaning }, { $least } à { $most }
form-beyond = { $field } : de { $least } à { $most }.
