### Ce qu'un serveur a dit et qui ne tient pas : dit là où le jeu s'arrête, et par put-verify.

## Pas selon les règles
fault-shown-anew = La table a été montrée à nouveau, et ce qui s'est passé avant n'a pas été dit.
fault-game-number = C'est ici la partie { $known }, et elle est dite partie { $told }.
fault-other-players = Une partie de { $names } est annoncée, et ils ne sont pas tous assis ici.
fault-seated = { $name } a été assis au milieu d'une partie.
fault-begun-early = Une nouvelle partie commence, et la précédente n'est pas finie selon les règles.
fault-dealer = Selon les règles { $dealers }, et non : { $told }
fault-draw = on tire à qui donne
fault-deals = { $seat ->
    [you] c'est à toi de donner
   *[other] c'est à { $seat-name } de donner
}
fault-not-done = Tu n'as pas fait cela : { $told }
fault-not-given-up = Tu n'as pas abandonné la partie, et il est dit : { $told }
fault-unsigned = Personne n'a signé ce qui est dit : { $told }
fault-too-soon = { $told } C'était au moins { $seconds } secondes trop tôt.
fault-not-now = Selon les règles cela ne peut pas arriver maintenant : { $told }
fault-differs = Ce n'est pas dit comme le veulent les règles ({ $what }) : { $expected }
fault-otherwise = Il est dit : { $told } Selon les règles c'est : { $expected }
fault-missing = Selon les règles ceci suit aussitôt, et n'a pas été dit : { $missing }
fault-mover = Le coup est dit être à { $told } ; selon les règles il est à { $seat ->
    [nobody] personne
   *[other] { $seat-name }
}.
fault-view = La table est montrée autrement que le veulent les règles : { $what }.
fault-not-this-game = pas ce jeu
fault-what-happened = ce qui s'est passé
fault-not-your-turn = On t'a demandé de jouer, et selon les règles ce n'est pas à toi.
fault-offered = On t'a proposé ce que les règles ne permettent pas : { $choice }.
fault-not-offered = On ne t'a pas proposé ce que les règles permettent : { $choice }.

## Pas comme était la table
fault-changed = { $what ->
    [option] L'option { $option }
    [seats] Le nombre de places
    [turn] Le temps pour décider
    [bank] Le temps d'absence
   *[game] Le jeu
} était { $before } à ton arrivée, et est dit { $after }.
fault-time = { $seat ->
    [you] Tu as
   *[other] { $seat-name } a
} { $told } s { $what ->
    [turn] pour décider, et le temps de décision
   *[bank] pour être absent, et le temps d'absence
} est ici de { $limit } s.
fault-games-begun = Les parties commencées ici sont { $known }, et sont dites { $told }.
fault-sitter = À la place { $seat } : { $known }, et il est dit : { $told }.
fault-no-player = pas de joueur
fault-player = { $name }{ $kind ->
    [house] {" "}(de la maison)
    [bot] {" "}(robot)
   *[person] {""}
}
fault-over = La partie est dite en cours ; selon les règles elle est finie.
fault-not-over = La partie est dite finie ; selon les règles elle ne l'est pas.
fault-purse = La bourse de { $name } est { $purse } selon les règles, et est dite { $told }.

## Une donne qui ne tient pas
fault-deal = Donne { $deal } : { $why }.
fault-told-before = La donne { $deal } a été dite autrement avant, quand tu en as donné ta part.
fault-state = L'état de la donne que le serveur a donné n'est pas bon : { $why }.
fault-another-deal = Après la perte de la connexion le serveur a dit une autre donne qu'avant.
fault-table = La donne est celle de la table { $table }.
fault-pack = Le jeu de cartes n'est pas celui de cette table.
fault-players = La donne est pour un autre nombre de joueurs.
fault-begun-again = Le serveur a commencé une donne une seconde fois.
fault-key = { $seat ->
    [you] Tu gardes la clé de tes cartes, et le serveur dit qu'il l'a.
   *[other] { $seat-name } garde la clé de ses cartes, et le serveur dit qu'il l'a.
}
fault-key-given = Le serveur donne ta clé à d'autres joueurs aussi.
fault-not-missed = Le serveur dit que { $name } a manqué une part d'une donne, et ce n'est pas vrai.
fault-lost-hand = Le serveur laisse { $name } jouer une main qui est perdue.
fault-hand-taken = Le serveur prend une main à { $name }, et aucune part d'une donne n'a été manquée.
fault-terms = La donne commence par des termes qui ne sont pas bons : { $why }.
fault-step = Une étape d'une donne est dite, et aucune n'a commencé.
fault-signature = Le serveur n'a pas signé ce qu'il a dit de la donne : { $why }.
fault-reads = Le serveur veut lire les cartes, et les règles de cette table n'en ont pas besoin.
fault-hands = Donne { $deal } : ses mains n'ont pas la taille que les règles leur donnent.
fault-deals-again = La donne { $deal } n'a pas été jouée, et le serveur donne à nouveau.
fault-opened = Des cartes ont été ouvertes, et le serveur ne lit aucune donne.
fault-no-card = Donne { $deal } : ce qui t'a été donné n'est pas une carte du jeu.
fault-dealt-to = Donne { $deal } : elle est dite à d'autres joueurs que ceux qui l'ont reçue.
fault-no-deal = Des cartes ont été montrées, et aucune donne n'est en cours.
fault-not-dealt = Donne { $deal }, carte montrée sans avoir été donnée à { $seat ->
    [nobody] la table
   *[other] { $seat-name }
} : { $card }.
fault-shown = { $cards }, montré sans avoir été donné à qui le montre
fault-shuffle = Donne { $deal } : la battue de la place { $seat } ne tient pas, et les cartes ont été données quand même.
fault-other-story = Il a été dit à { $seat ->
    [nobody] ce serveur
   *[other] { $seat-name }
} une autre histoire que celle-ci, ou une étape signée a été omise.
fault-let-through = Une étape de { $seat ->
    [nobody] ce serveur
   *[other] { $seat-name }
} est passée, et elle ne tient pas : { $why }.

## Dit à la table par le client qui s'arrête
fault-i-stop = J'arrête : ce qu'on m'a dit de la donne ou du jeu ne tient pas.{ $keeps ->
    [yes] {" "}Je garde les preuves.
   *[no] {""}
}
