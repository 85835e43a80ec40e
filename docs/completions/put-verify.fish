# Made by scripts/docs from the program's options.
complete -c put-verify -f
complete -c put-verify -n __fish_use_subcommand -s h -l help -d 'show this help message and exit'
complete -c put-verify -n __fish_use_subcommand -l lines -d 'check nothing, and write what was told for another verifier: JSON, an object a line'
complete -c put-verify -n __fish_use_subcommand -l unshown -d 'list the cards that were opened to the viewer and never shown, as no honest server does'
