#!/usr/bin/env python3
"""Trains the network that reads what people say to the advisor: what each sum is, and what is to be worked out.

Usage: python3 train_talks.py OUT.bin [KEY=VALUE ...]

  epochs=40     how often all conversations are learnt from
  lr=6e-4       highest rate of learning
  drop=0.2      share of the numbers of rows that is left out
  seed=1
  full=0        1: learns from all conversations; what is measured on held-out ones then says nothing

Reads talks/*.txt, ../../data/encoder.bin and ../../data/composer.bin, with whose reading half it begins, and writes a file laid out like that one. Prints how many of the held-out sums and asks are
told rightly, at once and by how sure it is.
"""

import math
import os
import random
import struct
import sys
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "passages"))
from encoder import Cutter, Encoder, PackedFile, padded  # noqa: E402
from labels import ASKS, NUMBERS, ROLES, conversations, split  # noqa: E402

MOST_PIECES, MOST_BEFORE, HEADS = 192, 72, 4
# Vectors have length one: so much larger they are as large as rows.
VECTOR = 16.0
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class Settings:
    epochs: int = 40
    lr: float = 6e-4
    drop: float = 0.2
    seed: int = 1
    full: int = 0


class Attention(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.drop = drop

    def forward(self, rows, mask):
        batch, count, width = rows.shape
        by_head = lambda x: x.view(batch, count, HEADS, width // HEADS).transpose(1, 2)
        seen = F.scaled_dot_product_attention(by_head(self.q(rows)), by_head(self.k(rows)), by_head(self.v(rows)), attn_mask=mask, dropout_p=self.drop if self.training else 0)
        return self.o(seen.transpose(1, 2).reshape(batch, count, width))


class Inner(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.a, self.b, self.dropout = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Dropout(drop)

    def forward(self, rows):
        return self.b(self.dropout(F.relu(self.a(rows))))


class Layer(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width, eps=1e-9), nn.LayerNorm(width, eps=1e-9)
        self.at, self.ff, self.dropout = Attention(width, drop), Inner(width, drop), nn.Dropout(drop)

    def forward(self, rows, mask):
        rows = rows + self.dropout(self.at(self.n1(rows), mask))
        return rows + self.dropout(self.ff(self.n2(rows)))


class Network(nn.Module):
    """The sentence encoder, whose rows and vectors it reads, is not trained and not saved."""

    def __init__(self, encoder, composer, settings):
        super().__init__()
        width, layers = composer["inp.weight"].shape[1], 1 + max(int(name.split(".")[1]) for name in composer if name.startswith("enc."))
        self.encoder = [encoder]
        self.inp, self.row = nn.Linear(encoder.width, width), nn.Linear(encoder.row_width(), width)
        # 0: said before, 1: said now, 2: a sum that is said now.
        self.kind, self.first, self.pos = nn.Embedding(3, width), nn.Embedding(2, width), nn.Embedding(MOST_PIECES, width)
        self.enc = nn.ModuleList(Layer(width, settings.drop) for _ in range(layers))
        self.en = nn.LayerNorm(width, eps=1e-9)
        self.role, self.ask = nn.Linear(width, len(ROLES)), nn.Linear(width, len(ASKS))
        # What the whole means, and what was said before it.
        self.whole, self.meant = nn.Linear(2 * 512, width), nn.Linear(width, len(ASKS))
        self.dropout = nn.Dropout(settings.drop)
        nn.init.normal_(self.row.weight, 0, 0.01)
        for embedding in (self.kind, self.first, self.pos):
            nn.init.normal_(embedding.weight, 0, 0.05)
        self.begin_as(composer)

    @torch.no_grad()
    def begin_as(self, composer):
        """Begins with what the reader of questions about tables has learnt of the two languages."""
        for name, own in self.named_parameters():
            if name.startswith(("enc.", "en.", "inp.")):
                known = torch.tensor(composer[name])
                own.copy_(known.T if known.ndim == 2 else known)
        places = torch.tensor(composer["pos.weight"])
        self.pos.weight[: len(places)] = places

    def forward(self, pieces, kinds, firsts, mask, sums, vectors):
        encoder = self.encoder[0]
        with torch.no_grad():
            own, beside = F.embedding(pieces, encoder.table), encoder.rows(pieces, mask.float())
        rows = self.inp(own) + self.row(beside) + self.kind(kinds) + self.first(firsts) + self.pos.weight[: pieces.shape[1]]
        rows = self.dropout(rows)
        seen = mask[:, None, None, :]
        for layer in self.enc:
            rows = layer(rows, seen)
        rows = self.en(rows)
        # A sum's row is the mean of its pieces'; `sums` has a line of shares for each.
        whole = self.whole(self.dropout(vectors * VECTOR)).relu()
        return self.role(self.dropout(sums @ rows)), self.ask(self.dropout(rows[:, 0])) + self.meant(self.dropout(whole))


class Reader:
    """Turns as numbers."""

    def __init__(self, cutter, encoder, rng):
        self.cutter, self.encoder, self.rng = cutter, encoder, rng
        self.known = {}

    @torch.no_grad()
    def vectors(self, texts):
        """What texts mean; nothing, where there is no text."""
        new = sorted({text for text in texts if text not in self.known})
        for begin in range(0, len(new), 512):
            some = new[begin : begin + 512]
            for text, vector in zip(some, self.encoder(*padded([self.cutter.cut(text) for text in some], DEVICE))):
                self.known[text] = vector if text else torch.zeros_like(vector)
        return torch.stack([self.known[text] for text in texts])

    def read(self, talk, at, noisy):
        rng, turn = self.rng, talk[at]
        before = " ".join(one.plain() for one in talk[max(0, at - 2) : at])
        if noisy and rng.random() < 0.15:
            before = talk[at - 1].plain() if at and rng.random() < 0.5 else ""
        pieces, kinds, firsts, sums, roles = [1], [0], [0], [], []
        own = self.cutter.plain(before)[-MOST_BEFORE:] + [2]
        pieces += own
        kinds += [0] * len(own)
        firsts += [0] * len(own)
        spaced = True
        for text, role in turn.stretches:
            number = role in NUMBERS
            marked = role is not None and not number or number and (noisy and rng.random() < 0.2)
            if noisy and marked and rng.random() < 0.08:
                marked = False
            if noisy and role is not None and rng.random() < 0.3:
                text = "".join(str(rng.randint(1, 9)) if c.isdigit() and c != "0" else c for c in text)
            begin = len(pieces)
            for number_of_word, word in enumerate(text.split()):
                cut = self.cut(word, number_of_word > 0 or spaced or text[0].isspace())
                if noisy and not marked and rng.random() < 0.06:
                    continue
                pieces += cut
                kinds += [2 if marked else 1] * len(cut)
                firsts += [0] * len(cut)
            spaced = text[-1:].isspace()
            if marked and len(pieces) > begin and len(pieces) <= MOST_PIECES:
                firsts[begin] = 1
                sums.append((begin, len(pieces)))
                roles.append(0 if number else ROLES.index(role))
        asks = np.zeros(len(ASKS), np.float32)
        for ask in turn.asks:
            asks[ASKS.index(ask)] = 1
        return pieces[:MOST_PIECES], kinds[:MOST_PIECES], firsts[:MOST_PIECES], sums, roles, asks, turn.plain(), before

    def cut(self, word, spaced):
        return self.cutter.word("\u2581" + word) if spaced else self.cutter.word(word)

    def batch(self, some, noisy):
        read = [self.read(talk, at, noisy) for talk, at in some]
        longest, most = max(len(one[0]) for one in read), max(1, max(len(one[3]) for one in read))
        numbers = np.zeros((3, len(read), longest), np.int64)
        mask, shares = np.zeros((len(read), longest), bool), np.zeros((len(read), most, longest), np.float32)
        roles, asks = np.full((len(read), most), -100), np.stack([one[5] for one in read])
        for line, (pieces, kinds, firsts, sums, own, *_) in enumerate(read):
            for at, values in enumerate((pieces, kinds, firsts)):
                numbers[at, line, : len(values)] = values
            mask[line, : len(pieces)] = True
            for at, ((begin, end), role) in enumerate(zip(sums, own)):
                shares[line, at, begin:end] = 1 / (end - begin)
                roles[line, at] = role
        give = lambda array: torch.from_numpy(array).to(DEVICE)
        vectors = torch.cat([self.vectors([one[6] for one in read]), self.vectors([one[7] for one in read])], -1)
        return [give(numbers[0]), give(numbers[1]), give(numbers[2]), give(mask), give(shares), vectors], give(roles), give(asks)


@torch.no_grad()
def measure(network, reader, turns):
    network.eval()
    right, sure, sure_right, count = 0, 0, 0, 0
    likely, wanted = [], []
    for begin in range(0, len(turns), 256):
        given, roles, asks = reader.batch(turns[begin : begin + 256], False)
        told, asked = network(*given)
        shares, best = told.softmax(-1).max(-1)
        there = roles >= 0
        hit = (best == roles) & there
        right, count = right + hit.sum().item(), count + there.sum().item()
        sure, sure_right = sure + ((shares > 0.9) & there).sum().item(), sure_right + (hit & (shares > 0.9)).sum().item()
        likely.append(asked.sigmoid().cpu())
        wanted.append(asks.cpu())
    likely, wanted = torch.cat(likely), torch.cat(wanted) > 0
    out = [f"sums {right / max(1, count):.3f} of {count}, sure of {sure / max(1, count):.3f}, of these {sure_right / max(1, sure):.3f}"]
    for least in (0.5, 0.7, 0.85):
        told = likely > least
        hit = (told & wanted).sum().item()
        out.append(f"asks over {least}: right {hit / max(1, told.sum().item()):.3f} found {hit / max(1, wanted.sum().item()):.3f}")
    out.append(f"whole turns {((likely > 0.5) == wanted).all(1).float().mean():.3f}; missed below 0.03: {((likely < 0.03) & wanted).sum() / max(1, wanted.sum()):.3f}")
    return " · ".join(out)


def packed(network):
    """The weights in the layout of `../../data/README.md`; the words are the roles, then the asks."""
    words = ROLES + ASKS
    out = bytearray(b"DURUSENT" + struct.pack("<II", len(words), 0))
    for word in words:
        out += struct.pack("<Hf", len(word.encode()), 0.0) + word.encode()
    out += np.zeros(len(words), "<f4").tobytes()
    for name, value in network.state_dict().items():
        value = value.float().cpu().numpy()
        if value.ndim == 2 and not name.startswith(("kind", "first", "pos")):
            value = value.T
        out += bytes([len(name)]) + name.encode()
        if value.ndim == 1:
            out += struct.pack("<BII", 1, 1, len(value)) + value.astype("<f4").tobytes()
            continue
        steps = np.abs(value).max(0) / 127 + 1e-12
        out += struct.pack("<BII", 2, *value.shape) + steps.astype("<f4").tobytes()
        out += np.clip(np.round(value / steps), -127, 127).astype("i1").tobytes()
    return bytes(out)


def main():
    out, settings = sys.argv[1], Settings()
    for argument in sys.argv[2:]:
        key, _, value = argument.partition("=")
        setattr(settings, key, type(getattr(settings, key))(value))
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    file = PackedFile(os.path.join(HERE, "..", "..", "data", "encoder.bin"))
    encoder = Encoder(file).to(DEVICE).eval()
    reader = Reader(Cutter(file.pieces), encoder, rng)
    talks = conversations(os.path.join(HERE, "talks"))
    learnt, held_out = split(talks)
    if settings.full:
        learnt = talks
    learnt, held_out = [[(talk, at) for talk in some for at in range(len(talk))] for some in (learnt, held_out)]
    print(len(talks), "conversations;", len(learnt), "turns to learn from,", len(held_out), "held out", flush=True)
    composer = PackedFile(os.path.join(HERE, "..", "..", "data", "composer.bin")).weights
    network = Network(encoder, composer, settings).to(DEVICE)
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.lr, weight_decay=0.02)
    steps, at, begin = settings.epochs * (len(learnt) // 64), 0, time.time()
    for epoch in range(settings.epochs):
        rng.shuffle(learnt)
        network.train()
        for first in range(0, len(learnt) - 63, 64):
            rate = settings.lr * min(1, (at + 1) / 200) * (0.5 * (1 + math.cos(math.pi * at / max(1, steps))) + 0.01)
            for group in optimizer.param_groups:
                group["lr"] = rate
            given, roles, asks = reader.batch(learnt[first : first + 64], True)
            told, asked = network(*given)
            loss = F.cross_entropy(told.flatten(0, 1), roles.flatten(), ignore_index=-100, label_smoothing=0.03)
            loss = loss + 12 * F.binary_cross_entropy_with_logits(asked, asks)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            at += 1
        if (epoch + 1) % max(1, settings.epochs // 5) == 0:
            print(epoch + 1, f"loss {loss.item():.3f}", measure(network, reader, held_out), round(time.time() - begin), "s", flush=True)
    with open(out, "wb") as file_out:
        file_out.write(packed(network))


if __name__ == "__main__":
    main()
