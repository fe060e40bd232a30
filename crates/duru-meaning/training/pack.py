#!/usr/bin/env python3
"""Packs a trained network for the program: `python3 pack.py NET.npz NET.json OUT.bin`.

The layout is that of the sentence encoder (`../data/README.md`): the words of frames stand where that has its
pieces of words (with scores of 0 and vectors of no numbers), then come the weights by their names. Vectors
are kept as floats, matrices in one byte a number with a step for each column.
"""

import json
import struct
import sys

import numpy as np

# Embeddings are looked up row by row and stay as they are. All other matrices belong to linear layers, which
# the program multiplies from the other side: they are transposed.
EMBEDDINGS = ("kind", "first", "pos", "tok", "dpos")

VECTOR, MATRIX = 1, 2


def packed_vocabulary(vocabulary):
    """The words of frames, as pieces without scores and vectors."""
    packed = bytearray(struct.pack("<II", len(vocabulary), 0))
    for token in vocabulary:
        text = token.encode()
        packed += struct.pack("<Hf", len(text), 0.0) + text
    packed += np.zeros(len(vocabulary), "<f4").tobytes()
    return packed


def packed_weights(name, weights, scale):
    """A vector or a matrix with its name."""
    weights = weights.astype(np.float32)
    encoded_name = name.encode()
    header = bytes([len(encoded_name)]) + encoded_name
    if weights.ndim == 1:
        header += bytes([VECTOR]) + struct.pack("<II", 1, len(weights))
        return header + weights.astype("<f4").tobytes()
    if not name.startswith(EMBEDDINGS):
        weights = weights.T.copy()
    # The network was trained with scaled vectors of pieces; the program looks them up as they are.
    if name == "inp.weight":
        weights *= scale
    # The tiny addition keeps a column of zeros from being divided by zero.
    steps = np.abs(weights).max(0) / 127 + 1e-12
    signed_bytes = np.clip(np.round(weights / steps), -127, 127).astype("i1")
    header += bytes([MATRIX]) + struct.pack("<II", *weights.shape)
    return header + steps.astype("<f4").tobytes() + signed_bytes.tobytes()


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    network_path, settings_path, packed_path = sys.argv[1:]
    network = np.load(network_path)
    with open(settings_path, encoding="utf8") as file:
        settings = json.load(file)
    packed = bytearray(b"DURUSENT")
    packed += packed_vocabulary(settings["vocab"])
    for name in network.files:
        packed += packed_weights(name, network[name], settings["scale"])
    with open(packed_path, "wb") as file:
        file.write(packed)
    print(len(packed))


if __name__ == "__main__":
    main()
