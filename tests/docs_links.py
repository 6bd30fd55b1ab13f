#!/usr/bin/python3
"""Checks what the documents point at: every relative link leads to a file, and to a heading of it where
it has an anchor; in tables with a column "Rows" (docs/sources.md) every name is a problem of `pawl verify`
with rows of one of the models beside it. First it is tried on a seeded page with known mistakes.
Usage: docs_links.py ROOT"""

import csv
import re
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"\[([^\]]*)\]\(([^()\s]+)\)")


def lines_of(page):
    """Number and text of the lines outside of code blocks."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(page):
    """The headings of a page as the names that links give them."""
    heads = [line.lstrip("#") for _, line in lines_of(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


def problems_of(root):
    """The problems of `pawl verify` that have tables, each with the models of its rows."""
    problems = {}
    for table in sorted((root / "src/verification/data").glob("*.csv")):
        for cells in csv.reader(line for line in table.read_text().splitlines() if line and line[0] != "#"):
            if cells[0] != "source":
                problems.setdefault(cells[0], set()).add(cells[1])
    return problems


def broken_links(root, page, line):
    """What is wrong with the links of a line."""
    for text, target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        if file.is_relative_to((root / "build").resolve()):
            continue  # made by a command
        if not file.exists():
            yield f"no file '{path}'"
        elif anchor and anchor not in anchors(file):
            yield f"no heading '#{anchor}' in '{file.name}'"
        elif file.parent.name == "models" and file.suffix == ".toml" and text != file.stem:
            yield f"the link '{text}' leads to the model '{file.stem}'"


def wrong_rows(names, models, problems):
    """What is wrong with a cell of the column "Rows"; `models` are linked in the same row of the table."""
    if re.sub(r"`[^`]+`|[, ]", "", names):
        yield f"'{names}' is not a list of problems of verify"
    for name in re.findall(r"`([^`]+)`", names):
        if name not in problems:
            yield f"verify has no problem '{name}'"
        elif not problems[name] & models:
            yield f"the problem '{name}' has no rows of {', '.join(sorted(models)) or 'no model'}"


def mistakes(root, page, problems):
    """All mistakes of a page as (line, what), and how many rows of tables name problems."""
    found, rows, header = [], 0, None
    for number, line in lines_of(page):
        found += [(number, what) for what in broken_links(root, page, line)]
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        header = (header or cells) if cells else None
        if not header or "Rows" not in header or cells == header or set(line) <= set("|- "):
            continue
        if len(cells) != len(header):
            found.append((number, f"{len(cells)} cells below {len(header)} titles"))
            continue
        rows += 1
        models = {Path(target).stem for _, target in LINK.findall(cells[header.index("Model")])}
        found += [(number, what) for what in wrong_rows(cells[header.index("Rows")], models, problems)]
    return found, rows


def try_on_seeded_page():
    """A page with eight mistakes, each in a line of its own, between lines that are right."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("docs", "models", "src/verification/data"):
            (root / name).mkdir(parents=True)
        (root / "models/ball.toml").write_text("format = 1\n")
        (root / "src/verification/data/a.csv").write_text('# rows\nsource,hand,"by hand, twice"\nB1,ball,ball.y,1,m,,2,0,hand\n')
        page = root / "docs/page.md"
        page.write_text(
            "# A page, seeded\n[right](#a-page-seeded) `[code](nowhere.md)` [made](../build/made.html)\n"
            "[wrong](nowhere.md)\n[wrong](#no-heading)\n[wrong](../models/ball.toml)\n"
            "```\n[block](nowhere.md)\n```\n"
            "| Section | Model | Rows |\n|---|---|---|\n"
            "| right | [ball](../models/ball.toml) | `B1` |\n| right | | |\n"
            "| wrong | [ball](../models/ball.toml) | `B2` |\n| wrong | [bat](../models/bat.toml) | |\n"
            "| wrong | | `B1` |\n| wrong | [ball](../models/ball.toml) | B1 |\n| wrong | `B1` |\n")
        found, rows = mistakes(root, page, problems_of(root))
        if [line for line, _ in found] != [3, 4, 5, 13, 14, 15, 16, 17] or rows != 6:
            sys.exit(f"docs_links.py is wrong about its seeded page: {found}, {rows} rows")


def main():
    try_on_seeded_page()
    root = Path(sys.argv[1]).resolve()
    problems = problems_of(root)
    pages = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    failures, rows = 0, 0
    for page in pages:
        found, named = mistakes(root, page, problems)
        failures, rows = failures + len(found), rows + named
        for number, what in found:
            print(f"{page.relative_to(root)}:{number}: {what}")
    print(f"{len(pages)} pages, {rows} rows of tables that name problems, {failures} mistakes")
    return 1 if failures or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
