// A ball that bounces in a bowl without end.
#pragma once

namespace pawl::test {

inline constexpr const char* ball_in_a_bowl = R"(format = 1
[body.ball]
position = [0.02, 1]
velocity = [0.3, 0]
mass = 1
inertia = 0.01
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.bowl]
body = "ground"
elements = [{ type = "circle", radius = 2, hollow = true }]
[contact.C]
a = "bowl"
b = "ball"
restitution = 1
[force.weight]
type = "gravity"
)";

}  // namespace pawl::test
