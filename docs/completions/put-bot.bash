# Made by scripts/docs from the program's options.
_put_bot() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --game | --games | --guest | --house | --name | --option | --passcode | --password | --seats | --seed | --table | --tables | --turn) :; return ;;
    --admits) COMPREPLY=($(compgen -W "all people bots" -- "$cur")); return ;;
    --on-error) COMPREPLY=($(compgen -W "end first" -- "$cur")); return ;;
    --log-level) COMPREPLY=($(compgen -W "debug info warning error" -- "$cur")); return ;;
    esac
    case $command in
    *) words="-h --help --name --password --games --tables --house --guest --table --invited --game --seats --option --turn --admits --passcode --seed --on-error --sealed --no-sealed --json --log-level --version" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_bot put-bot
