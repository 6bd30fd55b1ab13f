// Prints the version of the installed library; fails unless it is the one in the first argument.
#include <iostream>

#include <pawl.h>

int main(int argc, char** argv) {
    std::cout << "pawl " << pawl::version() << '\n';
    return argc == 2 && pawl::version() == argv[1] ? 0 : 1;
}
