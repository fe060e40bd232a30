"""Labelled questions, and how they become numbers for the network."""

import os
import random
import re
import struct
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from labels import ARROW, FRAME_TOKEN, HANGUL, KINDS, MARKED_SLOT, is_slot, kind_of

# So many pieces of a question are read; the rest is cut off (`MOST_PIECES` in `../src/composer.rs`).
MOST_PIECES = 160

# What the network writes besides the words of frames: padding, begin and end of a frame, a word it does not
# know, and "here belongs something that was not marked in the question".
PAD, START, END, UNKNOWN, LOST = "<pad>", "<s>", "</s>", "<unk>", "<lost>"
SPECIAL_TOKENS = [PAD, START, END, UNKNOWN, LOST]

# The sign that stands for a space in the pieces of words.
SPACE = "\u2581"

# How often a question is disturbed while training. In use, the slots are marked by the program, which errs:
# it overlooks a slot that the frame does not need,
OVERLOOKED_SHARE = 0.5
# finds other words instead (words of the same kind from another question),
SWAPPED_SHARE = 0.25
# is in doubt between two kinds,
TWO_KINDS_SHARE = 0.08
# does not know whether a word for rows tells them apart (where there are several tables, it may do both),
ROWS_OR_THEIR_NAME_SHARE = 0.3
# overlooks a slot that the frame needs,
LOST_SHARE = 0.2
# does not know a piece of a word,
UNKNOWN_PIECE_SHARE = 0.05
# or marks words that stand for nothing.
FALSE_FIND_SHARE = 0.2

# So many questions are shown without any slot marked, only to learn which words are slots.
BARE_SHARE = 0.12


class Pieces:
    """The pieces of words of the sentence encoder (`../data/encoder.bin`), and their vectors.

    `../data/README.md` describes the file.
    """

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        assert content[:8] == b"DURUSENT"
        at = 8
        count, self.width = struct.unpack_from("<II", content, at)
        at += 8
        self.known = {}
        self.longest = 0
        lowest_score = 0
        for number in range(count):
            length, score = struct.unpack_from("<Hf", content, at)
            at += 6
            text = content[at : at + length].decode()
            at += length
            self.known[text] = (number, score)
            self.longest = max(self.longest, len(text))
            lowest_score = min(lowest_score, score)
        # A letter that is no piece counts as less likely than every piece.
        self.unlikely = lowest_score - 10
        steps = np.frombuffer(content, "<f4", count, at)
        at += 4 * count
        signed_bytes = np.frombuffer(content, "i1", count * self.width, at).reshape(count, self.width)
        self.table = signed_bytes.astype(np.float32) * steps[:, None]

    def scale(self):
        """What the vectors are multiplied by, so that their numbers spread by about one."""
        return float(1 / (self.table.std() + 1e-9))

    def cut(self, text):
        """The numbers of the pieces into which a text is most likely cut; 0 for a letter that is no piece."""
        # For every place: the best score of a cut up to it, where its last piece begins, and its number.
        best = [(-1e30, 0, 0)] * (len(text) + 1)
        best[0] = (0.0, 0, 0)
        for begin in range(len(text)):
            score_before = best[begin][0]
            letter_is_piece = False
            for end in range(begin + 1, min(begin + self.longest, len(text)) + 1):
                piece = self.known.get(text[begin:end])
                if piece is None:
                    continue
                number, score = piece
                letter_is_piece |= end == begin + 1
                if score_before + score > best[end][0]:
                    best[end] = (score_before + score, begin, number)
            if not letter_is_piece and score_before + self.unlikely > best[begin + 1][0]:
                best[begin + 1] = (score_before + self.unlikely, begin, 0)
        numbers = []
        at = len(text)
        while at > 0:
            numbers.append(best[at][2])
            at = best[at][1]
        return numbers[::-1]


def normal(text, spaced):
    """The text as it is cut into pieces: NFKC, spaces as `SPACE`, one in front if `spaced`."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"\s+", SPACE, text)
    if spaced and not text.startswith(SPACE):
        text = SPACE + text
    return text


@dataclass
class Example:
    """A labelled question."""

    # The question as it is written in the file, with its slots.
    question: str
    # Its stretches in order: pairs of a text and the slot it stands for (or "").
    segments: list
    # The names of its slots, in the order in which they first appear.
    slots: list
    # The words of its frame, in the one order that the network is taught.
    frame: list
    # The name of the file.
    source: str
    korean: bool


def segments_of(question):
    """The stretches of a question: pairs of a text and the slot it stands for (or "")."""
    segments = []
    at = 0
    for marked in MARKED_SLOT.finditer(question):
        if marked.start() > at:
            segments.append((question[at : marked.start()], ""))
        segments.append((marked[1], marked[2]))
        at = marked.end()
    if at < len(question):
        segments.append((question[at:], ""))
    return segments


def slots_of(segments):
    """The names of the slots, in the order in which they first appear."""
    return list(dict.fromkeys(slot for _, slot in segments if slot))


def frame_tokens(frame, slots):
    """The words of a frame.

    Conditions mean the same in any order; they are put into that of their slots in the question, so that the
    network has only one to learn.
    """
    place = {slot: at for at, slot in enumerate(slots)}

    def first_place(condition):
        named = re.findall(r"[A-Z][a-z]?\d+", condition)
        return min([place.get(slot, 99) for slot in named] or [99])

    parts = []
    for part in frame.strip().split(" ; "):
        if part.startswith("where "):
            conditions = part[len("where ") :].split(" ")
            part = "where " + " ".join(sorted(conditions, key=first_place))
        parts.append(part)
    return FRAME_TOKEN.findall(" ; ".join(parts))


def uses_only(frame, slots):
    """Whether every slot in the words of a frame is one of these."""
    return all(token in slots for token in frame if is_slot(token))


def load(paths):
    """The labelled questions of files; comments and lines that cannot be right are passed over."""
    examples = []
    for path in paths:
        with open(path, encoding="utf8") as file:
            for line in file:
                line = line.strip()
                if not line or line.startswith("#") or line.count(ARROW) != 1:
                    continue
                question, frame = line.split(ARROW)
                segments = segments_of(question)
                slots = slots_of(segments)
                tokens = frame_tokens(frame, slots)
                if not uses_only(tokens, slots):
                    continue
                korean = bool(HANGUL.search(question))
                examples.append(Example(question, segments, slots, tokens, os.path.basename(path), korean))
    return examples


def split(examples, full):
    """The questions to train with, and those to measure with: always the same twelfth.

    With `full`, all are trained with, and the measure says nothing any more.
    """
    order = list(range(len(examples)))
    random.Random(7).shuffle(order)
    held_out = max(1, len(examples) // 12)
    training = order if full else order[held_out:]
    return [examples[at] for at in training], [examples[at] for at in order[:held_out]]


def vocabulary_of(examples):
    """All that the network may write, apart from slots."""
    return SPECIAL_TOKENS + sorted({token for one in examples for token in one.frame if not is_slot(token)})


def surfaces_of(examples):
    """The texts of slots, by their kind and whether the question is Korean."""
    surfaces = {}
    for example in examples:
        for text, slot in example.segments:
            if slot:
                surfaces.setdefault((kind_of(slot), example.korean), []).append(text)
    return surfaces


def same_frame(tokens, others):
    """Whether two frames say the same: the order of conditions does not count."""

    def parts(tokens):
        frame = " ".join(tokens).replace("- ", "-").replace(" / ", "/")
        return [
            " ".join(sorted(part.split(" "))) if part.startswith("where ") else part
            for part in frame.split(" ; ")
        ]

    return parts(tokens) == parts(others)


class Encoded(NamedTuple):
    """A question in numbers. The first six have one number for each piece."""

    pieces: list
    # The kind of the slot that a piece belongs to, 0 for none; and a second one, where two are possible.
    kinds: list
    second_kinds: list
    # Whether a piece is the first one of a slot.
    firsts: list
    # The slot's place in `slots`, or -1.
    slot_places: list
    # The kind that a piece was labelled with, 0 for none: whether or not it is marked.
    labelled_kinds: list
    # The names of the slots that are marked; "!" for a false find.
    slots: list
    # The words of the frame: places in the vocabulary, or its length plus a place in `slots`. None of a bare
    # question, whose frame is not to be written.
    target: list


@dataclass
class Disturbance:
    """What goes wrong with the slots of a question."""

    # Slots that are not marked; those of them that the frame needs are `lost`.
    unmarked: set
    lost: set
    # Slots for which another text stands, and those that may be of a second kind.
    other_texts: dict
    second_kinds: dict


def disturbance(example, used, rng, surfaces):
    """Draws what goes wrong with a question's slots; `used` are those that its frame needs."""
    drawn = Disturbance(set(), set(), {}, {})
    for slot in example.slots:
        kind = kind_of(slot)
        if slot not in used and rng.random() < OVERLOOKED_SHARE:
            drawn.unmarked.add(slot)
        # Times, numbers, durations and percentiles are understood by their words: those stay.
        elif surfaces and slot[0] not in "TNDP" and rng.random() < SWAPPED_SHARE:
            others = surfaces.get((kind, example.korean))
            if others:
                drawn.other_texts[slot] = rng.choice(others)
        if rng.random() < TWO_KINDS_SHARE and kind in ("V", "Cc", "Ci", "X", "A", "R", "Cn"):
            drawn.second_kinds[slot] = rng.choice(["V", "Cc", "Ci", "R", "Cn", "A"])
        elif kind in ("R", "Ci") and rng.random() < ROWS_OR_THEIR_NAME_SHARE:
            drawn.second_kinds[slot] = "Ci" if kind == "R" else "R"
    may_be_lost = [slot for slot in example.slots if slot in used and slot[0] not in "TNDPR"]
    if may_be_lost and rng.random() < LOST_SHARE:
        slot = rng.choice(may_be_lost)
        drawn.lost.add(slot)
        drawn.unmarked.add(slot)
    return drawn


class Coder:
    """Turns questions into numbers."""

    def __init__(self, pieces, vocabulary):
        self.pieces = pieces
        self.vocabulary = vocabulary
        self.token_places = {token: at for at, token in enumerate(vocabulary)}
        self.cuts = {}

    def cut(self, text):
        """The pieces of a normalised text. Cuts are kept: the same texts return in every epoch."""
        numbers = self.cuts.get(text)
        if numbers is None:
            numbers = self.cuts[text] = self.pieces.cut(text)
        return numbers

    def encode(self, example, rng=None, surfaces=None, bare=False):
        """A question in numbers: disturbed, if there is an `rng`; exactly as labelled otherwise.

        A `bare` one has no slots marked and no frame.
        """
        drawn = Disturbance(set(), set(), {}, {})
        bare = bare or (rng is not None and rng.random() < BARE_SHARE)
        if bare:
            drawn.unmarked.update(example.slots)
        elif rng is not None:
            used = {token for token in example.frame if is_slot(token)}
            drawn = disturbance(example, used, rng, surfaces)
        slots = [slot for slot in example.slots if slot not in drawn.unmarked]
        places = {slot: at for at, slot in enumerate(slots)}
        target = [] if bare else self.target(example.frame, places, drawn.lost)
        encoded = Encoded([], [], [], [], [], [], slots, target)
        self.add_pieces(encoded, example.segments, places, drawn, rng)
        # The network can tell only so many slots apart (`MOST_SLOTS` in model.py): not beyond them.
        if rng is not None and rng.random() < FALSE_FIND_SHARE and len(slots) < 20:
            add_false_find(encoded, rng)
        return Encoded(*(of_pieces[:MOST_PIECES] for of_pieces in encoded[:6]), *encoded[6:])

    def target(self, frame, places, lost):
        """The numbers of the words of a frame."""

        def number(token):
            if token in places:
                return len(self.vocabulary) + places[token]
            if token in lost:
                return self.token_places[LOST]
            return self.token_places.get(token, self.token_places[UNKNOWN])

        return [number(token) for token in frame]

    def add_pieces(self, encoded, segments, places, drawn, rng):
        """Adds the pieces of a question's stretches to what is encoded."""
        spaced = True
        for text, slot in segments:
            text = drawn.other_texts.get(slot, text)
            space_before = spaced or text[:1].isspace()
            spaced = text[-1:].isspace()
            text = text.strip()
            # A space before a stretch of nothing stands before the next one too.
            spaced = spaced or (not text and space_before)
            labelled = KINDS.index(kind_of(slot)) if slot else 0
            if slot in drawn.unmarked:
                slot = ""
            for at, piece in enumerate(self.cut(normal(text, space_before)) if text else []):
                if rng is not None and not slot and rng.random() < UNKNOWN_PIECE_SHARE:
                    piece = 0
                encoded.pieces.append(piece)
                encoded.kinds.append(KINDS.index(kind_of(slot)) if slot else 0)
                second = drawn.second_kinds.get(slot) if slot else None
                encoded.second_kinds.append(KINDS.index(second) if second else 0)
                encoded.firsts.append(1 if slot and at == 0 else 0)
                encoded.slot_places.append(places[slot] if slot else -1)
                encoded.labelled_kinds.append(labelled)


def add_false_find(encoded, rng):
    """Marks one to three plain pieces as a slot that the frame does not use."""
    plain = [at for at, place in enumerate(encoded.slot_places) if place < 0 and at < MOST_PIECES]
    if not plain:
        return
    begin = rng.choice(plain)
    length = rng.randint(1, 3)
    kind = KINDS.index(rng.choice(["V", "Cc", "X", "Ci", "R", "N", "V"]))
    for at in range(begin, min(begin + length, len(encoded.pieces))):
        if encoded.slot_places[at] >= 0:
            break
        encoded.slot_places[at] = len(encoded.slots)
        encoded.kinds[at] = kind
        encoded.firsts[at] = int(at == begin)
    encoded.slots.append("!")
