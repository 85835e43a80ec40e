# Made by scripts/docs from the program's options.
_put_solve() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --gap | --limit | --options | --out) :; return ;;
    esac
    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        case $word in put-1674 | put-1800 | put-parlett | values | verify) command=$word ;; esac
    done
    case $command in
    put-1674) words="-h --help --options --gap --out" ;;
    put-1800) words="-h --help --options --gap --out" ;;
    put-parlett) words="-h --help --options --gap --out" ;;
    values) words="-h --help --json" ;;
    verify) compopt -o default; words="-h --help --limit" ;;
    *) words="-h --help --version put-1674 put-1800 put-parlett values verify" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_solve put-solve
