"""New models from a few numbers."""

import math

import pytest

import pawl


def test_every_generator_runs_with_its_defaults():
    assert list(pawl.generators()) == ["fourbar", "slider_crank", "cam", "geneva", "ratchet",
                                       "escapement", "latch", "gear_train"]
    for name, generator in pawl.generators().items():
        assert generator.summary and generator.numbers
        result = pawl.new_model(name).run()
        assert result.complete and result.audit.passed, name


def test_numbers_and_lists_are_values():
    model = pawl.new_model("gear_train", teeth=[20, 60], module=3, speed="10 rad/s")
    result = model.run()
    assert result["shaft2.omega"][-1] == pytest.approx(-10 / 3, rel=1e-12)
    assert model.check().positions["shaft2"].x == pytest.approx(0.12)
    lifts = [10 * (1 - math.cos(2 * math.pi * i / 24)) / 2 for i in range(24)]
    assert pawl.new_model("cam", table=lifts, return_=100).run().audit.passed


def test_numbers_that_make_no_mechanism_raise_with_the_reason():
    with pytest.raises(pawl.ModelError, match="at least 3 slots"):
        pawl.new_model("geneva", slots=2)
    with pytest.raises(pawl.ModelError, match="did you mean 'slots'"):
        pawl.new_model("geneva", slot=2)
