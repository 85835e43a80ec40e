# Made by scripts/docs from the program's options.
_put_arena() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --game | --games | --host | --jobs | --late | --option | --save | --seats | --seed | --slow | --tables | --turn) :; return ;;
    --json) compopt -o default; return ;;
    esac
    case $command in
    *) words="-h --help --game --seats --option --games --until-decided --seed --jobs --tables --turn --late --slow --host --save --json --version" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_arena put-arena
