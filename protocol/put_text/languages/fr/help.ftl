### L'aide de put-client, et ses réglages.

help-choices = { $says } : { $most } ou { $last }
help-bounds = { $says } ; de { $least } à { $most }
help-setting = { $says } (par défaut : { $default } ; environnement : { $variable })
help-heading-0 = usage :
help-heading-1 = arguments :
help-heading-2 = options :
help-help = montrer cette aide et finir

help-name = qui tu es ; demandé si tu ne le dis pas
help-language = la langue : en ou fr ; celle de l'environnement, comme LANG, si tu ne la dis pas
help-line = pas d'écran entier : des phrases, et des lignes tapées
help-ascii = aucun caractère hors de l'ASCII
help-editing = en mode ligne, une invite avec correction et historique ; sans cela le terminal lit les lignes
help-brief = en mode ligne, peu de mots : les choix seulement quand tu les demandes, par une ligne vide
help-full = en mode ligne, tous les mots même après trois parties, quand peu sont d'usage
help-ask_before_deciding = demander encore une fois avant de dire put, voir ou jeter
help-search = chercher des serveurs sur ce réseau quand aucun n'est nommé
help-keep_record = garder l'historique de tes parties sur cette machine
help-teach = donner des notes pour débuter, chacune une fois
help-coach = contre la maison, montrer ce que vaut chaque choix à chacune de tes décisions
help-bell = sonner quand c'est à toi, ou quand un joueur t'appelle, si la fenêtre n'est pas en usage
help-sounds = en mode ligne, sonner aussi à chacun de tes tours
help-title = dire dans le titre de la fenêtre à qui est le tour
help-notify = comme la sonnerie, par une notification, dans les terminaux connus pour les prendre
help-motion = animer ce qui se passe sur la table ; NO_MOTION dans l'environnement, ou une connexion lente, l'arrête aussi
help-mouse = prendre les clics et la molette ; sans cela le terminal sélectionne du texte comme d'habitude
help-theme = couleurs : celles du terminal, tapis vert, clair, ou fort contraste
help-deck = couleurs des cartes en quatre teintes, ou en deux
help-card_back = de quoi le dos des cartes est rempli
help-suits = la teinte de chaque couleur, si ce n'est pas celle du thème ; une couleur ne se dit jamais par sa seule teinte
help-keys = une autre touche pour une commande : un caractère, ni chiffre ni espace, ou f1 à f12
help-file = Réglages de put-client : ôte le # devant l'un d'eux pour le changer. Options et variables passent avant ce fichier.
help-colours = { $says }. Il y a { $colours }.

help-about = Joue au Put, le vieux jeu de bluff anglais, ou au Truc, chez un serveur de put.
help-order = Sans terminal, ou quand TERM est dumb, le client parle par lignes, comme avec --line. Une option passe avant sa variable d'environnement, et celle-ci avant le fichier des réglages.
help-address = le serveur, et l'empreinte de sa clé si tu la connais ; sans lui tu choisis parmi ceux où tu as joué, ou c'est localhost:{ $port }
help-table = prendre place à cette table
help-watch = regarder cette table
help-replay = revoir une partie, d'après sa notation dans un fichier ; sans serveur
help-drill = s'exercer : des positions, et tes réponses jugées d'après le jeu parfait
help-page = servir la page de cette installation à un navigateur de cette machine, pour jouer au serveur avec elle
help-record = montrer l'historique de tes parties ; sans serveur
help-export = écrire l'historique dans ce dossier : notation de put et JSON
help-game = avec --drill : le jeu (par défaut : %(default)s)
help-config = réglages de ce fichier (par défaut : $XDG_CONFIG_HOME/put-client/config.toml)
help-print-config = écrire un exemple d'un tel fichier, et finir
help-version = montrer la version du programme et finir
help-secret = { $what ->
    [password] celui du serveur, s'il en a un
   *[passcode] celui de la table, si elle en a un
} ; mieux vaut le donner dans l'environnement, par { $variable }, { $asked ->
    [yes] ou quand l'écran le demande,{" "}
   *[no] {""}
}car d'autres peuvent lire les options
help-security = { $security ->
    [tls] seulement une connexion chiffrée, même à un serveur de cette machine
   *[plain] pas de chiffrement : d'autres en chemin peuvent lire tes cartes et prendre ta place
}
help-no-fingerprint = { $text } n'est pas une empreinte : elle a 25 lettres et chiffres, comme { $example }
help-no-address = { $text } n'est pas une adresse : une adresse IPv6 se met entre crochets, comme [::1]:{ $port }
help-is-page = { $text } est une page, qu'un navigateur ouvre ; ce programme attend un hôte et un port, comme { $place }
help-no-port = { $text } n'est pas un port : les ports vont de 1 à 65535
help-no-table = { $text } n'est pas un numéro de table
