"""Spoils a JSON document at one place: the same ways as `Spoiling` of NyanVKTests, at full size."""

import json

DEEP = "[" * 10_000 + "]" * 10_000
WAYS = {
    "null": "null",
    "0": "0",
    "-1": "-1",
    "2^63-1": "9223372036854775807",
    "2^63": "9223372036854775808",
    "-2^63": "-9223372036854775808",
    "1e308": "1e308",
    "true": "true",
    "[]": "[]",
    "{}": "{}",
    "empty": '""',
    "2^63-1 as text": '"9223372036854775807"',
    "a megabyte": '"' + "ж" * (1 << 19) + '"',
    "NUL": '"a\\u0000b"',
    "half a pair": '"\\ud800"',
    "escapes": '"\\u001b[2J\\u001b]0;x\\u0007\\r\\n\\u009b31m"',
    "bidi": '"\\u202e\\u2066abc\\u200f"',
    "marks": '"' + "a" + "\u0301" * 10_000 + '"',
    "path": '"../../../../etc/passwd"',
    "file": '"file:///etc/passwd"',
    "javascript": '"javascript:alert(1)"',
    "deep": DEEP,
    "wide": "[" + "{}," * 50_000 + "1]",
    "digits": "9" * 10_000,
    "twice": '{"id":1,"id":2,"count":1,"count":-1,"items":[],"items":{}}',
    "no JSON": "nan",
    "missing": None,
}


def paths(value, path=()):
    """Every place, the whole included; of a list its first two elements."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], path + (key,))
    elif isinstance(value, list):
        for index in range(min(2, len(value))):
            yield from paths(value[index], path + (index,))


def spoilt(body, path, way):
    """The document with `WAYS[way]` at `path`; as it was where there is no such place."""
    mark = "\u0001spoilt\u0001"
    try:
        document = json.loads(body)
    except ValueError:
        return body
    place, holder = document, {"all": document}
    key = "all"
    try:
        for step in path:
            holder, key, place = place, step, place[step]
    except (KeyError, IndexError, TypeError):
        return body
    if WAYS[way] is None:
        if path:
            del holder[key]
        text = json.dumps(document, ensure_ascii=False) if path else ""
    else:
        holder[key] = mark
        text = json.dumps(document if path else mark, ensure_ascii=False)
        text = text.replace(json.dumps(mark), WAYS[way])
    return text.encode("utf-8", "surrogatepass")
