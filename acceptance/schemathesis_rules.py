"""What Schemathesis has to know of our description beyond JSON Schema: country codes, and rules of several parameters.

The rules stand in `x-dependencies`, in the language of IDL4OAS: `Or`, `OnlyOne`, `ZeroOrOne`, `AllOrNone`, `IF … THEN …;`.
"""

import json
import os
import re

import schemathesis
from hypothesis import strategies

codes = json.loads(os.environ["COUNTRY_CODES"])
schemathesis.openapi.format("iso-3166-1-alpha-2", strategies.sampled_from(codes))
schemathesis.openapi.format("ip", strategies.ip_addresses().map(str))
schemathesis.openapi.format("csv", strategies.sampled_from(["q\nBerlin\n", "id,q\n1,Oslo\n"]))

counts = {
    "Or": lambda present, of: present > 0,
    "OnlyOne": lambda present, of: present == 1,
    "ZeroOrOne": lambda present, of: present < 2,
    "AllOrNone": lambda present, of: present in (0, of),
}


def holds(condition, given, defaults):
    """Whether a condition, `a AND b` or `a==value`, is met; a name on the right side stands for its value."""
    for term in condition.split(" AND "):
        name, _, wanted = term.partition("==")
        got = given.get(name, defaults.get(name))
        if got is None or (wanted and str(got) != str(given.get(wanted, wanted))):
            return False
    return True


def is_allowed(rule, given, defaults):
    least, relation, most = rule.rstrip(";").partition("<=")
    if relation:
        return least not in given or most not in given or given[least] <= given[most]
    named = re.fullmatch(r"(\w+)\((.*)\);", rule)
    if named:
        names = named[2].split(", ")
        return counts[named[1]](sum(name in given for name in names), len(names))
    condition, consequence = re.fullmatch(r"IF (.*) THEN (.*);", rule).groups()
    return not holds(condition, given, {}) or holds(consequence, given, defaults)


def is_box(text):
    """Whether a text is west,south,east,north in degrees, which no pattern says."""
    west, south, east, north = map(float, text.split(","))
    return max(abs(west), abs(east)) <= 180 and -90 <= south <= north <= 90


@schemathesis.check
def accepted_as_described(ctx, response, case):
    """A request that is valid by the schemas and the rules is not refused with 400."""
    if response.status_code != 400 or not case.meta.generation.mode.is_positive:
        return
    body = case.body if isinstance(case.body, dict) else {}
    given = {**(case.query or {}), **(case.headers or {}), **body}
    given.setdefault("variant", given.get("X-API-Variant", "default"))
    if "bbox" in given and not is_box(given["bbox"]):
        return
    definition = case.operation.definition.raw
    defaults = {one["name"]: one["schema"].get("default") for one in definition.get("parameters", []) if "schema" in one}
    if all(is_allowed(rule, given, defaults) for rule in definition.get("x-dependencies", [])):
        raise AssertionError(f"valid as described, but refused: {response.text[:400]}")
