# Made by scripts/docs from the program's options.
complete -c put-conformance -f
complete -c put-conformance -n __fish_use_subcommand -s h -l help -d 'show this help message and exit'
complete -c put-conformance -n __fish_use_subcommand -l host -x -d 'address to listen on (default: 127.0.0.1)'
complete -c put-conformance -n __fish_use_subcommand -l port -x -d 'port to listen on (default: any that is free)'
complete -c put-conformance -n __fish_use_subcommand -l game -x -d 'only this rule set; may be given again'
complete -c put-conformance -n __fish_use_subcommand -l scene -x -d 'only this case, or those like drop-*; may be given again'
complete -c put-conformance -n __fish_use_subcommand -l json -r -F -d 'write the report as JSON too; - is standard output, and the text then goes to standard error'
complete -c put-conformance -n __fish_use_subcommand -l seed -x -d 'of packs and opponents (default: 1674)'
complete -c put-conformance -n __fish_use_subcommand -l timeout -x -d 'for any one thing the client must do (default: 10)'
complete -c put-conformance -n __fish_use_subcommand -l at-once -x -d 'cases run at the same time, if the suite starts the client on free ports (default: 4)'
complete -c put-conformance -n __fish_use_subcommand -l list -d 'name the cases, and end'
complete -c put-conformance -n __fish_use_subcommand -l version -d 'show program'\''s version number and exit'
