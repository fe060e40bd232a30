#!/usr/bin/env python3
"""Trains the network that reads questions into frames.

Usage: python3 train.py [KEY=VALUE ...]

  d=256      width of the network, divisible by 4
  le=4       layers of the encoder, which reads the question
  ld=2       layers of the decoder, which writes the frame
  epochs=60  how often all questions are seen
  seed=1     seed of all that is random; also names the files that are written
  drop=0.15  share of numbers dropped while training
  lr=6e-4    highest rate of learning
  bs=128     questions in a batch
  w=3        processes that prepare batches, at least 1
  full=0     1: train with the held-out questions too; what is measured then says nothing
  limit=1e9  stop after so many seconds

Reads questions/*.txt and ../data/encoder.bin. Into the folder $OUT, or this one, it writes

  net_SEED.npz   the weights, in half precision
  net_SEED.json  the vocabulary and the shape, which pack.py needs too
  err_SEED.txt   held-out questions that were read otherwise than labelled
"""

import contextlib
import glob
import json
import math
import os
import random
import sys
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from aug import added_texts, augment
from data import END, PAD, SPECIAL_TOKENS, START, Coder, Pieces, load, normal, same_frame, split
from data import surfaces_of, vocabulary_of
from labels import KINDS
from model import MOST_SLOTS, Network

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

PAD_NUMBER, START_NUMBER, END_NUMBER = (SPECIAL_TOKENS.index(token) for token in (PAD, START, END))

# How many questions are changed (`aug.py`) before they are shown to the network.
AUGMENTED_SHARE = 0.7

# How much it counts that the kinds of pieces are told rightly, beside the words of frames.
KINDS_SHARE = 0.3

# The rate of learning rises for so many steps.
WARM_UP_STEPS = 300

# Stands for the kind of padding, which is not learnt.
NOT_A_PIECE = -100

# So often, in epochs, the network is measured on the held-out questions.
MEASURED_EVERY = 15

# So many questions are read at once when measuring, and so many words are written at most.
READ_AT_ONCE = 256
MOST_WRITTEN = 90


@dataclass
class Settings:
    """What the command line says; see the top of this file."""

    d: int = 256
    le: int = 4
    ld: int = 2
    epochs: int = 60
    seed: int = 1
    drop: float = 0.15
    lr: float = 6e-4
    bs: int = 128
    w: int = 3
    full: int = 0
    limit: float = 1e9


def read_settings(arguments):
    """The settings from `KEY=VALUE` arguments."""
    settings = Settings()
    for argument in arguments:
        key, _, value = argument.partition("=")
        if not value or key not in vars(settings):
            sys.exit(__doc__)
        # The default says what type of number it is.
        setattr(settings, key, type(getattr(settings, key))(value))
    return settings


class Questions:
    """All questions, and what turns them into numbers."""

    def __init__(self, full):
        self.pieces = Pieces(os.path.join(HERE, "..", "data", "encoder.bin"))
        examples = load(sorted(glob.glob(os.path.join(HERE, "questions", "*.txt"))))
        self.training, self.held_out = split(examples, full)
        self.vocabulary = vocabulary_of(examples)
        self.surfaces = surfaces_of(self.training)
        self.coder = Coder(self.pieces, self.vocabulary)
        self.cut_beforehand(examples)

    def cut_beforehand(self, examples):
        """Cuts all texts into pieces once.

        It is done before the processes that prepare batches start, so that they inherit the cuts.
        """
        for example in examples:
            self.coder.encode(example)
        texts = [text for example in examples for text, _ in example.segments] + added_texts()
        for text in texts:
            text = text.strip()
            if text:
                self.coder.cut(normal(text, True))
                self.coder.cut(normal(text, False))

    def tensors(self, examples, rng=None, bare=False):
        """A batch for the network, and the slots of each question.

        The batch: what `Network.encode` takes, then the labelled kinds of the pieces, then the words of the
        frames from `START` to `END`, padding only for a bare question. With an `rng`, questions are changed (`aug.py`) and disturbed (`data.py`), as they are for training.
        """
        if rng is None:
            encoded = [self.coder.encode(one, bare=bare) for one in examples]
        else:
            changed = [
                (augment(one, rng, self.surfaces) if rng.random() < AUGMENTED_SHARE else None) or one
                for one in examples
            ]
            encoded = [self.coder.encode(one, rng, self.surfaces) for one in changed]
        most_pieces = max(len(one.pieces) for one in encoded)
        most_tokens = max(len(one.target) for one in encoded) + 2
        pieces, kinds, second_kinds, firsts, slot_places, labelled_kinds = (
            torch.zeros(len(encoded), most_pieces, dtype=torch.long) for _ in range(6)
        )
        slot_places -= 1
        labelled_kinds += NOT_A_PIECE
        is_piece = torch.zeros(len(encoded), most_pieces, dtype=torch.bool)
        tokens = torch.zeros(len(encoded), most_tokens, dtype=torch.long)
        last_slot = len(self.vocabulary) + MOST_SLOTS - 1
        for row, one in enumerate(encoded):
            length = len(one.pieces)
            pieces[row, :length] = torch.tensor(one.pieces)
            kinds[row, :length] = torch.tensor(one.kinds)
            second_kinds[row, :length] = torch.tensor(one.second_kinds)
            firsts[row, :length] = torch.tensor(one.firsts)
            slot_places[row, :length] = torch.tensor(one.slot_places).clamp(max=MOST_SLOTS - 1)
            labelled_kinds[row, :length] = torch.tensor(one.labelled_kinds)
            is_piece[row, :length] = True
            tokens[row, 0] = START_NUMBER
            if not one.target:
                continue
            end = len(one.target) + 1
            tokens[row, 1:end] = torch.tensor([min(token, last_slot) for token in one.target])
            tokens[row, end] = END_NUMBER
        batch = (pieces, kinds, second_kinds, firsts, slot_places, is_piece, labelled_kinds, tokens)
        return batch, [one.slots for one in encoded]


class Batches(torch.utils.data.Dataset):
    """The batches of all epochs one after the other, so that the processes that prepare them live on.

    What is random depends on the seed, the epoch and the batch alone, not on which process prepares it.
    """

    def __init__(self, questions, settings):
        self.questions = questions
        self.seed = settings.seed
        self.epochs = settings.epochs
        self.batch_size = settings.bs
        self.per_epoch = (len(questions.training) + settings.bs - 1) // settings.bs
        self.epoch = -1
        self.of_epoch = []

    def __len__(self):
        return self.per_epoch * self.epochs

    def batches(self, epoch):
        """The questions of an epoch, batch by batch.

        Questions of about the same length come together, which saves padding: sixteen batches' worth of
        questions are sorted at a time.
        """
        if self.epoch != epoch:
            rng = random.Random(self.seed * 1000 + epoch)
            examples = self.questions.training[:]
            rng.shuffle(examples)
            self.epoch = epoch
            self.of_epoch = []
            sorted_at_once = self.batch_size * 16
            for begin in range(0, len(examples), sorted_at_once):
                some = sorted(examples[begin : begin + sorted_at_once], key=lambda one: len(one.question))
                self.of_epoch += [
                    some[at : at + self.batch_size] for at in range(0, len(some), self.batch_size)
                ]
            rng.shuffle(self.of_epoch)
        return self.of_epoch

    def __getitem__(self, number):
        epoch, at = divmod(number, self.per_epoch)
        rng = random.Random(self.seed * 7919 + epoch * 1009 + at)
        return self.questions.tensors(self.batches(epoch)[at], rng)[0]


class RunningMean:
    """A running mean of the weights over the steps: steadier than the weights of any one step."""

    def __init__(self, network):
        self.network = network
        self.mean = {
            name: weights.detach().clone()
            for name, weights in network.state_dict().items()
            if weights.dtype.is_floating_point
        }
        # These share their memory with the weights, so that they always are the present ones.
        present = dict(network.state_dict())
        self.present = [present[name] for name in self.mean]

    def update(self, step):
        """Every fourth step is enough. At first, the mean follows faster, to forget the random weights."""
        if step % 4 == 0:
            torch._foreach_lerp_(list(self.mean.values()), self.present, 0.01 if step > 400 else 0.1)

    def load(self):
        """Gives the network the mean weights."""
        self.network.load_state_dict(self.mean, strict=False)

    @contextlib.contextmanager
    def loaded(self):
        """Gives the network the mean weights for a while."""
        own = {name: weights.detach().clone() for name, weights in self.network.state_dict().items()}
        self.load()
        yield
        self.network.load_state_dict(own, strict=False)


@torch.no_grad()
def written_frames(network, batch):
    """For each question the numbers of the likeliest words, one by one, and how likely all of them are."""
    *question, _, _ = [tensor.to(DEVICE) for tensor in batch]
    is_piece = question[-1]
    rows, slots, has_slot = network.encode(*question)
    count = len(is_piece)
    tokens = torch.full((count, 1), START_NUMBER, dtype=torch.long, device=DEVICE)
    log_likely = torch.zeros(count, device=DEVICE)
    done = torch.zeros(count, dtype=torch.bool, device=DEVICE)
    for _ in range(MOST_WRITTEN):
        scores = network.decode(tokens, rows, slots, has_slot, is_piece)[:, -1]
        log_share, token = F.log_softmax(scores, -1).max(-1)
        token = torch.where(done, torch.full_like(token, PAD_NUMBER), token)
        log_likely += torch.where(done, torch.zeros_like(log_share), log_share)
        tokens = torch.cat([tokens, token[:, None]], 1)
        done |= token == END_NUMBER
        if done.all():
            break
    return tokens[:, 1:].tolist(), log_likely.exp().tolist()


def read(network, questions, examples):
    """What the network reads questions as: for each the words of a frame, and how likely it is."""
    vocabulary = questions.vocabulary
    frames = []
    network.eval()
    for begin in range(0, len(examples), READ_AT_ONCE):
        batch, slots_of_all = questions.tensors(examples[begin : begin + READ_AT_ONCE])
        for numbers, likely, slots in zip(*written_frames(network, batch), slots_of_all):
            frame = []
            for number in numbers:
                if number in (PAD_NUMBER, END_NUMBER):
                    break
                slot = number - len(vocabulary)
                if slot < 0:
                    frame.append(vocabulary[number])
                else:
                    frame.append(slots[slot] if slot < len(slots) else "?")
            frames.append((frame, likely))
    network.train()
    return frames


@dataclass
class Score:
    """How the held-out questions were read."""

    # The share of frames exactly as labelled: of all, and by file.
    exact: float
    by_source: dict
    # The frames with how likely they are, and whether each is as labelled.
    frames: list
    right: list


def score(network, questions):
    """Measures a network on the held-out questions."""
    frames = read(network, questions, questions.held_out)
    right = [same_frame(frame, one.frame) for (frame, _), one in zip(frames, questions.held_out)]
    by_source = {}
    for one, is_right in zip(questions.held_out, right):
        by_source.setdefault(one.source, []).append(is_right)
    shares = {source: round(sum(of_it) / len(of_it), 3) for source, of_it in by_source.items()}
    return Score(sum(right) / len(right), shares, frames, right)


def optimizer_of(network, rate):
    """Matrices decay, vectors (biases and norms) don't."""
    matrices = [weights for weights in network.parameters() if weights.dim() > 1]
    vectors = [weights for weights in network.parameters() if weights.dim() <= 1]
    return torch.optim.AdamW(
        [dict(params=matrices, weight_decay=0.05), dict(params=vectors, weight_decay=0)],
        lr=rate,
        betas=(0.9, 0.98),
        fused=DEVICE == "cuda",
    )


def learn(network, optimizer, batch):
    """Learns from a batch; returns the loss."""
    *question, labelled_kinds, tokens = [tensor.to(DEVICE, non_blocking=True) for tensor in batch]
    is_piece = question[-1]
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        rows, slots, has_slot = network.encode(*question)
        scores = network.decode(tokens[:, :-1], rows, slots, has_slot, is_piece).float()
        kinds = network.tag(rows).float()
    expected = tokens[:, 1:]
    # A batch of bare questions has no words to write.
    of_words = F.cross_entropy(
        scores.reshape(-1, scores.shape[-1]), expected.reshape(-1), ignore_index=PAD_NUMBER, reduction="sum"
    ) / (expected != PAD_NUMBER).sum().clamp(min=1)
    of_kinds = F.cross_entropy(
        kinds.reshape(-1, kinds.shape[-1]), labelled_kinds.reshape(-1), ignore_index=NOT_A_PIECE
    )
    loss = of_words + KINDS_SHARE * of_kinds
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.detach()


def train(network, questions, settings):
    """Trains a network; it has the running mean of its weights in the end."""
    optimizer = optimizer_of(network, settings.lr)
    mean = RunningMean(network)
    batches = Batches(questions, settings)
    loader = torch.utils.data.DataLoader(
        batches, batch_size=None, num_workers=settings.w, prefetch_factor=8, pin_memory=True
    )
    begin = time.time()
    steps = len(batches)
    loss_of_all = 0
    for step, batch in enumerate(loader, 1):
        falling = 0.5 * (1 + math.cos(math.pi * min(1, step / steps))) + 0.02
        for group in optimizer.param_groups:
            group["lr"] = settings.lr * min(step / WARM_UP_STEPS, 1) * falling
        loss_of_all += learn(network, optimizer, batch)
        mean.update(step)
        if step % 50 == 0 and time.time() - begin > settings.limit:
            print("limit at", step, "of", steps, flush=True)
            break
        if step % (batches.per_epoch * MEASURED_EVERY) == 0 or step == steps:
            present = score(network, questions)
            with mean.loaded():
                exact_by_mean = score(network, questions).exact
            epoch, loss = step // batches.per_epoch, round(float(loss_of_all) / step, 3)
            exact = ("mean", round(exact_by_mean, 3), "exact", round(present.exact, 3))
            print(epoch, loss, *exact, present.by_source, round(time.time() - begin), "s", flush=True)
    mean.load()


@torch.no_grad()
def report_kinds(network, questions):
    """Prints how well the pieces of slots are told from others where no slot is marked."""
    network.eval()
    found = pieces_of_slots = told = of_kind = 0
    for begin in range(0, len(questions.held_out), READ_AT_ONCE):
        batch, _ = questions.tensors(questions.held_out[begin : begin + READ_AT_ONCE], bare=True)
        *question, labelled, _ = [tensor.to(DEVICE) for tensor in batch]
        kinds = network.tag(network.encode(*question)[0]).argmax(-1)
        is_piece = question[-1]
        found += int(((kinds > 0) & (labelled > 0) & is_piece).sum())
        of_kind += int(((kinds == labelled) & (labelled > 0) & is_piece).sum())
        pieces_of_slots += int((labelled > 0).sum())
        told += int(((kinds > 0) & is_piece).sum())
    print("pieces of slots found", found / pieces_of_slots, "told rightly", found / max(1, told))
    print("and of the right kind", of_kind / pieces_of_slots, flush=True)


def report(questions, scored, path):
    """Prints how often what is likely is right, and writes down what was read otherwise than labelled."""
    likely = [of_it for _, of_it in scored.frames]
    for bound in (0.9, 0.8, 0.7, 0.5):
        right = [is_right for of_it, is_right in zip(likely, scored.right) if of_it >= bound]
        print("p>=", bound, len(right) / len(likely), "right", sum(right) / max(1, len(right)))
    wrong = [
        f'{of_it:.2f} {one.source} {one.question}\n   gold {" ".join(one.frame)}\n   pred {" ".join(frame)}'
        for (frame, of_it), one, is_right in zip(scored.frames, questions.held_out, scored.right)
        if not is_right
    ]
    with open(path, "w", encoding="utf8") as file:
        file.write("\n".join(wrong))


def save(network, questions, settings, path):
    """Writes the weights and what is needed to use them."""
    weights = {name: tensor.half().cpu().numpy() for name, tensor in network.state_dict().items()}
    np.savez_compressed(path + ".npz", **weights)
    shape = dict(d=settings.d, le=settings.le, ld=settings.ld)
    with open(path + ".json", "w", encoding="utf8") as file:
        json.dump(
            dict(vocab=questions.vocabulary, kinds=KINDS, **shape, scale=questions.pieces.scale()), file
        )


def main():
    settings = read_settings(sys.argv[1:])
    torch.manual_seed(settings.seed)
    questions = Questions(full=settings.full == 1)
    vocabulary_size = len(questions.vocabulary)
    print(len(questions.training), len(questions.held_out), "vocab", vocabulary_size, flush=True)
    table = questions.pieces.table * questions.pieces.scale()
    network = Network(table, vocabulary_size, settings.d, settings.le, settings.ld, settings.drop).to(DEVICE)
    print("params", sum(weights.numel() for weights in network.parameters()) / 1e6, flush=True)
    train(network, questions, settings)
    folder = os.environ.get("OUT", HERE)
    report(questions, score(network, questions), os.path.join(folder, f"err_{settings.seed}.txt"))
    report_kinds(network, questions)
    save(network, questions, settings, os.path.join(folder, f"net_{settings.seed}"))


if __name__ == "__main__":
    main()
