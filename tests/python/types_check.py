"""A program that mypy must accept, but for the lines marked with the error that it must find."""

import pawl

model = pawl.Model("format = 1\n", height="2 m")
model.parameters.height = 2.0
last: float = float(model.run(end=1)["t"][-1])
for event in model.run().events:
    rebound = event.find(pawl.facts.Rebound)
    if rebound is not None:
        ratio: float = rebound.restitution
        rebound.restution  # error: attr-defined
builder = pawl.Builder("crank").body("crank", mass="1 kg", points={"A": [1, 0]})
builder.joint("O", "revolute", a="ground", b="crank").driver("D", "speed", joint="O", speed=1)
builder.joint("P", "prismatic", a="ground", b="crank", axes=1)  # error: call-overload
builder.joint("P", "hinge", a="ground", b="crank")  # error: call-overload
builder.body("rod", mas=1)  # error: call-arg
builder.run(integrator="rk5")  # error: arg-type
simulation = pawl.Simulation(model)
simulation.set("push", 3)
simulation.drive(lambda t, s: {"push": -s.measures(t)["way"]}, every=0.01)
model.check().degrees  # error: attr-defined
