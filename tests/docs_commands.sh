#!/usr/bin/env bash
# Runs the commands of README.md and of all pages under docs/, so that none of them goes stale:
#   docs_commands.sh PAWL SOURCE_FOLDER WORK_FOLDER [PICTURE_FOLDER]
#
# Each page has a folder of its own with copies of models/ and tests/data/, and its commands run in
# their order. What counts:
#   - in a block marked `console`, lines that begin with "$ "; what follows them is their output;
#   - in a block marked `sh`, all lines;
#   - in the text, `pawl ...` with an argument, unless a word in capitals stands for one (MODEL).
# A block marked `toml` is written to the last file `NAME.toml` that the text before it names.
# Only the programs listed in `known` are run. A command must end with exit code 0; another one is
# told behind it: "# exit code 5".
# A picture in a folder `pictures` that a page shows must be made by a command of the page, under its
# own name; with PICTURE_FOLDER it is put there.
set -uo pipefail
pawl=$1 source=$2 work=$3 pictures=${4:-}
known=' pawl awk tail head cat ls cp '
PATH=$(dirname "$pawl"):$PATH

failures=0 commands=0

# run_command <page> <line> <command>
run_command() {
    local page=$1 line=$2 command=$3 wanted=0 code
    [[ $command =~ ^(.*[^[:space:]])[[:space:]]*#\ exit\ code\ ([0-9]+)$ ]] &&
        command=${BASH_REMATCH[1]} wanted=${BASH_REMATCH[2]}
    [[ $known == *" ${command%% *} "* ]] || return 0
    commands=$((commands + 1))
    timeout 120 bash -c "$command" >output.txt 2>&1 </dev/null
    code=$?
    ((code == wanted)) && return 0
    failures=$((failures + 1))
    printf '%s:%d: exit code %d instead of %d: %s\n' "$page" "$line" "$code" "$wanted" "$command"
    tail -n 5 output.txt | sed 's/^/    /'
}

# Commands in the text of a line: `pawl VERB ARGUMENT...`
run_inline() {
    local page=$1 line=$2 text=$3
    local pattern='`(pawl [a-z]+ [^`]+)`'
    while [[ $text =~ $pattern ]]; do
        local command=${BASH_REMATCH[1]}
        text=${text#*"\`$command\`"}
        [[ $command =~ (^|[ =])[A-Z]+(\.[A-Za-z]+)?( |$) || $command == *…* ]] ||
            run_command "$page" "$line" "$command"
    done
}

# run_page <page>: in the current folder.
run_page() {
    local page=$1 number=0 block='' name='' joined='' line
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        if [[ $line == '```'* ]]; then
            if [[ -n $block ]]; then
                block=''
            else
                block=${line#'```'}
                block=${block:-plain}
                [[ $block == toml && -n $name ]] && : >"$name"
            fi
            continue
        fi
        case $block in
            toml) [[ -z $name ]] || printf '%s\n' "$line" >>"$name" ;;
            console | sh)
                if [[ -z $joined && $block == console ]]; then
                    [[ $line == '$ '* ]] || continue
                    line=${line#'$ '}
                fi
                if [[ $line == *\\ ]]; then
                    joined+=${line%\\}
                    continue
                fi
                run_command "$page" "$number" "$joined$line"
                joined=''
                ;;
            '')
                [[ $line =~ .*\`([a-z_0-9]+\.toml)\` ]] && name=${BASH_REMATCH[1]}
                run_inline "$page" "$number" "$line"
                ;;
        esac
    done
}

# Pictures that the page shows: ![words](pictures/NAME.svg), or a link to one.
check_pictures() {
    local page=$1 name
    for name in $(grep -oE 'pictures/[a-z_0-9]+\.svg' "$source/$page" | sort -u); do
        name=${name#pictures/}
        if [[ ! -s $name ]]; then
            failures=$((failures + 1))
            printf '%s: no command of the page makes %s\n' "$page" "$name"
        elif [[ -n $pictures ]]; then
            cp "$name" "$pictures/$name"
        elif [[ ! -s $source/docs/pictures/$name ]]; then
            failures=$((failures + 1))
            printf '%s: docs/pictures/%s is missing; run ./dev docs\n' "$page" "$name"
        fi
    done
}

# in_scratch <name> <page>: runs the page on standard input in a fresh folder.
in_scratch() {
    local folder=$work/$1
    rm -rf "$folder"
    mkdir -p "$folder/tests"
    cp -r "$source/models" "$folder/models"
    cp -r "$source/tests/data" "$folder/tests/data"
    cd "$folder" || exit 1
    run_page "$2"
}

# The script on a page with two commands that fail, two that do not, and two that are not run.
in_scratch self_test seeded.md >/dev/null <<'PAGE'
A model in `one.toml`:
```toml
format = 1
body.rod = {}
```
`pawl check one.toml --json` is right, `pawl check MODEL` is left out.
```console
$ pawl check nothing.toml
error: no such file
$ pawl check nothing.toml  # exit code 3
```
```sh
./dev demo
pawl \
    polish one.toml
```
PAGE
if ((commands != 4 || failures != 2)); then
    echo "docs_commands.sh is wrong about its seeded page: $commands commands, $failures failures"
    exit 1
fi

failures=0 commands=0
while IFS= read -r page; do
    in_scratch "${page//\//_}" "$page" <"$source/$page"
    check_pictures "$page"
done < <(cd "$source" && { echo README.md; find docs -name '*.md' | sort; })
printf '%d commands in the documents, %d failed\n' "$commands" "$failures"
((failures == 0 && commands > 0))
