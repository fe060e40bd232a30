"""The sentence encoder as a network that can be trained: what `../../src/encoder.rs` computes, from the same file."""

import json
import os
import re
import struct
import unicodedata

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# Marks of an unknown letter, of the beginning and of the end of a text.
UNKNOWN, BEGIN, END = 0, 1, 2

# The sign that stands for a space in pieces of words.
SPACE = "\u2581"

# No more pieces of a text are read (`MOST` in `../../src/encoder.rs`).
MOST_PIECES = 256

# Pieces that are looked at together, and how many of them before the own.
WINDOWS = ((2, 0), (3, 1), (5, 2))

TINY = 1e-12


class PackedFile:
    """The file of weights; `../../data/README.md` has its layout."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        assert content[:8] == b"DURUSENT"
        at = 8
        count, self.width = struct.unpack_from("<II", content, at)
        at += 8
        self.pieces = []
        for _ in range(count):
            length, score = struct.unpack_from("<Hf", content, at)
            at += 6
            self.pieces.append((content[at : at + length].decode(), score))
            at += length
        steps = np.frombuffer(content, "<f4", count, at)
        at += 4 * count
        numbers = np.frombuffer(content, "i1", count * self.width, at).reshape(count, self.width)
        at += count * self.width
        self.table = numbers.astype(np.float32) * steps[:, None]
        self.weights = {}
        while at < len(content):
            length = content[at]
            name = content[at + 1 : at + 1 + length].decode()
            at += 1 + length
            kind, rows, columns = struct.unpack_from("<BII", content, at)
            at += 9
            if kind == 1:
                self.weights[name] = np.frombuffer(content, "<f4", columns, at).copy()
                at += 4 * columns
                continue
            steps = np.frombuffer(content, "<f4", columns, at)
            at += 4 * columns
            numbers = np.frombuffer(content, "i1", rows * columns, at).reshape(rows, columns)
            at += rows * columns
            self.weights[name] = numbers.astype(np.float32) * steps[None, :]


def packed(pieces, table, weights):
    """The bytes of such a file."""
    out = bytearray(b"DURUSENT" + struct.pack("<II", len(pieces), table.shape[1]))
    for text, score in pieces:
        text = text.encode()
        out += struct.pack("<Hf", len(text), score) + text
    steps = np.abs(table).max(1, initial=0) / 127 + TINY
    out += steps.astype("<f4").tobytes()
    out += np.clip(np.round(table / steps[:, None]), -127, 127).astype("i1").tobytes()
    for name, values in weights.items():
        encoded = name.encode()
        out += bytes([len(encoded)]) + encoded
        if values.ndim == 1:
            out += struct.pack("<BII", 1, 1, len(values)) + values.astype("<f4").tobytes()
            continue
        steps = np.abs(values).max(0) / 127 + TINY
        out += struct.pack("<BII", 2, *values.shape) + steps.astype("<f4").tobytes()
        out += np.clip(np.round(values / steps[None, :]), -127, 127).astype("i1").tobytes()
    return bytes(out)


class Cutter:
    """Cuts texts into pieces as `../../src/pieces.rs` does."""

    def __init__(self, pieces):
        self.known = {text: (number, score) for number, (text, score) in enumerate(pieces)}
        self.longest = max(len(text) for text, _ in pieces)
        self.unlikely = min(score for _, score in pieces) - 10.0
        self.words = {}
        # Cuts of another time, which spare a while.
        if os.path.exists("words.json"):
            with open("words.json", encoding="utf8") as file:
                self.words = json.load(file)

    def word(self, word):
        """The pieces of a word with its space; words return often, so their cuts are kept."""
        cut = self.words.get(word)
        if cut is None:
            cut = self.words[word] = self.most_likely(word)
        return cut

    def most_likely(self, text):
        best = [(-1e30, 0, UNKNOWN)] * (len(text) + 1)
        best[0] = (0.0, 0, UNKNOWN)
        for begin in range(len(text)):
            here, single = best[begin][0], False
            for end in range(begin + 1, min(begin + self.longest, len(text)) + 1):
                piece = self.known.get(text[begin:end])
                if piece is None:
                    continue
                single |= end == begin + 1
                if here + piece[1] > best[end][0]:
                    best[end] = (here + piece[1], begin, piece[0])
            if not single and here + self.unlikely > best[begin + 1][0]:
                best[begin + 1] = (here + self.unlikely, begin, UNKNOWN)
        numbers, at = [], len(text)
        while at > 0:
            numbers.append(best[at][2])
            at = best[at][1]
        return numbers[::-1]

    def plain(self, text):
        """The pieces of a text, without marks of its beginning and end."""
        text = "".join(c for c in unicodedata.normalize("NFKC", text) if not unicodedata.category(c) == "Cc" or c.isspace())
        # No piece goes over a space, so that words may be cut one by one.
        return [piece for word in re.split(r"\s+", text) if word for piece in self.word(SPACE + word)]

    def cut(self, text):
        return ([BEGIN] + self.plain(text))[: MOST_PIECES - 1] + [END]


class Encoder(nn.Module):
    """Texts to vectors of length one."""

    def __init__(self, file):
        super().__init__()
        weights = file.weights
        of = lambda name: nn.Parameter(torch.tensor(weights[name]))
        self.table = nn.Parameter(torch.tensor(file.table))
        self.names = list(weights)
        self.all = nn.ParameterDict({name: of(name) for name in weights})
        self.width = file.width

    def row_width(self):
        """How many numbers a row has."""
        return len(self.all["ln_g"])

    def normed(self, rows, scale, shift):
        rows = rows - rows.mean(-1, keepdim=True)
        spread = (rows.square().mean(-1, keepdim=True) + TINY).sqrt()
        return rows / spread * scale + shift

    def rows(self, pieces, mask):
        """What every piece says among its neighbours. `mask`: 1 for pieces, 0 for padding."""
        own = F.embedding(pieces, self.table) * mask[..., None]
        projected = [own @ self.all[f"proj{order}"] + self.all[f"proj_b{order}"] for order, _ in WINDOWS]
        widths = [part.shape[-1] for part in projected]
        joined = torch.cat(projected, -1)
        scale = torch.cat([self.all[f"ln_g{order}"] for order, _ in WINDOWS])
        shift = torch.cat([self.all[f"ln_b{order}"] for order, _ in WINDOWS])
        joined = self.normed(joined, scale, shift)
        parts = [own]
        for (order, before), part in zip(WINDOWS, joined.split(widths, -1)):
            for layer in ("1", "2"):
                part = self.window(part * mask[..., None], order, before, layer)
            parts.append(part)
        return self.normed(torch.cat(parts, -1), self.all["ln_g"], self.all["ln_b"]) * mask[..., None]

    def window(self, rows, order, before, layer):
        padded = F.pad(rows, (0, 0, before, order - 1 - before))
        beside = torch.cat([padded[:, place : place + rows.shape[1]] for place in range(order)], -1)
        return (beside @ self.all[f"w{layer}_{order}"] + self.all[f"b{layer}_{order}"]).relu() + rows

    def head(self, rows, mask):
        """One vector of all rows."""
        count = mask.sum(1, keepdim=True)
        w = self.all
        total = (rows.sum(1) @ w["cnn_W"] + w["cnn_b"] * count) / count.sqrt()
        inner = (total @ w["d0"]).relu()
        middle = (total @ w["p1"] + inner @ w["d1"]).relu()
        outer = (middle @ w["d2"]).relu()
        vector = (middle @ w["p3"] + outer @ w["d3"]).tanh()
        return F.normalize(vector, dim=-1)

    def forward(self, pieces, mask):
        return self.head(self.rows(pieces, mask), mask)


def padded(lists, device="cpu"):
    """Lists of numbers as one matrix, and its mask."""
    longest = max(map(len, lists))
    pieces = torch.zeros(len(lists), longest, dtype=torch.long)
    mask = torch.zeros(len(lists), longest)
    for at, numbers in enumerate(lists):
        pieces[at, : len(numbers)] = torch.tensor(numbers)
        mask[at, : len(numbers)] = 1
    return pieces.to(device), mask.to(device)
