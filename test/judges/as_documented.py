"""
Two checks of schemathesis, softened by what the API document says in words. They take the place of its own checks
`positive_data_acceptance` and `negative_data_rejection`; see `schemathesis.ts`.
"""

import copy
import json
import re
from typing import Any
from urllib.parse import unquote

import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

IN_THE_ADDRESS = (ParameterLocation.PATH, ParameterLocation.QUERY)


@schemathesis.check
def accepts_what_is_documented(ctx: Any, response: Any, case: Any) -> None:
    """A request that fits its schema is refused with 400 for a rule only that the operation names (`x-refusals`)."""
    try:
        positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        if response.status_code == 413 or refusal_name(response) in named_refusals(case):
            return
        raise


@schemathesis.check
def refuses_what_is_not_documented(ctx: Any, response: Any, case: Any) -> None:
    """A request that does not fit its schema is refused, unless it is a looser spelling of one that fits."""
    try:
        negative_data_rejection(ctx, response, case)
    except AcceptedNegativeData:
        if not is_looser_spelling(case):
            raise


def named_refusals(case: Any) -> list[str]:
    return case.operation.definition.raw.get("x-refusals", [])


def refusal_name(response: Any) -> str:
    """As `refusalName` in test/integration/api/contract.test.ts."""
    answer = response.json()
    fields = list(answer.get("fields", {}))
    return f"{answer['code']}.{fields[0]}" if answer["code"] == "invalid_input" and len(fields) == 1 else answer["code"]


def is_looser_spelling(case: Any) -> bool:
    """Whether the request fits once blanks around texts are gone and numbers and objects are no texts any more."""
    parameters = [one for one in case.operation.iter_parameters() if one.location in IN_THE_ADDRESS]
    return all(parameter_fits(one, case) for one in parameters) and body_fits(case)


def parameter_fits(parameter: Any, case: Any) -> bool:
    values = (case.path_parameters if parameter.location == ParameterLocation.PATH else case.query) or {}
    if parameter.name not in values:
        return not parameter.is_required
    value, validator = values[parameter.name], parameter.get_validator()
    texts = [unquote(value), *readings(unquote(value))] if isinstance(value, str) else [value]
    return any(validator.is_valid(text) for text in texts)


def body_fits(case: Any) -> bool:
    if case.body is NOT_SET:
        return not any(body.is_required for body in case.operation.body)
    body = case.operation.get_body_for_media_type(case.media_type)
    if body is None or not isinstance(case.body, dict):
        return False
    validator = make_validator(body.optimized_schema, case.operation.schema.adapter.jsonschema_validator_cls)
    tidy = copy.deepcopy(case.body)
    while True:
        errors = [list(error.instance_path) for error in validator.iter_errors(tidy)]
        if not errors:
            return True
        if not any(tidy_at(tidy, path, len(errors), validator) for path in errors if path):
            return False


def tidy_at(body: Any, path: list[Any], errors: int, validator: Any) -> bool:
    """Replaces a text by a reading of it that leaves fewer errors. Returns whether there is one."""
    *parents, last = path
    within = body
    for key in parents:
        within = within[key]
    text = within[last]
    for reading in readings(text) if isinstance(text, str) else []:
        within[last] = reading
        if len(list(validator.iter_errors(body))) < errors:
            return True
    within[last] = text
    return False


def readings(text: str) -> list[Any]:
    found: list[Any] = [text.strip()] if text.strip() != text else []
    plain = re.sub(r"[\s€]", "", text)
    if re.fullmatch(r"-?\d{1,3}(\.\d{3})+(,\d+)?", plain):
        plain = plain.replace(".", "")
    if re.fullmatch(r"-?\d+([.,]\d+)?", plain):
        number = float(plain.replace(",", "."))
        found.append(int(number) if number.is_integer() else number)
    if text.strip().startswith("{"):
        try:
            found.append(json.loads(text))
        except ValueError:
            pass
    return found
