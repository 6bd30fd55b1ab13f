#!/usr/bin/python3
"""Holds the sizes of the house in src, apps and web: files in a folder, lines of a file and of a
function, data members of a class; and small numbers (1e-9), which are tolerances and belong to src/math/tolerances.h and its
folder. Exceptions are named below with their reason, and an exception that is no longer needed is a
failure too. Usage: house_rules.py ROOT [--counts]"""

import re
import sys
from pathlib import Path

LIMITS = {"folder": 25, "file": 400, "function": 60, "class": 20}

# What is larger than its limit: "path" or "path: name", with the reason.
EXCEPTIONS = {
}

# Small numbers of src/ that are no tolerances: how many a file may have, with the reason.
SMALL_NUMBERS = {
    "src/analysis/lyapunov.h": (1, "default of an option"),
    "src/design/design_problem.cpp": (3, "steps of differences, part of a scale"),
    "src/design/optimisation.h": (1, "default of an option"),
    "src/design/plain.h": (1, "default of an option"),
    "src/design/synthesis/problem.cpp": (1, "default of a task"),
    "src/design/synthesis/search.cpp": (1, "damping at the start"),
    "src/design/synthesis/solution.cpp": (4, "damping of Levenberg and Marquardt"),
    "src/dynamics/contact/cone_interior.cpp": (1, "part of the way of an interior point"),
    "src/dynamics/contact/cone_problem.cpp": (1, "when the proximal method grows firmer"),
    "src/dynamics/formulations/crossing_projection.cpp": (1, "part of a speed"),
    "src/dynamics/formulations/dynamics.cpp": (2, "part of a speed; a seeded fault"),
    "src/dynamics/impact/impact_limit.cpp": (1, "part of a tolerance"),
    "src/equations/mechanism_equations.cpp": (1, "a seeded fault"),
    "src/generators/cam.cpp": (1, "part of a preload"),
    "src/generators/latch.cpp": (1, "bound of a quotient"),
    "src/generators/linkages.cpp": (2, "margins that a textbook mechanism needs"),
    "src/integration/dop853.cpp": (6, "constants of the method"),
    "src/integration/stepper.h": (1, "default of an option"),
    "src/integration/stiff.cpp": (1, "a floor that SUNDIALS asks for"),
    "src/math/linear/row_system.cpp": (1, "bound of a product that is rescaled"),
    "src/math/units.cpp": (9, "factors of units"),
    "src/mechanism/contact/speed_expression.h": (5, "speeds at which a formula is tried"),
    "src/mechanism/joints/lower_pairs.h": (1, "default of a field"),
    "src/mechanism/run_settings.h": (2, "defaults of options"),
    "src/model_file/reading/joint_reader.cpp": (1, "bound of a quotient"),
    "src/output/drawing/stage.cpp": (1, "which unit is written"),
    "src/output/plot/plot.cpp": (1, "when axes have powers of ten"),
    "src/results/text.cpp": (1, "how a length is written"),
    "src/simulation/dynamic/particle_run.h": (2, "defaults of options"),
    "src/simulation/equilibrium/equilibrium_system.cpp": (1, "step of differences"),
    "src/simulation/equilibrium/vibration.cpp": (1, "amplitude at which damping is taken"),
    "src/simulation/event_cycle/window.cpp": (2, "lengths of windows"),
    "src/simulation/placement/assembly.cpp": (1, "damping at the start"),
    "src/simulation/stepping/dynamic_run.h": (2, "defaults of options"),
    "src/verification/verification.cpp": (6, "reference values and what they are given to"),
    "src/verification/verification_particles.cpp": (7, "reference values and what they are given to"),
    "src/verification/verification_periodic.cpp": (1, "what references are compared to"),
    "src/verification/verification_synthesis.cpp": (15, "reference values and what they are given to"),
}
SMALL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?e-\d+")
TOLERANCES = "src/math/tolerances"  # the header, and the folder beside it


def bare(text):
    """The text without comments and with empty strings, its lines kept."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''

    def replace(match):
        kept = "\n" * match[0].count("\n")
        return kept if match[0].startswith("/") else '""' + kept

    text = re.sub(pattern, replace, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


CLASS = re.compile(
    r"^(?:template.*?>\s*)?(?:class|struct|union)\b\s*(?:\[\[.*?\]\]\s*)?"
    r"([\w:<>, ]*?)(?:\s+final)?(?:\s*(?<!:):(?!:).*)?$", re.S)
# The head of a constructor that ends with the name of a member: its braces hold a value, not the body.
INITIALISER = re.compile(r"\)\s*(?:noexcept\s*)?(?<!:):(?!:)(?:.*[,\s])?[\w:<>, ]*[\w>]\s*$", re.S)
CONTROL = re.compile(r"^(?:if|for|while|switch|do|else|try|catch|return|case|default)\b")


def kind_of(head):
    """What a brace after this text opens: namespace, class, function or anything else."""
    head = re.sub(r"^(?:public|private|protected)\s*:(?!:)", "", head.strip()).strip()
    if re.match(r"^(?:inline\s+)?namespace\b|^extern\b", head):
        return "namespace", ""
    if match := CLASS.match(head):
        return "class", (match[1].split() or ["(unnamed)"])[-1]
    if INITIALISER.search(head):
        return "other", ""
    if "(" in head and not CONTROL.match(head) and not re.search(r"=\s*$|\]\s*$", head):
        match = re.search(r"([~\w:]+(?:<[^()]*>::[~\w:]+)?|operator\s*\S+)\s*\(", head)
        return "function", match[1] if match else head
    return "other", ""


def declarators(statement):
    """How many data members a statement of a class declares."""
    statement = re.sub(r"^(?:(?:public|private|protected)\s*:(?!:)\s*)+", "", statement.strip())
    if not statement or re.match(r"(?:using|typedef|friend|enum|static|template|class|struct|union)\b", statement):
        return 0
    count, depth, value, plain = 1, 0, False, ""
    for c in re.sub(r"\b(?:alignas|decltype)\s*\([^()]*\)", "", statement):
        # Angles are brackets in a type, and may be comparisons in a value.
        opens, closes = ("([{", ")]}") if value else ("([{<", ")]}>")
        if c in closes:
            depth -= 1
        elif c in "={" and depth == 0:
            value = True
        elif c == "," and depth == 0:
            count += 1
            value = False
        if depth == 0 and not value:
            plain += c
        if c in opens:
            depth += 1
    return 0 if "(" in plain or "operator" in plain else count


def measure(text):
    """Functions as (name, lines) and classes as (name, data members) of a source text."""
    functions, classes = [], []
    stack = []  # kind, name, first line, data members
    head, line, head_line, parens = "", 1, 1, 0
    for c in bare(text):
        if c == "\n":
            line += 1
        if c in "([":
            parens += 1
        elif c in ")]":
            parens -= 1
        inside_function = any(s[0] == "function" for s in stack)
        if c == "{" and parens == 0:
            kind, name = ("other", "") if inside_function else kind_of(head)
            stack.append([kind, name, head_line, 0, head])
            head = ""
        elif c == "}" and parens == 0 and stack:
            kind, name, first, members, before = stack.pop()
            if kind == "function":
                functions.append((name, line - first + 1))
            elif kind == "class":
                classes.append((name, members))
            # An initialiser belongs to its statement; a body ends one.
            head = ""
            if kind == "other" and not inside_function:
                head, head_line = before + "{}", first
        elif c == ";" and parens == 0:
            if stack and stack[-1][0] == "class":
                stack[-1][3] += declarators(head)
            head = ""
        else:
            if not head.strip():
                head_line = line
            head += c
    return functions, classes


# What begins a function where layout tells its end: TypeScript closes it with a brace as far to the
# left as its first line, Python ends it before the next line as far to the left.
SCRIPT_HEAD = re.compile(r"^(\s*)(?!.*\b(?:if|for|while|switch|catch|else|class|interface)\b\s*[({\w]).*\(.*\{$")
SCRIPT_NAME = re.compile(r"([\w$]+)\s*(?:<[^()]*>)?\(|([\w$]+)\s*=")
PYTHON_HEAD = re.compile(r"^(\s*)(?:async )?def (\w+)")


def script_functions(text):
    """Functions of TypeScript and JavaScript as (name, lines)."""
    lines, functions = text.split("\n"), []
    for i, line in enumerate(lines):
        if not (match := SCRIPT_HEAD.match(line)):
            continue
        end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith(match[1] + "}")), i)
        name = SCRIPT_NAME.search(line)
        functions.append((name[1] or name[2] if name else line.strip(), end - i + 1))
    return functions


def python_functions(text):
    """Functions of Python as (name, lines), without the empty lines behind them."""
    lines, functions = text.split("\n"), []
    for i, line in enumerate(lines):
        if not (match := PYTHON_HEAD.match(line)):
            continue
        inside = len(match[1]) + 1
        end = i
        for k in range(i + 1, len(lines)):
            if lines[k].strip() and len(lines[k]) - len(lines[k].lstrip()) < inside and not lines[k].lstrip().startswith(")"):
                break
            if lines[k].strip():
                end = k
        functions.append((match[2], end - i + 1))
    return functions


def small_numbers(text):
    """How many small numbers a source text has in its code, seeded faults left out."""
    return sum(len(SMALL.findall(line)) for line in bare(text).split("\n") if "seeded(" not in line)


def misplaced_tolerances(root):
    """Small numbers beyond the exceptions, exceptions that are too generous, and their number in all."""
    failures, total, seen = [], 0, set()
    for path in sorted((root / "src").rglob("*")):
        name = str(path.relative_to(root))
        if path.suffix not in (".h", ".cpp") or name.startswith(TOLERANCES):
            continue
        count = small_numbers(path.read_text())
        total += count
        allowed, reason = SMALL_NUMBERS.get(name, (0, ""))
        seen.add(name)
        if count > allowed:
            failures.append(f"{name}: {count} numbers like 1e-9, {allowed} allowed"
                            f"{f' ({reason})' if reason else ''}; a tolerance belongs to {TOLERANCES}")
        elif count < allowed:
            failures.append(f"{name}: {count} numbers like 1e-9, the exception allows {allowed}")
    failures += [f"{name}: an exception without a file" for name in SMALL_NUMBERS if name not in seen]
    return failures, total


def findings(root):
    """Everything over its limit, as {"path: name": (what, size)}, and the largest sizes seen."""
    found, largest = {}, dict.fromkeys(LIMITS, 0)

    def see(what, key, size):
        largest[what] = max(largest[what], size)
        if size > LIMITS[what]:
            found[key] = (what, size)

    folders = {}
    for top in ("src", "apps", "web"):
        for path in sorted((root / top).rglob("*")):
            if not path.is_file() or "node_modules" in path.parts:
                continue
            name = str(path.relative_to(root))
            folder = str(path.parent.relative_to(root))
            folders[folder] = folders.get(folder, 0) + 1
            if path.suffix not in (".h", ".cpp", ".ts", ".mjs", ".py", ".css", ".html"):
                continue
            text = path.read_text()
            see("file", name, text.count("\n"))
            classes = []
            if path.suffix in (".h", ".cpp"):
                functions, classes = measure(text)
            elif path.suffix in (".ts", ".mjs"):
                functions = script_functions(text)
            else:
                functions = python_functions(text) if path.suffix == ".py" else []
            for function, lines in functions:
                see("function", f"{name}: {function}", lines)
            for class_name, members in classes:
                see("class", f"{name}: {class_name}", members)
    for folder, count in folders.items():
        see("folder", folder, count)
    return found, largest


SEEDED = """
// struct Comment { int a; };
namespace n {
struct Many : Base<int, 2> {
    static constexpr int none = 0;
    int a = 1, b{2};
    std::map<int, double> m;  // one
    std::function<void(int)> call;
    void f() const;
    int g(int x) { return x; }
    struct Inner { int i; };
    enum class E { a, b };
    Inner inner;
    double values[3 * (2 + 1)] = {1, 2, 3};
    double low = least(1, 2), high = low < 1 ? 2 : 3;
    bool operator==(const Many&) const = default;
    Many& operator=(const Many&);
};
struct Outer::Run final : Base {
    int only;
    struct {
        int x, y;
    } pair;
};
template <class S>
Shape<S>::Shape(int a, int b)
    : a_{a},
      b_(b),
      c_{a,
         b} {
    int local = 0;
}
int lines(int a,
          int b) {
    if (a) {
        return b;
    }
    return 0;
}
}
"""


SEEDED_SCRIPT = """
export class Many {
  constructor(
    private readonly a: number,
  ) {
    this.begin();
  }
  private async call<T>(x: T): Promise<T> {
    if (x) {
      return x;
    }
    return `${x} {`;
  }
}
const short = (x: number) => {
  return x;
};
"""

SEEDED_PYTHON = """
def two(
    a,
):
    if a:

        return 1

    return 2


class Some:
    def one(self): return 1

    def three(self):
        b = 1
        return b
"""


def try_itself():
    assert script_functions(SEEDED_SCRIPT) == [("call", 6), ("short", 3)], script_functions(SEEDED_SCRIPT)
    assert python_functions(SEEDED_PYTHON) == [("two", 8), ("one", 1), ("three", 3)], python_functions(SEEDED_PYTHON)
    functions, classes = measure(SEEDED)
    assert classes == [("Inner", 1), ("Many", 8), ("(unnamed)", 2), ("Outer::Run", 2)], classes
    assert functions == [("g", 1), ("Shape<S>::Shape", 8), ("lines", 7)], functions
    small = 'x < 1e-9; y = 2.5e-3; z = 1e9; // 1e-4\nf("1e-5"); seeded(f) ? 1e-6 : 0;\n'
    assert small_numbers(small) == 2, small_numbers(small)


def main():
    try_itself()
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    found, largest = findings(root)
    failures = [f"{key}: {size} ({what}, at most {LIMITS[what]})"
                for key, (what, size) in found.items() if key not in EXCEPTIONS]
    failures += [f"{key}: the exception is no longer needed" for key in EXCEPTIONS if key not in found]
    misplaced, small = misplaced_tolerances(root)
    failures += misplaced
    if "--counts" in sys.argv:
        print(f"small numbers outside of {TOLERANCES}: {small}")
        for what, size in largest.items():
            print(f"largest {what}: {size} (at most {LIMITS[what]})")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
