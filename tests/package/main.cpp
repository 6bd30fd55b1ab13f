// An outside program: prints the version of the installed library and moves a crank with it. Fails
// unless the version is the one in the first argument and the crank has turned by 6.28 rad/s x 1 s.
#include <cmath>
#include <iostream>

#include <pawl.h>

int main(int argc, char** argv) {
    std::cout << "pawl " << pawl::version() << '\n';
    pawl::Diagnostics problems;
    const auto model = pawl::Model::read(R"(format = 1
body.crank.points = { A = [0.1, 0] }
joint.O = { type = "revolute", a = "ground", b = "crank" }
driver.motor = { joint = "O", type = "speed", speed = 6.28 }
)",
                                         problems);
    if (!model) return std::cerr << problems.text(), 3;
    const double angle = model->kinematics().column("crank.angle").back();
    std::cout << "angle " << angle << " rad\n";
    return argc == 2 && pawl::version() == argv[1] && std::abs(angle - 6.28) < 1e-12 ? 0 : 1;
}
