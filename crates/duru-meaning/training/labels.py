"""The label language: kinds of slots, and how slots and frames are written.

README.md explains the language; `check.py` holds the grammar of frames.
"""

import re

# The kinds of slots. The place of a kind in this list is its number in the network, so the order must stay
# the same as that of `KINDS` in `../src/composer.rs`. The first one stands for "no slot".
KINDS = ["", "V", "I", "X", "Cc", "Ci", "Cn", "Ct", "Cx", "Cb", "A", "M", "R", "T", "D", "N", "P"]

# A slot's name: its kind and its number, such as `Cc1`.
SLOT_NAME = rf"(?:{'|'.join(KINDS[1:])})\d+"
IS_SLOT_NAME = re.compile(rf"^{SLOT_NAME}$")

# A slot in a question: `{text|Cc1}`.
MARKED_SLOT = re.compile(rf"\{{([^{{}}|]+)\|({SLOT_NAME})\}}")

# A word of a frame: a slot, a word, a comparison, a number, or any single sign.
FRAME_TOKEN = re.compile(rf"{SLOT_NAME}|[a-z]+|>=|<=|-?\d+(?:\.\d+)?|[^\s]")

# Between a question and its frame.
ARROW = " => "

HANGUL = re.compile("[가-힣]")


def kind_of(slot):
    """The kind of a slot: `Cc` for `Cc1`."""
    return re.match(r"[A-Z][a-z]?", slot)[0]


def is_slot(token):
    """Whether a word of a frame is a slot."""
    return IS_SLOT_NAME.match(token) is not None
