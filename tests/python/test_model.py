"""Models in Python: reading, values, the builder, errors."""

import math
import pickle
import warnings

import pytest

import pawl
from conftest import BALL

G = 9.81


def fall_time(height):
    return math.sqrt(2 * (height - 0.1) / G)


def test_a_model_is_read_and_run(ball):
    result = ball.run()
    assert result.complete and result.status == "completed" and result.audit.passed
    assert result.events[0].t == pytest.approx(fall_time(1), rel=1e-9)


def test_a_file_is_read(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(BALL)
    model = pawl.Model.from_file(path, height="2 m")
    assert model.file == str(path)
    assert model.text == BALL
    assert model.run().events[0].t == pytest.approx(fall_time(2), rel=1e-9)


def test_parameters_are_attributes(ball):
    assert ball.parameters.height == 1
    assert list(ball.parameters) == ["height"] and "height" in dir(ball.parameters)
    info = ball.parameters.info("height")
    assert (info.unit, info.min, info.max, info.is_input) == ("m", 0.5, 3, False)
    ball.parameters.height = 2  # SI
    assert ball.parameters["height"] == 2
    ball.parameters.height = "150 cm"
    assert ball.parameters.height == 1.5
    assert ball.run().events[0].t == pytest.approx(fall_time(1.5), rel=1e-9)
    with pytest.raises(AttributeError, match="it has height"):
        ball.parameters.width
    with pytest.raises(pawl.ModelError, match="width"):
        ball.parameters.width = 2


def test_a_changed_model_is_another_one(ball):
    higher = ball.changed(height=2)
    assert (ball.parameters.height, higher.parameters.height) == (1, 2)
    other = ball.changed({"contact.C.restitution": 0.8})
    speeds = [model.run().events[0].normal_velocity_after for model in (ball, other)]
    assert speeds[1] / speeds[0] == pytest.approx(0.8 / 0.5, rel=1e-9)


def test_settings_are_attributes_and_keywords(ball):
    assert ball.settings.end == 1 and ball.settings.integrator == "auto"
    assert ball.run(end=0.3).t[-1] == 0.3
    assert ball.run(end="200 ms").t[-1] == 0.2
    assert ball.settings.end == 1
    ball.settings.end = 0.5
    ball.settings.integrator = "dop853"
    assert ball.run().t[-1] == 0.5
    with pytest.raises(pawl.ModelError, match="did you mean 'dop853'"):
        ball.settings.integrator = "dop85"
    with pytest.raises(AttributeError, match="rtol"):
        ball.settings.tolerance


def test_changes_of_one_value_do_not_pile_up(ball):
    for height in range(10, 50):
        ball.parameters.height = height / 20 + 0.2
    assert len(ball._core.overrides()) == 1


def test_a_model_can_be_pickled(ball):
    ball.parameters.height = 2
    ball.settings.end = 0.4
    copy = pickle.loads(pickle.dumps(ball))
    assert copy.parameters.height == 2 and copy.settings.end == 0.4


def test_check_counts_degrees_of_freedom(ball):
    check = ball.check()
    assert check.degrees_of_freedom == 3 and check.redundant == () and check.warnings == ()
    assert check.positions["ball"] == pawl.BodyPosition(0, 1, 0)


def test_errors_carry_all_their_places():
    text = BALL.replace("restitution", "restitutio").replace('"skin"\n', '"skim"\n')
    with pytest.raises(pawl.ModelError) as caught:
        pawl.Model(text, file="bad.toml")
    places = [(d.severity, d.file, d.line) for d in caught.value.diagnostics]
    assert places == [("error", "bad.toml", 16), ("error", "bad.toml", 17)]
    assert "did you mean 'restitution'" in caught.value.diagnostics[1].message
    assert str(caught.value).startswith("bad.toml:16:6: error:")
    assert isinstance(caught.value, pawl.PawlError)


def test_what_cannot_be_assembled_is_an_error_of_its_own():
    text = """format = 1
body.ground.points = { far = [3, 0] }
body.rod = { mass = 1, inertia = 1, points = { A = [1, 0] } }
joint.O = { type = "revolute", a = "ground", b = "rod" }
joint.A = { type = "revolute", a = "ground.far", b = "rod.A" }
"""
    model = pawl.Model(text)
    for run in (model.check, model.kinematics, model.dynamics, model.statics):
        with pytest.raises(pawl.AssemblyError) as caught:
            run()
        assert caught.value.diagnostics[0].line == 5
    assert model._repr_svg_() is None


def test_a_run_that_ends_early_keeps_its_motion():
    # A four-bar that cannot turn through: the driver meets a dead point.
    model = (pawl.Builder().body("ground", points={"D": [0.3, 0]})
             .body("crank", angle="60 deg", points={"A": [0.3, 0]})
             .body("coupler", angle="10 deg", points={"B": [0.3, 0]})
             .body("rocker", angle="80 deg", points={"B": [0.1, 0]})
             .joint("O", "revolute", a="ground", b="crank")
             .joint("A", "revolute", a="crank.A", b="coupler")
             .joint("B", "revolute", a="coupler.B", b="rocker.B")
             .joint("D", "revolute", a="ground.D", b="rocker")
             .driver("motor", "speed", joint="O", speed=1).run(end=20).model())
    with pytest.raises(pawl.RunError) as caught:
        model.kinematics()
    result = caught.value.result
    assert result is not None and not result.complete and 0 < result.t[-1] < 20
    assert caught.value.diagnostics[0].message


def test_warnings_of_a_model_are_python_warnings(ball):
    with pytest.warns(pawl.ModelWarning, match="outside min and max"):
        ball.parameters.height = 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ball.parameters.height = 2


def test_the_builder_writes_what_the_reader_reads():
    built = (pawl.Builder("Ball").units(length="mm").parameter("height", 1000, min=500)
             .input("push", "0 N")
             .body("ball", mass="1 kg", inertia="0.1 kg m^2", position=[0, "height"])
             .profile("skin", body="ball", elements=[{"type": "circle", "radius": 100}])
             .profile("floor", body="ground",
                      elements=[{"type": "line", "from": [5000, 0], "to": [-5000, 0]}])
             .contact("C", a="floor", b="skin", restitution=0.5)
             .force("weight", "gravity")
             .run(analysis="dynamics", end="1 s"))
    model = built.model()
    assert [line for line in built.text().splitlines() if "height =" in line] == [
        "height = { value = 1000, min = 500 }"]
    assert 'name = "Ball"' in model.text
    assert model.run().events[0].t == pytest.approx(fall_time(1), rel=1e-9)
    assert "coefficient of restitution" in pawl.Builder.contact.__doc__
    with pytest.raises(TypeError, match="mas"):
        pawl.Builder().body("rod", mas=1)
    with pytest.raises(pawl.ModelError, match="did you mean 'axis'"):
        pawl.Builder().body("rod").joint("J", "prismatic", a="ground", b="rod", axes=1).model()
    with pytest.raises(TypeError, match="no value like"):
        pawl.Builder().body("rod", mass=object()).text()


def test_texts_survive_the_builder():
    name = 'a "quoted" \\ name\twith ünïcode'
    assert pawl.Builder(name).model().text.splitlines()[1] == (
        'name = "a \\"quoted\\" \\\\ name\\twith ünïcode"')


def test_the_schema_and_the_version_are_those_of_the_library():
    import json

    assert "joint" in json.loads(pawl.schema())["properties"]
    assert pawl.__version__.count(".") == 2
