"""What the tests of the Python package share."""

import matplotlib
import pytest

import pawl

matplotlib.use("Agg")

BALL = """format = 1
[parameters]
height = { value = "1 m", min = "0.5 m", max = "3 m" }
[body.ball]
mass = 1
inertia = 0.1
position = [0, "height"]
[profile.skin]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[contact.C]
a = "floor"
b = "skin"
restitution = 0.5
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = 1
step = 0.01
"""

DOUBLE_PENDULUM = """format = 1
[parameters]
first = "1 rad"
second = "1.5 rad"
[body.upper]
angle = "first"
mass = 1
centre = [0.5, 0]
inertia = 0.0833
points = { end = [1, 0] }
[body.lower]
angle = "second"
mass = 1
centre = [0.5, 0]
inertia = 0.0833
[joint.O]
type = "revolute"
a = "ground"
b = "upper"
[joint.A]
type = "revolute"
a = "upper.end"
b = "lower"
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = 5
step = 5
"""


@pytest.fixture
def ball():
    return pawl.Model(BALL, file="ball.toml")


@pytest.fixture
def double_pendulum():
    return pawl.Model(DOUBLE_PENDULUM)
