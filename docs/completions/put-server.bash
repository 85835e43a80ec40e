# Made by scripts/docs from the program's options.
_put_server() {
    local word command= words= cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $prev in
    --admin | --as | --at-once | --back | --back-seconds | --because | --data | --drain-seconds | --game | --host | --limit | --name | --password | --port | --scene | --seconds | --seed | --table | --timeout) :; return ;;
    --log-level) COMPREPLY=($(compgen -W "debug info warning error" -- "$cur")); return ;;
    --log-format) COMPREPLY=($(compgen -W "text json" -- "$cur")); return ;;
    --at-eof) COMPREPLY=($(compgen -W "stay stop" -- "$cur")); return ;;
    --config | --json) compopt -o default; return ;;
    esac
    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        case $word in games | show | analyse | check | backup | status | announce | kick | drain | rehearse) command=$word ;; esac
    done
    case $command in
    games) words="-h --help --table --limit --json --data --config" ;;
    show) words="-h --help --as --data --name --config" ;;
    analyse) words="-h --help --as --json --data --config" ;;
    check) words="-h --help --data --config" ;;
    backup) compopt -o default; words="-h --help --data --config" ;;
    status) words="-h --help --json --data --admin --config" ;;
    announce) words="-h --help --data --admin --config" ;;
    kick) words="-h --help --because --data --admin --config" ;;
    drain) words="-h --help --seconds --back --data --admin --config" ;;
    rehearse) words="-h --help --host --port --game --scene --json --seed --timeout --at-once --list --config" ;;
    *) words="-h --help --host --port --name --data --password --seed --drain-seconds --back-seconds --admin --log-level --log-format --at-eof --config --version games show analyse check backup status announce kick drain rehearse" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _put_server put-server
