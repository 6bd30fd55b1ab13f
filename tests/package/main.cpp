// An outside program: prints the version of the installed library and moves a crank with it. Fails
// unless the version is the one in the first argument and the crank has turned by 6.28 rad/s x 1 s.
#include <cmath>
#include <iostream>

#include <pawl.h>

int main(int argc, char** argv) {
    std::cout << "pawl " << pawl::version() << '\n';
    pawl::Diagnostics diagnostics;
    const auto model = pawl::read_model(R"(format = 1
body.crank.points = { A = [0.1, 0] }
joint.O = { type = "revolute", a = "ground", b = "crank" }
driver.motor = { joint = "O", type = "speed", speed = 6.28 }
)",
                                        "crank.toml", {}, diagnostics);
    if (!model) return std::cerr << diagnostics.text(), 3;
    const auto placed = pawl::assemble(model->mechanism);
    const auto motion = pawl::run_kinematics(placed, pawl::KinematicOptions()).trajectory;
    const double angle = motion.row(motion.rows() - 1)[motion.find("crank.angle")];
    std::cout << "angle " << angle << " rad\n";
    return argc == 2 && pawl::version() == argv[1] && std::abs(angle - 6.28) < 1e-12 ? 0 : 1;
}
