### put-verify : ce qu'un fichier prouve d'une partie.

verify-about = Vérifie une partie telle qu'elle a été dite à qui la voyait : ses donnes, et selon les règles tout ce qui s'y passe. Le fichier est en notation de Put, ou ce sont des preuves qu'un client a gardées ou que la page a enregistrées.
verify-statuses = Le code de sortie est 0 si toutes les donnes sont prouvées, { $unfair } si quelque chose ne tient pas, et { $unproved } si rien n'est faux et que toutes les donnes ne sont pas prouvées.
verify-file = la partie, en notation de Put ou en lignes de JSON
verify-seen = Table { $table }, vue de la { $seat ->
    [nobody] galerie
   *[other] { $seat-name } (la tienne)
}.
verify-plain = La partie { $game } a été donnée par le serveur seul : { $why }.
verify-partial = Cela commence au milieu d'une partie : ce qui a été dit avant n'est pas dans ce fichier.
verify-cut = Ce fichier n'est pas entier : la suite de sa ligne { $line } manque, et on ne peut rien dire de ce qui vient après.
verify-fault = DÉLOYAL : { $fault }
verify-unfair = Cela n'a pas été donné ou joué loyalement, ou ce n'est pas ce qui en a été dit.
verify-by-rules = Cela suit les règles. { $plain ->
    [yes] Le serveur a donné seul (dealing=plain) : rien ne prouve les donnes.
   *[no] Les étapes qui prouvent les donnes ne sont pas dans ce fichier.
}
verify-nothing = Rien n'a été donné ici : on n'en peut rien dire.
verify-proved = Toutes les donnes sont prouvées, autant qu'on les a vues de là.
verify-some-proved = Rien n'est faux dans ce fichier ; donnes prouvées : { $proved } sur { $dealt }.
