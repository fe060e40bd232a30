#!/usr/bin/env python3
"""Teaches the sentence encoder which passages answer the questions of `documents/`.

Usage: python3 train_encoder.py OUT.bin [KEY=VALUE ...]

  steps=300     steps of learning
  batch=12      documents in a step
  lr=3e-4       highest rate of learning
  table=0       1: the vectors of pieces learn, too
  scale=20      how much the cosine counts
  keep=0.5      how much it counts that texts keep the vectors that they had
  drop=0.1      share of the numbers of rows that is left out
  some=24       questions of every document in a step
  names=256     names of columns and values in a step, each with one of the phrases that people use for it
  full=0        1: learns from all documents; what is measured on held-out ones then says nothing
  seed=1
  more=FOLDER   further sets to measure with, as in `eval/documents`

Reads documents/, names/ and ../../data/encoder.bin; writes a file like that one. Prints how often a passage that answers is the
first, and among the first five: of the held-out documents, and of the sets.
"""

import glob
import math
import os
import random
import re
import sys
import time
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from documents import read_all, read_set, split
from encoder import Cutter, Encoder, PackedFile, packed, padded

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class Settings:
    """What the command line says; see the top of this file."""

    steps: int = 300
    batch: int = 12
    lr: float = 3e-4
    table: int = 0
    scale: float = 20
    keep: float = 0.5
    drop: float = 0.1
    some: int = 24
    names: int = 256
    full: int = 0
    seed: int = 1
    data: str = os.path.join(HERE, "documents")
    more: str = ""


def settings_of(arguments):
    settings = Settings()
    for argument in arguments:
        key, _, value = argument.partition("=")
        setattr(settings, key, type(getattr(settings, key))(value))
    return settings


class Corpus:
    """A document cut into pieces."""

    def __init__(self, document, cutter):
        self.name = document.name
        self.passages = [cutter.cut(passage.embedded()) for passage in document.passages]
        self.questions = [(cutter.cut(question.text), question) for question in document.questions]


class Names:
    """What systems call things, with the phrases of people."""

    def __init__(self, folder, cutter):
        phrases = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.tsv"))):
            with open(path, encoding="utf8") as file:
                for line in filter(str.strip, file):
                    name, phrase = line.rstrip("\n").split("\t")
                    phrases.setdefault(name, []).append(phrase)
        cut = [(cutter.cut(spelt_out(name)), [cutter.cut(one) for one in own]) for name, own in phrases.items()]
        random.Random(5).shuffle(cut)
        self.held_out, self.learnt = cut[: len(cut) // 8], cut[len(cut) // 8 :]


def spelt_out(name):
    """The words of a name: CardExpired, card_expired → card expired."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./]+", " ", name)
    return apart.lower() if apart.isascii() else apart


def chosen(scores, settings):
    """The loss of choosing the first for the first, the second for the second …, from both sides."""
    own = torch.arange(len(scores), device=scores.device)
    return F.cross_entropy(scores * settings.scale, own) + F.cross_entropy(scores.T * settings.scale, own)


@torch.no_grad()
def measure_names(encoder, names):
    """How often a phrase is nearest to its own name."""
    encoder.eval()
    known = vectors(encoder, [name for name, _ in names])
    right = count = 0
    for at, (_, phrases) in enumerate(names):
        nearest = (vectors(encoder, phrases) @ known.T).argmax(1)
        right += int((nearest == at).sum())
        count += len(phrases)
    return right / max(1, count)


def vectors(encoder, lists, drop=0.0, size=512):
    out = []
    for begin in range(0, len(lists), size):
        pieces, mask = padded(lists[begin : begin + size], DEVICE)
        rows = encoder.rows(pieces, mask)
        out.append(encoder.head(F.dropout(rows, drop, encoder.training), mask))
    return torch.cat(out)


@torch.no_grad()
def measure(encoder, corpus):
    """How many questions have an answer first, and among the first five, of how many."""
    encoder.eval()
    passages = vectors(encoder, corpus.passages)
    asked = [(cut, question) for cut, question in corpus.questions if question.answers]
    order = (vectors(encoder, [cut for cut, _ in asked]) @ passages.T).topk(min(5, len(passages)))[1].tolist()
    first = sum(places[0] in question.answers for places, (_, question) in zip(order, asked))
    five = sum(any(place in question.answers for place in places) for places, (_, question) in zip(order, asked))
    return first, five, len(asked)


def report(encoder, corpora, sets, names):
    total = [0, 0, 0]
    for corpus in corpora:
        total = [a + b for a, b in zip(total, measure(encoder, corpus))]
    told = [f"held out {total[0] / max(1, total[2]):.3f} {total[1] / max(1, total[2]):.3f}"]
    told.append(f"names {measure_names(encoder, names.held_out):.3f}")
    for corpus in sets:
        first, five, count = measure(encoder, corpus)
        told.append(f"{corpus.name} {first / count:.3f} {five / count:.3f}")
    return " · ".join(told)


def step(encoder, first, some, settings, rng):
    """What is to become less: of some documents, the questions and the passages that answer them."""
    lists, begins, asked, wanted = [], {}, [], []
    for corpus in some:
        begins[corpus.name] = len(lists)
        lists += corpus.passages
    for corpus in some:
        answered = [(cut, question) for cut, question in corpus.questions if question.answers]
        for cut, question in rng.sample(answered, min(settings.some, len(answered))):
            asked.append(cut)
            wanted.append([begins[corpus.name] + place for place in question.answers])
    passages = vectors(encoder, lists, settings.drop)
    questions = vectors(encoder, asked, settings.drop)
    scores = questions @ passages.T * settings.scale
    right = torch.zeros_like(scores, dtype=torch.bool)
    for at, places in enumerate(wanted):
        right[at, places] = True
    of_right = scores.masked_fill(~right, -1e9)
    loss = (scores.logsumexp(1) - of_right.logsumexp(1)).mean()
    # The other way round: which of the questions a passage answers.
    answering = right.any(0)
    turned, of_right = scores.T[answering], of_right.T[answering]
    loss = loss + 0.5 * (turned.logsumexp(1) - of_right.logsumexp(1)).mean()
    with torch.no_grad():
        before = torch.cat([vectors(first, lists), vectors(first, asked)])
    kept = 1 - (torch.cat([passages, questions]) * before).sum(1).mean()
    return loss + settings.keep * kept, loss.item(), kept.item()


def main():
    out, settings = sys.argv[1], settings_of(sys.argv[2:])
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    file = PackedFile(os.path.join(HERE, "..", "..", "data", "encoder.bin"))
    cutter = Cutter(file.pieces)
    documents = read_all(settings.data)
    learnt, held_out = split(documents)
    if settings.full:
        learnt = documents
    learnt, held_out = [Corpus(one, cutter) for one in learnt], [Corpus(one, cutter) for one in held_out]
    sets = [Corpus(read_set(folder), cutter) for folder in filter(None, settings.more.split(","))]
    names = Names(settings.data.replace("documents", "names"), cutter)
    count = sum(len(one.questions) for one in learnt)
    print(len(learnt), "documents,", count, "questions; held out", sum(len(one.questions) for one in held_out), flush=True)
    encoder, first = Encoder(file).to(DEVICE), Encoder(file).to(DEVICE).eval()
    print("before:", report(encoder, held_out, sets, names), flush=True)
    encoder.table.requires_grad_(bool(settings.table))
    groups = [{"params": list(encoder.all.parameters()), "lr": settings.lr}]
    if settings.table:
        groups.append({"params": [encoder.table], "lr": settings.lr})
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    begin = time.time()
    for at in range(settings.steps):
        falling = min(1, (at + 1) / 20) * (0.5 * (1 + math.cos(math.pi * at / settings.steps)) + 0.02)
        for group in optimizer.param_groups:
            group["lr"] = settings.lr * falling
        encoder.train()
        some = rng.sample(learnt, min(settings.batch, len(learnt)))
        total, loss, kept = step(encoder, first, some, settings, rng)
        if settings.names:
            drawn = rng.sample(names.learnt, min(settings.names, len(names.learnt)))
            of_names = vectors(encoder, [name for name, _ in drawn], settings.drop)
            of_phrases = vectors(encoder, [rng.choice(own) for _, own in drawn], settings.drop)
            total = total + 0.25 * chosen(of_phrases @ of_names.T, settings)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        if (at + 1) % max(1, settings.steps // 6) == 0:
            print(at + 1, f"loss {loss:.3f} moved {kept:.3f}", report(encoder, held_out, sets, names), round(time.time() - begin), "s", flush=True)
    weights = {name: encoder.all[name].detach().cpu().numpy() for name in encoder.names}
    with open(out, "wb") as file_out:
        file_out.write(packed(file.pieces, encoder.table.detach().cpu().numpy(), weights))


if __name__ == "__main__":
    main()
