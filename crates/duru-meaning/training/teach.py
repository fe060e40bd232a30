#!/usr/bin/env python3
"""Has a large language model write more labelled questions.

Usage: python3 teach.py MODEL.gguf OUT.txt [KEY=VALUE ...]

  epochs=2    how often the model sees all questions at most
  learn=360   seconds it learns at most
  write=360   seconds it writes at most
  lr=2e-5     highest rate of learning
  bs=96       questions in a batch
  at_once=1024  questions that are written at once
  seed=1      seed of all that is random

The model learns both ways: to read a labelled question into its frame, and to write a labelled question for a frame. Then it
writes questions for frames such as people's questions have, and reads each of them: only those are kept
that are well formed and that it reads as the frame they were written for. The held-out questions (`data.py`) are
not learnt from; how many of them it reads rightly is printed.

Needs torch, transformers, gguf and a GPU with 60 GB.
"""

import glob
import math
import os
import random
import sys
import time
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from transformers import AutoModelForCausalLM, AutoTokenizer

from aug import augment
from check import fault
from data import HANGUL, frame_tokens, load, same_frame, segments_of, slots_of, split, surfaces_of
from labels import ARROW, MARKED_SLOT, is_slot, kind_of

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# Not counted when the loss is taken.
IGNORED = -100

# No labelled question and no frame has more pieces than this.
MOST_WRITTEN = 130
MOST_READ = 80

# A question is written by one of so many likeliest pieces at every place.
CHOICES = 50

# Every second frame is one that a change (`aug.py`) makes of a person's.
CHANGED_SHARE = 0.5


@dataclass
class Settings:
    """What the command line says; see the top of this file."""

    epochs: int = 2
    learn: float = 360
    write: float = 360
    lr: float = 2e-5
    bs: int = 96
    at_once: int = 1024
    seed: int = 1


def read_settings(arguments):
    """The settings from `KEY=VALUE` arguments."""
    settings = Settings()
    for argument in arguments:
        key, _, value = argument.partition("=")
        if not value or key not in vars(settings):
            sys.exit(__doc__)
        setattr(settings, key, type(getattr(settings, key))(value))
    return settings


def frame_text(tokens):
    """A frame as it is written in the files."""
    text = ""
    for token in tokens:
        ended = text[-1:].isalnum() or text.endswith(")")
        begins = token[0].isalnum() or token[0] == "-"
        text += (" " if token == ";" or text.endswith(";") or (ended and begins) else "") + token
    return text


def to_read(question):
    return f"read: {question}\n"


def to_write(korean, frame):
    return f"write {'Korean' if korean else 'English'}: {frame}\n"


class Model:
    """The large model, with what turns texts into numbers."""

    def __init__(self, path):
        folder, name = os.path.split(os.path.abspath(path))
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
        self.network = AutoModelForCausalLM.from_pretrained(
            folder, gguf_file=name, dtype=torch.float32
        ).to(DEVICE)
        self.end = self.tokenizer.eos_token_id

    def numbers(self, text):
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]

    def loss(self, batch):
        """How unlikely the second texts of pairs are after the first ones."""
        rows = []
        for first, second in batch:
            rows.append((first + second + [self.end], len(first)))
        longest = max(len(row) for row, _ in rows)
        numbers = torch.full((len(rows), longest), self.end)
        expected = torch.full((len(rows), longest), IGNORED)
        seen = torch.zeros(len(rows), longest, dtype=torch.long)
        for at, (row, given) in enumerate(rows):
            numbers[at, : len(row)] = torch.tensor(row)
            expected[at, given : len(row)] = torch.tensor(row[given:])
            seen[at, : len(row)] = 1
        numbers, expected, seen = (tensor.to(DEVICE) for tensor in (numbers, expected, seen))
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            rows = self.network.model(input_ids=numbers, attention_mask=seen).last_hidden_state
            counts = expected[:, 1:] != IGNORED
            scores = self.network.lm_head(rows[:, :-1][counts])
        return F.cross_entropy(scores.float(), expected[:, 1:][counts])

    @torch.no_grad()
    def continued(self, texts, most, **choice):
        """What the model writes after each text."""
        self.tokenizer.padding_side = "left"
        given = self.tokenizer(texts, add_special_tokens=False, padding=True, return_tensors="pt").to(DEVICE)
        written = self.network.generate(
            input_ids=given["input_ids"],
            attention_mask=given["attention_mask"],
            max_new_tokens=most,
            pad_token_id=self.end,
            eos_token_id=self.end,
            **choice,
        )
        return self.tokenizer.batch_decode(written[:, given["input_ids"].shape[1] :], skip_special_tokens=True)

    def read(self, questions, at_once):
        """The frames of labelled questions."""
        frames = [""] * len(questions)
        # Those of about the same length together, which saves padding.
        order = sorted(range(len(questions)), key=lambda at: len(questions[at]))
        for begin in range(0, len(order), at_once):
            some = order[begin : begin + at_once]
            read = self.continued([to_read(questions[at]) for at in some], MOST_READ, do_sample=False)
            for at, frame in zip(some, read):
                frames[at] = frame.strip()
        return frames


def learn(model, examples, settings):
    """The model learns to read and to write."""
    pairs = []
    for one in examples:
        frame = frame_text(one.frame)
        pairs.append((model.numbers(to_read(one.question)), model.numbers(frame)))
        pairs.append((model.numbers(to_write(one.korean, frame)), model.numbers(one.question)))
    optimizer = torch.optim.AdamW(
        model.network.parameters(), lr=settings.lr, betas=(0.9, 0.95), weight_decay=0.01, fused=DEVICE == "cuda"
    )
    model.network.train()
    rng = random.Random(settings.seed)
    steps = settings.epochs * (len(pairs) // settings.bs)
    begin, step = time.time(), 0
    for epoch in range(settings.epochs):
        for batch in batches_of(pairs, settings.bs, rng):
            # The rate falls to nothing by the last step, or by the end of the time if that is earlier.
            gone = max(step / steps, (time.time() - begin) / settings.learn)
            if gone >= 1:
                break
            rate = settings.lr * min(1, (step + 1) / 30) * 0.5 * (1 + math.cos(math.pi * gone))
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = model.loss(batch)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            length = torch.nn.utils.clip_grad_norm_(model.network.parameters(), 1.0)
            # One step that can't be reckoned would spoil all weights for good.
            if torch.isfinite(length):
                optimizer.step()
            step += 1
            if step % 25 == 0:
                seconds = round(time.time() - begin)
                print("epoch", epoch, "step", step, "of", steps, "loss", round(loss.item(), 3), seconds, "s", flush=True)
    model.network.eval()


def batches_of(pairs, size, rng):
    """The pairs in a new order, those of about the same length together."""
    pairs = pairs[:]
    rng.shuffle(pairs)
    batches = []
    for begin in range(0, len(pairs), size * 16):
        some = sorted(pairs[begin : begin + size * 16], key=lambda pair: len(pair[0]) + len(pair[1]))
        batches += [some[at : at + size] for at in range(0, len(some), size)]
    rng.shuffle(batches)
    return batches


def measure(model, held_out, at_once):
    """Prints how many held-out questions the model reads as they are labelled."""
    frames = model.read([one.question for one in held_out], at_once)
    right = [same_frame(frame_tokens(frame, one.slots), one.frame) for frame, one in zip(frames, held_out)]
    for name, korean in (("Korean", True), ("English", False)):
        of_it = [is_right for is_right, one in zip(right, held_out) if one.korean == korean]
        print("held out,", name, round(sum(of_it) / max(1, len(of_it)), 4), "of", len(of_it), flush=True)
    print("held out, all", round(sum(right) / len(right), 4), flush=True)


def drawn_frame(examples, surfaces, rng):
    """A frame such as people's questions have, and whether the question is to be Korean."""
    one = rng.choice(examples)
    if rng.random() < CHANGED_SHARE:
        one = augment(one, rng, surfaces) or one
    return one.korean, frame_text(one.frame)


def renumbered(question, frame):
    """A labelled question with its slots numbered in the order in which they appear, as people number them."""
    names, counts = {}, {}
    for slot in slots_of(segments_of(question)):
        kind = kind_of(slot)
        counts[kind] = counts.get(kind, 0) + 1
        names[slot] = f"{kind}{counts[kind]}"
    question = MARKED_SLOT.sub(lambda marked: f"{{{marked[1]}|{names[marked[2]]}}}", question)
    tokens = frame_tokens(frame, [])
    if not all(token in names for token in tokens if is_slot(token)):
        return None
    renamed = frame_text([names.get(token, token) for token in tokens])
    return question, frame_text(frame_tokens(renamed, slots_of(segments_of(question))))


def written_questions(model, examples, surfaces, rng, at_once):
    """Well-formed questions that the model writes for frames, with these."""
    drawn = [drawn_frame(examples, surfaces, rng) for _ in range(at_once)]
    texts = [to_write(korean, frame) for korean, frame in drawn]
    questions = model.continued(texts, MOST_WRITTEN, do_sample=True, temperature=1.0, top_k=CHOICES)
    for (korean, frame), question in zip(drawn, questions):
        labelled = renumbered(question.strip(), frame)
        if labelled and not fault(ARROW.join(labelled)) and bool(HANGUL.search(labelled[0])) == korean:
            yield labelled


def write(model, examples, path, settings):
    """The model writes labelled questions into a file until its time is up."""
    surfaces = surfaces_of(examples)
    known = {one.question for one in examples}
    rng = random.Random(settings.seed)
    torch.manual_seed(settings.seed)
    begin, tried, kept = time.time(), 0, 0
    with open(path, "w", encoding="utf8") as file:
        while time.time() - begin < settings.write:
            labelled = list(written_questions(model, examples, surfaces, rng, settings.at_once))
            read = model.read([question for question, _ in labelled], settings.at_once)
            tried += settings.at_once
            for (question, frame), again in zip(labelled, read):
                slots = slots_of(segments_of(question))
                same = same_frame(frame_tokens(again, slots), frame_tokens(frame, slots))
                if same and question not in known:
                    known.add(question)
                    kept += 1
                    file.write(question + ARROW + frame + "\n")
            file.flush()
            print("written", tried, "well formed", len(labelled), "kept", kept, round(time.time() - begin), "s", flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    settings = read_settings(sys.argv[3:])
    torch.manual_seed(settings.seed)
    examples = load(sorted(glob.glob(os.path.join(HERE, "questions", "*.txt"))))
    training, held_out = split(examples, full=False)
    model = Model(sys.argv[1])
    print("loaded", len(training), len(held_out), flush=True)
    learn(model, training, settings)
    model.network.to(torch.bfloat16)
    measure(model, held_out, settings.at_once)
    write(model, training, sys.argv[2], settings)


if __name__ == "__main__":
    main()
