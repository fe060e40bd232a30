#!/usr/bin/env python3
"""Checks labelled questions: `python3 check.py questions/FILE.txt`.

Prints every faulty line with what is wrong about it, and a summary: how many lines there are, how many are
faulty, how many of the others are Korean, and how often frames start with which word. Needs only Python.
"""

import collections
import re
import sys

from labels import ARROW, HANGUL, MARKED_SLOT, SLOT_NAME


def one_of(*patterns):
    """A pattern for any one of several."""
    return f"(?:{'|'.join(patterns)})"


def list_of(pattern, separator):
    """A pattern for one or more, with separators between them."""
    return rf"{pattern}(?:{separator}{pattern})*"


COMPARISON = one_of(">=", "<=", ">", "<", "=")
NUMBER = r"\d+(?:\.\d+)?"

# Conditions on a row: `V1`, `-V1`, `Ci1?no`, `Cn1>N1`, `Cn1>avg`, `Ct1@T2`, `Cx1^X1`; with `/` between them they are alternatives.
COMPARED_WITH = one_of(r"[ND]\d+", r"T\d+", r"V\d+", r"I\d+", r"Cn\d+", r"Ct\d+", rf"-?{NUMBER}")
SINGLE_CONDITION = "-?" + one_of(
    r"(?:V|I|X|Cb|A|R)\d+",
    r"(?:C[cinxtb]|A|X|V|I|M|R)\d+\?(?:yes|no)",
    rf"(?:Cn|A|Ct|Ci|Cc|Cx|M)\d+{COMPARISON}{COMPARED_WITH}",
    r"(?:Cn|A)\d+[<>]avg",
    r"C[cix]\d+[~^$]X\d+",
    r"Ct\d+@T\d+",
)
CONDITION = list_of(SINGLE_CONDITION, "/")
CONDITIONS = list_of(CONDITION, "[ &]")

# A condition that belongs to one figure only: `avg(Cn1|V2)`.
OWN_CONDITIONS = rf"(?:\|{CONDITIONS})?"

SINGLE_FIGURE = one_of(
    "count",
    rf"distinct\({SLOT_NAME}{OWN_CONDITIONS}\)",
    rf"(?:sum|avg|max|min|median)\({SLOT_NAME}{OWN_CONDITIONS}\)",
    rf"pct\(P\d+,{SLOT_NAME}{OWN_CONDITIONS}\)",
    rf"countif\({CONDITIONS}\)",
    rf"rate\({CONDITIONS}\)",
    rf"rated\({SLOT_NAME},{CONDITIONS}\)",
    "share",
    r"M\d+",
    "first",
    "last",
    "span",
    "age",
    rf"per\((?:minute|hour|day|week|month|{SLOT_NAME})\)",
    "groups",
)
# Two figures put together: one divided by the other, or less the other.
FIGURE = one_of(SINGLE_FIGURE, rf"(?:ratio|diff)\({SINGLE_FIGURE},{SINGLE_FIGURE}\)")
SHOWN = one_of(FIGURE, rf"rows(?:\({list_of(SLOT_NAME, ',')}\))?", "values", "exists")
GROUPING = one_of(
    r"C[cinxtb]\d+",
    r"A\d+",
    r"R\d+",
    r"X\d+",
    *("minute", "hour", "day", "week", "month", "year", "hourofday", "weekday"),
    r"every\(D\d+\)",
)
GROUP_CONDITION = one_of(
    rf"{FIGURE}{COMPARISON}(?:[ND]\d+|{NUMBER})",
    rf"none\({CONDITIONS}\)",
    rf"some\({CONDITIONS}\)",
    rf"all\({list_of(CONDITION, ',')}\)",
    r"silent\(T\d+\)",
)
ORDERED_BY = one_of(
    "newest",
    "oldest",
    "growth(?:rate)?(?: (?:asc|desc))?",
    rf"(?:{FIGURE}|{SLOT_NAME}|day|hour|week|month|minute) (?:asc|desc)",
)
KEPT = r"(?: keep (?:more|fewer|new|gone|times\((?:N\d+|\d+)\)))?"

# The parts of a frame, in the order in which they must stand. Only the first one is always needed.
PARTS = [
    list_of(SHOWN, " "),
    rf"by {list_of(GROUPING, ' ')}",
    rf"where {list_of(CONDITION, ' ')}",
    r"time T\d+(?:/T\d+)*",
    rf"vs (?:T\d+|before|usual){KEPT}",
    rf"having {list_of(GROUP_CONDITION, ' ')}",
    rf"order {ORDERED_BY}",
    r"limit (?:N\d+|\d+)",
    "ends",
    r"each (?:N\d+|\d+)",
    r"cumulative|moving (?:N\d+|\d+|D\d+)",
]

# What may stand instead of a frame.
INSTEAD_OF_A_FRAME = re.compile(r"^(?:refuse (?:write|secret|why|other)|ask (?:time|what|who))$")


def fault(line):
    """What is wrong with a line, or None if nothing is."""
    if line.count(ARROW) != 1:
        return f'no "{ARROW}"'
    question, frame = line.split(ARROW)
    frame = frame.strip()
    if re.search(r"[{}|]", MARKED_SLOT.sub("", question)):
        return "bad slot in question"
    if INSTEAD_OF_A_FRAME.match(frame):
        return None
    slots = {marked[2] for marked in MARKED_SLOT.finditer(question)}
    used = set(re.findall(r"(?<![A-Za-z])" + SLOT_NAME, frame))
    if used - slots:
        return f"not in question: {sorted(used - slots)}"
    return fault_of_parts(frame.split(" ; "))


def fault_of_parts(parts):
    """What is wrong with the parts of a frame, or None if nothing is."""
    next_allowed = 0
    for part in parts:
        while next_allowed < len(PARTS) and not re.fullmatch(PARTS[next_allowed], part):
            next_allowed += 1
        if next_allowed == len(PARTS):
            return f'part not understood or out of order: "{part}"'
        next_allowed += 1
    if not re.fullmatch(PARTS[0], parts[0]):
        return "what is shown is missing"
    return None


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    lines = faulty = korean = 0
    first_words = collections.Counter()
    with open(sys.argv[1], encoding="utf8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            lines += 1
            found = fault(line)
            if found:
                faulty += 1
                print(f"{number}: {found}\n    {line}")
            elif HANGUL.search(line):
                korean += 1
            first_words[line.split(ARROW)[-1].split(" ")[0].split("(")[0]] += 1
    print(f"{lines} lines, {faulty} bad, {korean} Korean; starts: {dict(first_words.most_common())}")


if __name__ == "__main__":
    main()
