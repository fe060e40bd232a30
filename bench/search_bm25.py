#!/usr/bin/env python3
"""BM25 over pairs of characters in plain Python, as the baseline of `cargo xtask bench search`.

Reads the lines that `duru-bench search-corpus` wrote, prints one JSON line of figures.
"""
import heapq
import json
import math
import re
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict

K1, B, POOL = 1.2, 0.75, 80


def pairs(text):
    found = []
    for word in re.findall(r"[가-힣A-Za-z0-9]+", text.lower()):
        found += [word[at : at + 2] for at in range(len(word) - 1)] if len(word) > 1 else [word]
    return found


def main():
    texts, questions = [], []
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "question" in row:
                questions.append(row["question"])
            else:
                texts.append(row["text"])
    began = time.perf_counter()
    postings, lengths = defaultdict(list), []
    for number, text in enumerate(texts):
        terms = pairs(text)
        lengths.append(len(terms))
        for term, count in Counter(terms).items():
            postings[term].append((number, count))
    chunks_per_s = len(texts) / (time.perf_counter() - began)
    mean = sum(lengths) / len(lengths)

    def search(question):
        scores = defaultdict(float)
        for term in pairs(question):
            found = postings.get(term, ())
            rarity = math.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                scores[number] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * lengths[number] / mean))
        return heapq.nlargest(POOL, scores, key=scores.get)

    search(questions[0])
    samples, cpu = [], time.process_time()
    for question in questions:
        began = time.perf_counter()
        search(question)
        samples.append((time.perf_counter() - began) * 1e3)
    cpu = (time.process_time() - cpu) * 1e3 / len(questions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({
        "bench": "search", "impl": "python-bm25", "unit": "ms/variation", "runs": len(samples),
        "median": round(statistics.median(samples), 3), "min": round(min(samples), 3), "max": round(max(samples), 3),
        "samples": [round(sample, 3) for sample in samples], "cpu_ms_per_variation": round(cpu, 3),
        "chunks_per_s": round(chunks_per_s), "ways_per_question": 1.0, "peak_rss_mib": round(peak),
        "params": {"chunks": len(texts)}, "versions": {"python": sys.version.split()[0]},
    }))


main()
