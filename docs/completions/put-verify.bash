# Made by scripts/docs from the program's options.
_put_verify() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    esac
    case $command in
    *) words="-h --help --lines --unshown" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_verify put-verify
