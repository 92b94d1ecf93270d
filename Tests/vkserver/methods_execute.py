"""execute: up to 25 calls in one request (vk-api.md §2.7)."""

import json

import gate
import methods
from vkscript import Script
from vkscript_parts import CompileError, RunError

CALLS = 25


@methods.method("execute")
def execute(world, call):
    """Runs VKScript. Calls that fail are `false` and are told of in `execute_errors`."""
    try:
        script = Script(call.text("code"))
    except CompileError as problem:
        raise gate.Refusal(12, f"Unable to compile code: {problem}") from problem
    if not script.statements:
        raise gate.Refusal(12, "Unable to compile code: code is empty")
    errors, calls = [], 0

    def inner(name, arguments):
        nonlocal calls
        calls += 1
        if calls > CALLS:
            raise gate.Refusal(13, "Runtime error occurred during code invocation: too many api calls")
        if not isinstance(arguments, dict):
            raise gate.Refusal(13, "Runtime error occurred during code invocation: arguments must be an object")
        try:
            return _one(world, call, name, arguments)
        except gate.Substitute as other:
            return other.response
        except gate.Refusal as refusal:
            errors.append({"method": name, "error_code": refusal.code, "error_msg": refusal.message})
            return False

    try:
        response = script.run(inner)
    except (RunError, KeyError, TypeError, ValueError, ArithmeticError, RecursionError) as problem:
        raise gate.Refusal(13, f"Runtime error occurred during code invocation: {problem}") from problem
    if len(json.dumps(response, ensure_ascii=False)) > int(world.settings["execute-cap"]):
        raise gate.Refusal(13, "Runtime error occurred during code invocation: response size is too big")
    call.beside = {"execute_errors": errors} if errors else {}
    return response


def _one(world, call, name, arguments):
    """One inner call: same token and version, no rate of its own; scripted error codes hit it by its name."""
    function = methods.METHODS.get(name)
    if function is None or name == "execute":
        raise gate.Refusal(3)
    params = call.params | {key: _written(value) for key, value in arguments.items() if value is not None}
    params.pop("code", None)
    gate.check_client(world, call.token, name, call.headers, params)
    gate.check_limits(world, call.token, name, params)
    injection = world.injections.take(name)
    if injection is not None and injection.code:
        raise gate.Refusal(injection.code, injection.message, injection.subcode)
    return function(world, methods.Call(call.token, params, call.headers))


def _written(value):
    """An argument as a parameter."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return ",".join(str(part) for part in value)
    return str(value)
