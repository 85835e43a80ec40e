# Made by scripts/docs from the program's options.
_put_client() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --game | --name | --passcode | --password | --table | --watch) :; return ;;
    --config | --replay) compopt -o default; return ;;
    esac
    case $command in
    *) words="-h --help --name --line --no-line --ascii --no-ascii --ask-before-deciding --no-ask-before-deciding --password --table --watch --replay --drill --game --passcode --config --print-config --version" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_client put-client
