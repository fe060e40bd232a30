"""New questions from labelled ones, by changes of which it is known what they do to the frame.

A time is added or taken away, a condition is added, something polite or hurried is said before or after, a
value is named together with its column. So the network sees wordings and frames in combinations that nobody
wrote down.
"""

import copy
import re

from data import slots_of, uses_only

# How often which change is made. The first two exclude each other: they share one draw.
WITHOUT_TIME_SHARE = 0.12
WITH_TIME_SHARE = 0.15
WITH_VALUE_SHARE = 0.25
OPENING_SHARE = 0.2
CLOSING_SHARE = 0.2
NAMED_COLUMN_SHARE = 0.08
# A question that is refused or asked back about has no frame to change: it only gets an opening or a closing.
WITHOUT_FRAME_SHARE = 0.3

# What people say before and after a question, and what changes nothing of its meaning.
KOREAN_OPENINGS = [
    "급한데요 ",
    "혹시 ",
    "안녕하세요, ",
    "보고서 때문에 그런데 ",
    "지금 회의 들어가야 돼서 ",
    "고객 전화 와서요 ",
    "별건 아니고 ",
    "확인차 여쭤보는데 ",
    "장애 같아서 ",
    "새벽에 미안한데 ",
    "음 ",
    "아 그리고 ",
    "팀장님이 물어보셔서요 ",
    "배포하고 나서 불안해서 그런데 ",
    "저기요 ",
    "일단 ",
    "빨리 좀 ",
    "알람 울려서 봤더니 이상해서요. ",
    "오늘 처음 써보는데 ",
    "엑셀에 붙일 거라 ",
    "ㅠㅠ ",
    "어 잠깐 ",
    "그 뭐냐 ",
]
KOREAN_CLOSINGS = [
    " 알려줘",
    " 부탁드려요",
    " 좀",
    " 급해요",
    " 보여주세요",
    " ㄱㄱ",
    " 뽑아줘",
    " (보고용)",
    " 확인 부탁",
    " 바로요",
    " ㅠㅠ",
    " 궁금합니다",
    "요?",
    " 정리해줘",
    " 주세요~",
    " 감사합니다",
    " 표로",
    " 숫자로만",
    " 딱 그것만",
]
ENGLISH_OPENINGS = [
    "hey, ",
    "quick one: ",
    "sorry to bother - ",
    "for the weekly report: ",
    "customer on the phone, ",
    "ok so ",
    "can you tell me ",
    "i need ",
    "pls show ",
    "boss is asking: ",
    "just woke up to an alert. ",
    "um ",
    "need this fast - ",
    "not sure where to look, ",
    "give me ",
    "tell me ",
    "after the deploy things look odd; ",
    "before the meeting: ",
]
ENGLISH_CLOSINGS = [
    " please",
    " thanks",
    " asap",
    " pls",
    ", need it for a slide",
    " (for the report)",
    " - thx",
    " if you can",
    " right now",
    ", just that",
    " ok?",
    " for the postmortem",
]

# How a condition is added before a question, or after it (in English only: a Korean question ends with its
# verb).
KOREAN_VALUE_BEFORE = [
    "{}쪽 ",
    "{}에서 ",
    "{} ",
    "{} 관련 ",
    "{} 중에 ",
    "{}만 ",
    "{} 기준으로 ",
    "{} 건만 봤을 때 ",
]
ENGLISH_VALUE_BEFORE = ["in {}: ", "for {}, ", "{} only - ", "within {}, ", "{}: ", "{} - "]
ENGLISH_VALUE_AFTER = [" in {}", " for {}", " ({} only)", " on {}", ", {} only"]

# Words for columns that may follow a value without saying anything more.
KOREAN_COLUMNS = ["서비스", "서버", "환경", "레벨", "상태", "채널", "지점", "타입", "등급", "버전"]
ENGLISH_COLUMNS = [
    "service",
    "environment",
    "level",
    "status",
    "channel",
    "branch",
    "type",
    "server",
    "version",
]

# The first words of the parts of a frame after what is shown, in their order.
PART_ORDER = ["by", "where", "time", "vs", "having", "order", "limit", "ends", "each", "cumulative", "moving"]


def parts_of(frame):
    """The words of a frame, part by part."""
    parts = [[]]
    for token in frame:
        if token == ";":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def joined(parts):
    """The words of a frame from its parts."""
    frame = []
    for at, part in enumerate(parts):
        frame += ([";"] if at else []) + part
    return frame


def with_part(parts, new):
    """The parts with a new one at its place."""
    rank = PART_ORDER.index(new[0])
    at = 1
    while at < len(parts) and PART_ORDER.index(parts[at][0]) < rank:
        at += 1
    return parts[:at] + [new] + parts[at:]


def fresh_slot(example, kind):
    """A name for another slot of this kind."""
    numbers = [int(slot[len(kind) :]) for slot in example.slots if re.fullmatch(kind + r"\d+", slot)]
    return f"{kind}{max(numbers or [0]) + 1}"


def augment(example, rng, surfaces):
    """A changed question, or None if the changes do not fit together.

    `surfaces` are texts of slots by kind and language, to choose from for slots that are added.
    """
    if example.frame[0] in ("refuse", "ask"):
        return decorated(example, rng) if rng.random() < WITHOUT_FRAME_SHARE else example
    example = copy.copy(example)
    parts = change_time(example, parts_of(example.frame), rng, surfaces)
    # Questions for the different values of something get no further condition.
    if rng.random() < WITH_VALUE_SHARE and parts[0][0] != "values":
        parts = add_value(example, parts, rng, surfaces)
    example.frame = joined(parts)
    example = decorated(example, rng)
    if rng.random() < NAMED_COLUMN_SHARE:
        name_column(example, rng)
    example.slots = slots_of(example.segments)
    return example if uses_only(example.frame, example.slots) else None


def change_time(example, parts, rng, surfaces):
    """Takes the time away, or adds one to a question without; returns the frame's parts."""
    times = [token for token in example.frame if token.startswith("T") and token[1:].isdigit()]
    first_words = [part[0] for part in parts[1:]]
    draw = rng.random()
    if draw < WITHOUT_TIME_SHARE and "time" in first_words and len(times) == 1 and "vs" not in first_words:
        example.segments = [segment for segment in example.segments if segment[1] != times[0]]
        return [part for part in parts if part[0] != "time"]
    has_time = times or any(slot.startswith("T") for slot in example.slots)
    if draw < WITHOUT_TIME_SHARE + WITH_TIME_SHARE and not has_time:
        return add_time(example, parts, rng, surfaces)
    return parts


def add_time(example, parts, rng, surfaces):
    """Adds a time before or after a question; returns the frame's parts."""
    slot = fresh_slot(example, "T")
    time = rng.choice(surfaces[("T", example.korean)])
    if example.korean or rng.random() < 0.4:
        between = " " if example.korean else rng.choice([", ", " ", ": "])
        example.segments = [(time, slot), (between, "")] + example.segments
    else:
        example.segments = example.segments + [(" ", ""), (time, slot)]
    return with_part(parts, ["time", slot])


def add_value(example, parts, rng, surfaces):
    """Adds a condition before or after a question; returns the frame's parts."""
    slot = fresh_slot(example, "V")
    value = rng.choice(surfaces[("V", example.korean)])
    in_front = example.korean or rng.random() < 0.5
    if in_front:
        before, after = rng.choice(KOREAN_VALUE_BEFORE if example.korean else ENGLISH_VALUE_BEFORE).split(
            "{}"
        )
        example.segments = (
            ([(before, "")] if before else []) + [(value, slot), (after, "")] + example.segments
        )
    else:
        before, after = rng.choice(ENGLISH_VALUE_AFTER).split("{}")
        example.segments = example.segments + [(before, ""), (value, slot)] + ([(after, "")] if after else [])
    for at, part in enumerate(parts):
        if at and part[0] == "where":
            # Conditions stand in the order of the question.
            conditions = [slot] + part[1:] if in_front else part[1:] + [slot]
            return parts[:at] + [["where"] + conditions] + parts[at + 1 :]
    return with_part(parts, ["where", slot])


def decorated(example, rng):
    """The question with something before or after it that changes nothing."""
    example = copy.copy(example)
    if rng.random() < OPENING_SHARE:
        opening = rng.choice(KOREAN_OPENINGS if example.korean else ENGLISH_OPENINGS)
        example.segments = [(opening, "")] + example.segments
    if rng.random() < CLOSING_SHARE:
        closing = rng.choice(KOREAN_CLOSINGS if example.korean else ENGLISH_CLOSINGS)
        example.segments = example.segments + [(closing, "")]
    return example


def name_column(example, rng):
    """Puts the word for its column behind a value ("payment service"), which says nothing more."""
    segments = example.segments
    values = [at for at, (_, slot) in enumerate(segments) if re.fullmatch(r"V\d+", slot)]
    if not values:
        return
    at = rng.choice(values)
    following = segments[at + 1][0] if at + 1 < len(segments) else " "
    # A particle belongs to the value, and "per", "each" or their like would make the column a grouping.
    has_particle = example.korean and following[:1] not in (" ", "")
    if has_particle or re.match(r"\s*(별|마다|당|per|each|by)", following):
        return
    slot = fresh_slot(example, "Cc")
    column = rng.choice(KOREAN_COLUMNS if example.korean else ENGLISH_COLUMNS)
    example.segments = segments[: at + 1] + [(" ", ""), (column, slot)] + segments[at + 1 :]


def added_texts():
    """All texts that may be added, in pieces as they stand between slots."""
    around_values = KOREAN_VALUE_BEFORE + ENGLISH_VALUE_BEFORE + ENGLISH_VALUE_AFTER
    texts = KOREAN_OPENINGS + KOREAN_CLOSINGS + ENGLISH_OPENINGS + ENGLISH_CLOSINGS
    return texts + [text for template in around_values for text in template.split("{}")]
