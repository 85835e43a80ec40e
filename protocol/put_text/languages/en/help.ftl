### The help of put-client, and its settings.

help-choices = { $says }: { $most } or { $last }
help-bounds = { $says }; from { $least } to { $most }
help-setting = { $says } (default: { $default }; environment: { $variable })
help-heading-0 = usage:
help-heading-1 = positional arguments:
help-heading-2 = options:
help-help = show this help message and exit

help-name = who you are; asked for if left out
help-language = the language: en or fr; that of the environment, as LANG, if left out
help-line = no full screen: sentences out, lines in
help-ascii = no character beyond ASCII
help-editing = in line mode, a prompt with editing and history; without it the terminal reads the lines
help-brief = in line mode, few words: choices only when you ask, with an empty line
help-full = in line mode, all words also after three games, when few are usual
help-ask_before_deciding = ask once more before you put, see or throw in
help-search = look for servers on this network where none is named
help-keep_record = keep a record of your games on this machine
help-teach = give notes for beginners, each of them once
help-coach = against the house, show what each choice is worth at every decision of yours
help-bell = ring the bell when it is your turn, or when a player asks for you, while the window is not in use
help-sounds = in line mode, ring the bell at each turn of yours, too
help-title = say in the title of the window whose move it is
help-notify = the same as the bell, as a notification, in terminals that are known to take them
help-motion = move what happens on the table; NO_MOTION in the environment, or a slow connection, turns it off, too
help-mouse = take clicks and the wheel; without it the terminal selects text as ever
help-theme = colours: those of the terminal, green felt, light, or high contrast
help-deck = suits in four colours, or in two
help-card_back = what the backs of cards are filled with
help-suits = the colour of each suit, where it is not that of the theme; a suit is never told by its colour alone
help-keys = another key for a command: one character, neither a digit nor a space, or one of f1 to f12
help-file = Settings of put-client: take the # before one away to change it. Flags and variables go before this file.
help-colours = { $says }. There are { $colours }.

help-about = Play Put, the old English game of bluff, at a put-server.
help-order = Without a terminal, or where TERM is dumb, the client speaks in lines, as with --line. A flag overrides its environment variable, and the variable overrides the file of settings.
help-address = the server, and the fingerprint of its key if you know it; without one you choose from those you have played at, or it is localhost:{ $port }
help-table = sit down at this table
help-watch = watch this table
help-replay = show a game again, from its notation in a file; needs no server
help-drill = practise: positions, and your answers judged against perfect play
help-page = serve the page of this installation to a browser on this machine, to play at the server with it
help-record = show the record of your games; needs no server
help-export = write the record into this folder: Put notation and JSON
help-game = with --drill: the rule set (default: %(default)s)
help-config = settings from this file (default: $XDG_CONFIG_HOME/put-client/config.toml)
help-print-config = write an example of such a file, and end
help-version = show the program's version number and end
help-secret = { $what ->
    [password] the server's, where it has one
   *[passcode] the table's, where it has one
}; better given in the environment, as { $variable }, { $asked ->
    [yes] or when the screen asks for it,{" "}
   *[no] {""}
}for flags can be read by others
help-security = { $security ->
    [tls] only an encrypted connection, to a server on this machine too
   *[plain] no encryption: others on the way can read your cards and take your seat
}
help-no-fingerprint = { $text } is no fingerprint: it has 25 letters and digits, as in { $example }
help-no-address = { $text } is no address: an IPv6 address goes in brackets, as in [::1]:{ $port }
help-is-page = { $text } is a page, which a browser opens; for this program write host:port, as in { $place }
help-no-port = { $text } is no port: ports are numbers from 1 to 65535
help-no-table = { $text } is no number of a table
