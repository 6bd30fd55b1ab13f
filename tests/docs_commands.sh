#!/usr/bin/env bash
# Runs the commands of README.md and of all pages under docs/, so that none of them goes stale:
#   docs_commands.sh PAWL SOURCE_FOLDER WORK_FOLDER [PICTURE_FOLDER]
#
# Each page has a folder of its own with copies of models/ and tests/data/, and its commands run in
# their order. What counts:
#   - in a block marked `console`, lines that begin with "$ "; the lines that follow one are what it
#     prints (nothing is compared if none follow), and a line "..." stands for any number of lines,
#     "..." at the end of a line for its rest;
#   - in a block marked `sh`, all lines;
#   - in the text, `pawl ...` with an argument, unless a word in capitals stands for one (MODEL).
# A block marked `toml` is written to the last file `NAME.toml` that the text before it names.
# Only the programs listed in `known` are run. A command must end with exit code 0; another one is
# told behind it: "# exit code 5".
# A picture in a folder `pictures` that a page shows must be made by a command of the page, under its
# own name; with PICTURE_FOLDER it is put there.
set -uo pipefail
pawl=$(realpath "$1") source=$2 work=$3 pictures=${4:-}
known=' pawl awk tail head cat ls cp '
# The program under the name that the pages use, whatever its file is called.
mkdir -p "$work/bin" && ln -sf "$pawl" "$work/bin/pawl" || exit 1
PATH=$(realpath "$work/bin"):$PATH

failures=0 commands=0 outputs=0

# Lines shown (first file) against lines printed (second file); prints the first difference. Numbers
# may differ by the rounding of the machine: one part in 1e9, or 1e-9 (residuals that would be zero).
# Times that a run took (", 0.0035 s)") are left out.
# The awk program is a match of wildcards: on a difference, the last "..." takes one line more.
compare_output() {
    awk '
    function plain(line) {
        sub(/, [0-9.e+-]+ s\)/, ", TIME)", line)
        gsub(/[ \t]+/, " ", line)
        sub(/ $/, "", line)
        return line
    }
    function same(a, b,    x, y, d, bound) {
        if (a == b) return 1
        if (sub(/\.\.\.$/, "", a)) b = substr(b, 1, length(a))
        while (match(a, number)) {
            x = substr(a, RSTART, RLENGTH)
            d = substr(a, 1, RSTART - 1)
            a = substr(a, RSTART + RLENGTH)
            if (!match(b, number) || d != substr(b, 1, RSTART - 1)) return 0
            y = substr(b, RSTART, RLENGTH)
            b = substr(b, RSTART + RLENGTH)
            bound = 1e-9 * (x + 0 < 0 ? -x : x)
            if (bound < 1e-9) bound = 1e-9
            d = x - y
            if (x != y && (d > bound || -d > bound)) return 0
        }
        return a == b
    }
    BEGIN { number = "-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?" }
    FNR == 1 { file++ }
    file == 1 { shown[++m] = plain($0); text[m] = $0 }
    file == 2 { printed[++n] = plain($0) }
    END {
        i = j = far = 1
        star = 0
        while (j <= n) {
            if (i <= m && shown[i] ~ /^ ?\.\.\.$/) { star = i++; mark = j }
            else if (i <= m && same(shown[i], printed[j])) { i++; j++ }
            else if (star) { i = star + 1; j = ++mark }
            else break
            if (i > far) far = i
        }
        while (i <= m && shown[i] ~ /^ ?\.\.\.$/) i++
        if (j > n && i > m) exit 0
        if (far <= m) print "shown but not printed here: " text[far]
        else print "printed but not shown: " printed[j <= n ? j : n]
        exit 1
    }' "$1" "$2"
}

# check_output <page>: the lines of shown.txt against those of the last command, and forgets them.
check_output() {
    local page=$1 difference
    [[ -s shown.txt ]] || return 0
    outputs=$((outputs + 1))
    if ! difference=$(compare_output shown.txt output.txt); then
        failures=$((failures + 1))
        printf '%s:%d: %s\n    %s\n' "$page" "$last_line" "$last_command" "$difference"
    fi
    : >shown.txt
}

# run_command <page> <line> <command>
run_command() {
    local page=$1 line=$2 command=$3 wanted=0 code
    [[ $command =~ ^(.*[^[:space:]])[[:space:]]*#\ exit\ code\ ([0-9]+)$ ]] &&
        command=${BASH_REMATCH[1]} wanted=${BASH_REMATCH[2]}
    last_command=''
    [[ $known == *" ${command%% *} "* ]] || return 0
    commands=$((commands + 1)) last_line=$line last_command=$command
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
                check_output "$page"
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
                    if [[ $line != '$ '* ]]; then
                        [[ -z $last_command ]] || printf '%s\n' "$line" >>shown.txt
                        continue
                    fi
                    check_output "$page"
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

# The script on a page with two commands that fail, three outputs that are not as shown (a line
# changed, a digit changed, a line left out), and two commands that are not run.
in_scratch self_test seeded.md >/dev/null <<'PAGE'
A model in `one.toml`:
```toml
format = 1
body.rod = {}
body.bar = {}
```
`pawl check one.toml --json` is right, `pawl check MODEL` is left out.
```console
$ pawl check nothing.toml
...
$ pawl check nothing.toml  # exit code 3
$ cat one.toml
format = 1
...
body.ba...
$ cat one.toml
format = 1
body.rob = {}
body.bar = {}
$ cat one.toml
format = 1
body.rod = {}
$ awk 'BEGIN { print "result (3 samples, 0.1 s)"; print "end 0.123456789012 m, 2e-17 m" }'
result (3 samples, 0.000292 s)
end 0.123456789011 m, -3.1e-16 m
$ awk 'BEGIN { print "end 0.1234567 m" }'
end 0.1234568 m
```
```sh
./dev demo
pawl \
    polish one.toml
```
PAGE
if ((commands != 9 || outputs != 6 || failures != 5)); then
    echo "docs_commands.sh is wrong about its seeded page: $commands commands, $outputs outputs," \
        "$failures failures"
    exit 1
fi

failures=0 commands=0 outputs=0
while IFS= read -r page; do
    in_scratch "${page//\//_}" "$page" <"$source/$page"
    check_pictures "$page"
done < <(cd "$source" && { echo README.md; find docs -name '*.md' | sort; })
printf '%d commands and %d outputs in the documents, %d failed\n' "$commands" "$outputs" "$failures"
((failures == 0 && outputs > 0))
