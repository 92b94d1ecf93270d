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
    '"')
        quoted=${quoted//\\/\\\\} quoted=${quoted//\"/\\\"} quoted=${quoted//\$/\\\$} quoted=${quoted//\`/\\\`}
        # An earlier command would be put in its place; within these quotes only other quotes keep that away.
        quoted=${quoted//'!'/"\"'!'\""}
        ;;
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
    local IFS=$' \t\n' plain="" open="" quoted line word note files kind i rest=$COMP_LINE head="" signs
    local -a words=() lines=() found=() notes=()
    COMPREPLY=()
    rest=${rest#*"${COMP_WORDS[0]}"}
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        # Readline takes `--count=5` and `a:b` apart, and replaces only what is behind the sign.
        signs=${COMP_WORDS[i - 1]}$'\n'$word
        if [[ ${#words[@]} -gt 0 && -n $word && $rest == "$word"* && $signs =~ (^|$'\n')[:=]+($'\n'|$) ]]; then
            head=${words[-1]}
            [[ $word == *[!:=]* ]] || head+=$word
            words[-1]+=$word
        else
            head=""
            words+=("$word")
        fi
        rest=${rest#*"$word"}
    done
    __nyanctl_plain "$head"
    head=$plain
    for i in "${!words[@]}"; do
        __nyanctl_plain "${words[i]}"
        words[i]=$plain
    done
    mapfile -t lines < <(command nyanctl complete "${words[@]}" 2>/dev/null)
    files=${lines[0]-none}
    for line in "${lines[@]:1}"; do
        word=${line%%$'\t'*} note=""
        [[ $line == *$'\t'* ]] && note=${line#*$'\t'}
        __nyanctl_quote "${word#"$head"}"
        found+=("$quoted") notes+=("$note")
    done
    if [[ $files == f* ]]; then
        kind=-f
        [[ $files == folders ]] && kind=-d
        while IFS= read -r word; do
            [[ -d ${word/#~\//$HOME/} ]] && word+=/
            __nyanctl_quote "${word#"$head"}"
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
# Rows are in the listing's order; before bash 4.4 they cannot be.
complete -o nosort -F _nyanctl nyanctl 2>/dev/null || complete -F _nyanctl nyanctl
