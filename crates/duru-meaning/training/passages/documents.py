"""Documents with the questions that people ask of them."""

import glob
import json
import os
import random
import re
from dataclasses import dataclass, field

HEADING = re.compile(r"(#{1,6}) +(.*)")
HANGUL = re.compile("[가-힣]")


@dataclass
class Passage:
    """What stands under one heading."""

    title: str
    headings: list
    name: str
    text: str

    def embedded(self):
        """The text that is read (`embedded_text` in `crates/duru-search/src/ingest/library.rs`)."""
        return f"{self.title} {' '.join(self.headings)} {self.name} {self.text}"


@dataclass
class Question:
    text: str
    korean: bool
    # Places of the passages that answer it; nothing if none does.
    answers: list
    # Places of those that seem to.
    near: list = field(default_factory=list)


@dataclass
class Document:
    name: str
    passages: list
    questions: list


def passages_of(text):
    """The passages of a document, and the places of its headings."""
    title, above, body, found = "", [], [], []

    def finish():
        text = "\n".join(body).strip()
        body.clear()
        if text:
            names = [name for _, name in above]
            found.append(Passage(title, names[:-1], names[-1] if names else "", text))

    for line in text.splitlines():
        heading = HEADING.fullmatch(line.strip())
        if not heading:
            body.append(line)
            continue
        finish()
        level, name = len(heading[1]), heading[2].strip()
        if not title and level == 1:
            title = name
            continue
        above[:] = [known for known in above if known[0] < level] + [(level, name)]
    finish()
    return found


def places(passages, names):
    return [at for at, passage in enumerate(passages) if passage.name in names or (not passage.name and passage.title in names)]


def read(path):
    """A document and the questions beside it."""
    with open(path, encoding="utf8") as file:
        passages = passages_of(file.read())
    questions = []
    with open(os.path.splitext(path)[0] + ".jsonl", encoding="utf8") as file:
        for line in filter(str.strip, file):
            row = json.loads(line)
            answers, near = places(passages, row["sections"]), places(passages, row.get("near", []))
            if row["sections"] and not answers:
                continue
            questions.append(Question(row["q"], bool(HANGUL.search(row["q"])), answers, near))
    return Document(os.path.basename(path), passages, questions)


def read_all(folder):
    return [read(path) for path in sorted(glob.glob(os.path.join(folder, "**", "*.md"), recursive=True)) if os.path.exists(os.path.splitext(path)[0] + ".jsonl")]


def split(documents, part=0, parts=8):
    """Those to learn from, and those to measure with: every document is in one of them, always the same."""
    order = documents[:]
    random.Random(5).shuffle(order)
    held_out = [one for at, one in enumerate(order) if at % parts == part]
    return [one for one in order if one not in held_out], held_out


def read_set(folder, prefix=""):
    """A set of `eval/documents/`: all its documents as one, with its questions."""
    passages, sources = [], []
    for path in sorted(glob.glob(os.path.join(folder, "corpus", "*.md"))):
        with open(path, encoding="utf8") as file:
            own = passages_of(file.read())
        passages += own
        sources += [os.path.basename(path)] * len(own)
    questions = []
    for path in glob.glob(os.path.join(folder, "*.jsonl")):
        with open(path, encoding="utf8") as file:
            for line in filter(str.strip, file):
                row = json.loads(line)
                wanted = [(row.get("source"), row.get("section"))] + [(one["source"], one["section"]) if isinstance(one, dict) else (row["source"], one) for one in row.get("also", [])]
                answers = [at for at, (passage, source) in enumerate(zip(passages, sources)) if (source, passage.name) in wanted]
                if row["answerable"] and not answers:
                    continue
                questions.append(Question(row["question"], bool(HANGUL.search(row["question"])), answers if row["answerable"] else []))
    return Document(os.path.basename(folder), passages, questions)
