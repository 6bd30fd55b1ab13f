"""The JSON Schema for editors: every example model is valid by it, and mistakes are found."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

import pawl

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*.toml"))


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(pawl.schema())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def test_every_example_is_valid(validator):
    assert len(MODELS) > 50
    for path in MODELS:
        problems = list(validator.iter_errors(tomllib.loads(path.read_text(encoding="utf-8"))))
        assert not problems, (path.name, problems[0].message)


@pytest.mark.parametrize("text", [
    "format = 1\n[body.rod]\nmas = 1\n",
    "format = 1\n[joint.O]\ntype = 'hinge'\n",
    "format = 1\n[run]\nintegrator = 'rk5'\n",
    "format = 1\nbodies = 3\n",
    "name = 'no format'\n",
])
def test_mistakes_are_found(validator, text):
    assert not validator.is_valid(tomllib.loads(text))
