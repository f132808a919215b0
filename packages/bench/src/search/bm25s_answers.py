"""Answers questions with bm25s: JSON in, for each question the numbers of the best texts out."""

import json
import sys

import bm25s
import Stemmer

given = json.load(sys.stdin)
options = {
    "stopwords": "en",
    "stemmer": Stemmer.Stemmer("english") if given["stems"] else None,
    "show_progress": False,
}
index = bm25s.BM25()
index.index(bm25s.tokenize(given["texts"], **options), show_progress=False)
most = min(given["most"], len(given["texts"]))
questions = bm25s.tokenize(given["questions"], **options)
texts, scores = index.retrieve(questions, k=most, show_progress=False)
found = [
    [int(text) for text, score in zip(row, values) if score > 0]
    for row, values in zip(texts, scores)
]
json.dump(found, sys.stdout)
