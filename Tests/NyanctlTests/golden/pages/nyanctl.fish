# fish completion for nyanctl, made by scripts/pages.
function __nyanctl_complete
    set -l words (commandline -opc) (commandline -ct | string collect)
    # What is at the cursor comes with its quotes.
    set -l last (string replace -r '^[\'"]' '' -- $words[-1] | string replace -ar '\\\\(.)' '$1')
    set -l lines (command nyanctl complete $words[2..-2] "$last" 2>/dev/null)
    for line in $lines[2..]
        echo $line
    end
    switch "$lines[1]"
        case files
            __fish_complete_path "$last"
        case folders
            __fish_complete_directories "$last" ''
    end
end

complete -c nyanctl -f -k -a '(__nyanctl_complete)'
