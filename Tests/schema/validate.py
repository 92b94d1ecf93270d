#!/usr/bin/python3
"""Holds what nyanctl really printed with --json against the schemas of docs/json.

Reads one JSON object from standard input:

    help    what `nyanctl help --json` printed
    cases   array of {"form", "output", "errors", "status"}: a key of docs/json/commands.json, and what came

Checked: the schemas are valid and all in use; each command of `help` has its entries in commands.json; each document fits
its schema, and would not if a key were missing or unknown; each form that prints something was seen; what went wrong is
one error document on standard error. Prints what is wrong, a line each; exit 0 = nothing, 1 = something.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator, RefResolver, exceptions

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/json"
BASE = FOLDER.as_uri() + "/"
SCHEMAS = {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.schema.json"))}
STORE = {BASE + name: schema for name, schema in SCHEMAS.items()}
# They want a terminal and print no document.
ON_SCREEN = {"player", "ui"}
FORMS = json.loads((FOLDER / "commands.json").read_text())


def validator(name):
    schema = SCHEMAS[name + ".schema.json"]
    resolver = RefResolver(BASE + name + ".schema.json", schema, store=STORE)
    return Draft202012Validator(schema, resolver=resolver)


def references(schema):
    """Names of the files that a schema refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and not value.startswith("#"):
                yield value.split("#")[0]
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def files():
    used = {f"{name}.schema.json" for name in FORMS.values() if name} | {"error.schema.json"}
    for name, schema in SCHEMAS.items():
        try:
            Draft202012Validator.check_schema(schema)
        except exceptions.SchemaError as error:
            yield f"{name}: no valid schema: {error.message}"
        used |= set(references(schema))
    for name in sorted(used - set(SCHEMAS)):
        yield f"{name} is referred to and not there"
    for name in sorted(set(SCHEMAS) - used):
        yield f"{name} describes nothing that commands.json names"


def commands(help):
    names = {command["name"] for command in help["commands"]}
    for name in sorted(names - set(FORMS)):
        yield f"`{name}` is missing in docs/json/commands.json (null: prints nothing with --json)"
    for form in FORMS:
        if form.split()[0] not in names | ON_SCREEN | {"--version"}:
            yield f"commands.json: there is no command `{form}`"


def variants(document):
    """The document with a key too few, and with one too many, at every place."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield f"without {key}", {k: v for k, v in document.items() if k != key}
            for what, changed in variants(value):
                yield f"{key} {what}", {**document, key: changed}
        yield "with an unknown key", {**document, "unheard-of": 1}
    elif isinstance(document, list) and document:
        for what, changed in variants(document[0]):
            yield what, [changed] + document[1:]


def fits(name, line, strict):
    try:
        document = json.loads(line)
    except ValueError as error:
        yield f"no JSON: {error}: {line[:200]!r}"
        return
    check = validator(name)
    for error in check.iter_errors(document):
        yield f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
    if strict:
        for what, changed in variants(document):
            if check.is_valid(changed):
                yield f"{name}.schema.json takes a document {what}"


def lines(text):
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")


def cases(cases):
    seen, known = set(), set()
    for case in cases:
        form, output, status = case["form"], case["output"], case["status"]
        if form not in FORMS:
            yield f"`{form}` is not in docs/json/commands.json"
            continue
        name, where = FORMS[form], f"`{form}` ({case.get('words', '')})"
        found = lines(output) if output else []
        if name is None and output:
            yield f"{where} printed {output[:100]!r}"
        elif name and status == 0 and not found:
            yield f"{where} printed nothing"
        elif name and len(found) > 1 and not form.endswith("--follow"):
            yield f"{where} printed {len(found)} lines, not one document"
        elif name:
            for line in found:
                # Enough of the long ones; of followed lines each has another shape.
                strict = name not in known or form.endswith("--follow") or len(line) < 400
                for wrong in fits(name, line, strict):
                    yield f"{where}: {wrong}"
                known.add(name)
                seen.add(form)
        if name is None and status == 0:
            seen.add(form)
        failed = [line for line in lines(case["errors"]) if line] if case["errors"] else []
        # doctor's findings are its answer; they are no error.
        if status and not (form == "doctor" and status == 1) and len(failed) != 1:
            yield f"{where} ended with {status} and said {failed}"
        if status:
            for line in failed:
                for wrong in fits("error", line, True):
                    yield f"{where}, standard error: {wrong}"
    for form in FORMS:
        if form not in seen | ON_SCREEN:
            yield f"`{form}`: no run of it was looked at"


def main():
    given = json.load(sys.stdin)
    wrong = list(files()) + list(commands(json.loads(given["help"]))) + list(cases(given["cases"]))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
