# bash completion for nyanctl, made by scripts/pages.

# Sets `plain` to a word without its quotes, and `open` to the quote that is not closed yet.
__nyanctl_plain() {
    local text=$1 sign
    plain="" open=""
    while [[ -n $text ]]; do
        sign=${text:0:1} text=${text:1}
        case $open$sign in
        "'" | '"') open=$sign ;;
        "''" | '""') open="" ;;
        \\ | \"\\) plain+=${text:0:1} text=${text:1} ;;
        *) plain+=$sign ;;
        esac
    done
}

# Sets `quoted` to a word as it may stand behind the quote that is open, if any.
__nyanctl_quote() {
    quoted=$1
    case $open in
    "'") quoted=${quoted//"'"/"'\\''"} ;;
    '"') quoted=${quoted//\\/\\\\} quoted=${quoted//\"/\\\"} quoted=${quoted//\$/\\\$} quoted=${quoted//\`/\\\`} ;;
    *)
        [[ -n $quoted && $quoted != *[!A-Za-z0-9_./:@%+,=-]* ]] && return
        if [[ $quoted == "~/"* ]]; then
            printf -v quoted %q "${quoted:2}"
            quoted="~/$quoted"
        else
            printf -v quoted %q "$quoted"
        fi
        ;;
    esac
}

_nyanctl() {
    local IFS=$' \t\n' plain="" open="" quoted line word note files kind i
    local -a words=() lines=() found=() notes=()
    COMPREPLY=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        # Readline takes `--count=5` apart.
        if [[ ${COMP_WORDS[i]} == "=" && ${#words[@]} -gt 0 && ${words[-1]} == --* ]]; then
            words[-1]+="="
        elif [[ ${#words[@]} -gt 0 && ${words[-1]} == --*= && ${COMP_WORDS[i - 1]} == "=" ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    for i in "${!words[@]}"; do
        __nyanctl_plain "${words[i]}"
        words[i]=$plain
    done
    mapfile -t lines < <(command nyanctl complete "${words[@]}" 2>/dev/null)
    files=${lines[0]-none}
    for line in "${lines[@]:1}"; do
        word=${line%%$'\t'*} note=""
        [[ $line == *$'\t'* ]] && note=${line#*$'\t'}
        # Only what is behind the equals sign is replaced.
        [[ $word == --*=* ]] && word=${word#*=}
        __nyanctl_quote "$word"
        found+=("$quoted") notes+=("$note")
    done
    if [[ $files == f* ]]; then
        kind=-f
        [[ $files == folders ]] && kind=-d
        while IFS= read -r word; do
            [[ -d ${word/#~\//$HOME/} ]] && word+=/
            __nyanctl_quote "$word"
            found+=("$quoted") notes+=("")
        done < <(compgen "$kind" -- "$plain")
    fi
    # A list that is only shown may say more.
    if [[ ${COMP_TYPE-} == 63 && ${#found[@]} -gt 1 ]]; then
        for i in "${!found[@]}"; do found[i]+=${notes[i]:+"  (${notes[i]})"}; done
    fi
    COMPREPLY=("${found[@]}")
    [[ ${#found[@]} == 1 && ${found[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _nyanctl nyanctl
