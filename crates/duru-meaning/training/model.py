"""The network: reads the pieces of a question and its slots, writes the words of a frame.

A transformer of two halves. The encoder reads the question; a slot's row is the mean of the rows of its
pieces, and each piece is given scores of the kinds it may be of, marked or not. The decoder writes the frame word by word; each word is one of the vocabulary, or points at a slot.

`pack.py` writes the weights by the names of the attributes here, and `../src/composer.rs` and
`../src/attention.rs` read them by these names, so the short names must stay. So must the number of heads, the
places of normalisation, and the activation.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import MOST_PIECES
from labels import KINDS

# `HEADS` in `../src/attention.rs`.
HEADS = 4

# So many slots of a question are told apart; all further ones are taken for the last.
MOST_SLOTS = 24

# So many words of a frame have a place of their own.
MOST_TOKENS = 96

# What is added to a variance, against division by zero; as good as nothing, since the program adds even less.
NORM_EPSILON = 1e-9

# The score of a slot that is not in the question.
IMPOSSIBLE = -1e4


def norm(width):
    return nn.LayerNorm(width, eps=NORM_EPSILON)


class Attention(nn.Module):
    """Rows look at others."""

    def __init__(self, width, dropout):
        super().__init__()
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.o = nn.Linear(width, width)
        self.share_dropped = dropout

    def forward(self, rows, others, mask=None, causal=False):
        batch, _, width = rows.shape

        def by_head(projected):
            return projected.view(batch, projected.shape[1], HEADS, width // HEADS).transpose(1, 2)

        seen = F.scaled_dot_product_attention(
            by_head(self.q(rows)),
            by_head(self.k(others)),
            by_head(self.v(others)),
            attn_mask=mask,
            is_causal=causal,
            dropout_p=self.share_dropped if self.training else 0,
        )
        return self.o(seen.transpose(1, 2).reshape(batch, rows.shape[1], width))


class FeedForward(nn.Module):
    """Each row is worked on by itself."""

    def __init__(self, width, dropout):
        super().__init__()
        self.a = nn.Linear(width, 4 * width)
        self.b = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows):
        return self.b(self.dropout(F.relu(self.a(rows))))


class EncoderLayer(nn.Module):
    """The pieces of a question look at each other."""

    def __init__(self, width, dropout):
        super().__init__()
        self.n1 = norm(width)
        self.n2 = norm(width)
        self.at = Attention(width, dropout)
        self.ff = FeedForward(width, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows, mask):
        normal = self.n1(rows)
        rows = rows + self.dropout(self.at(normal, normal, mask))
        return rows + self.dropout(self.ff(self.n2(rows)))


class DecoderLayer(nn.Module):
    """The words of a frame look at those before them, then at the question."""

    def __init__(self, width, dropout):
        super().__init__()
        self.n1 = norm(width)
        self.n2 = norm(width)
        self.n3 = norm(width)
        self.at = Attention(width, dropout)
        self.cr = Attention(width, dropout)
        self.ff = FeedForward(width, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows, question, mask):
        normal = self.n1(rows)
        rows = rows + self.dropout(self.at(normal, normal, causal=True))
        rows = rows + self.dropout(self.cr(self.n2(rows), question, mask))
        return rows + self.dropout(self.ff(self.n3(rows)))


class Network(nn.Module):
    """Reads questions, writes frames."""

    def __init__(self, table, vocabulary_size, width, encoder_layers, decoder_layers, dropout):
        """`table` has the scaled vectors of the pieces of words, which are not trained and not saved."""
        super().__init__()
        self.vocabulary_size = vocabulary_size
        self.width = width
        self.register_buffer("table", torch.tensor(table), persistent=False)
        # The order is that of the random numbers that the weights start with, and of the weights in the file.
        # A piece: its vector, the kinds of its slot, whether it is the first one there, and its place.
        self.inp = nn.Linear(table.shape[1], width)
        self.kind = nn.Embedding(len(KINDS), width)
        self.first = nn.Embedding(2, width)
        self.pos = nn.Embedding(MOST_PIECES, width)
        self.enc = nn.ModuleList(EncoderLayer(width, dropout) for _ in range(encoder_layers))
        self.en = norm(width)
        # A word of the frame: itself or the slot it points at, and its place.
        self.tok = nn.Embedding(vocabulary_size, width)
        self.slot = nn.Linear(width, width)
        self.dpos = nn.Embedding(MOST_TOKENS, width)
        self.dec = nn.ModuleList(DecoderLayer(width, dropout) for _ in range(decoder_layers))
        self.dn = norm(width)
        # What comes next: scores of the words, and what the slots' keys are compared with.
        self.out = nn.Linear(width, vocabulary_size)
        self.pq = nn.Linear(width, width)
        self.pk = nn.Linear(width, width)
        # Of what kind each piece is, marked or not.
        self.tag = nn.Linear(width, len(KINDS))
        self.dropout = nn.Dropout(dropout)
        for embedding in (self.kind, self.first, self.pos, self.tok, self.dpos):
            nn.init.normal_(embedding.weight, 0, 0.05)

    def encode(self, pieces, kinds, second_kinds, firsts, slot_places, is_piece):
        """The rows of the pieces, the rows of the slots, and which slots there are."""
        rows = (
            self.inp(self.table[pieces])
            + self.kind(kinds)
            + self.kind(second_kinds) * (second_kinds > 0)[..., None]
            + self.first(firsts)
            + self.pos(torch.arange(pieces.shape[1], device=pieces.device))
        )
        rows = self.dropout(rows)
        mask = is_piece[:, None, None, :]
        for layer in self.enc:
            rows = layer(rows, mask)
        rows = self.en(rows)
        # One column for each slot, with ones at its pieces; pieces without a slot (-1) lose theirs.
        belongs = F.one_hot(slot_places + 1, MOST_SLOTS + 1)[..., 1:].float() * is_piece[..., None].float()
        slots = belongs.transpose(1, 2) @ rows / (belongs.sum(1)[..., None] + 1e-6)
        return rows, slots, belongs.sum(1) > 0

    def decode(self, tokens, rows, slots, has_slot, is_piece):
        """The scores of what follows each word of a frame: first of all words, then of all slots."""
        points = tokens >= self.vocabulary_size
        slot_places = (tokens - self.vocabulary_size).clamp(0)[..., None].expand(-1, -1, self.width)
        embedded = torch.where(
            points[..., None],
            self.slot(slots.gather(1, slot_places)),
            self.tok(tokens.clamp(max=self.vocabulary_size - 1)),
        )
        written = self.dropout(embedded + self.dpos(torch.arange(tokens.shape[1], device=tokens.device)))
        mask = is_piece[:, None, None, :]
        for layer in self.dec:
            written = layer(written, rows, mask)
        written = self.dn(written)
        slot_scores = (self.pq(written) @ self.pk(slots).transpose(1, 2)) / math.sqrt(self.width)
        slot_scores = slot_scores.masked_fill(~has_slot[:, None, :], IMPOSSIBLE)
        return torch.cat([self.out(written), slot_scores], -1)
