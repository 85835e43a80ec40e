# Made by scripts/docs from the program's options.
_put_conformance() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --at-once | --game | --host | --port | --scene | --seed | --timeout) :; return ;;
    --json) compopt -o default; return ;;
    esac
    case $command in
    *) words="-h --help --host --port --game --scene --json --seed --timeout --at-once --list --version" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_conformance put-conformance
