// The same targets for clang's libFuzzer. The environment variable PAWL_FUZZ_TARGET names the one.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "fuzz/targets.h"

namespace {

const pawl::fuzz::Target& target() {
    static const pawl::fuzz::Target& chosen = []() -> const pawl::fuzz::Target& {
        const char* name = std::getenv("PAWL_FUZZ_TARGET");
        for (const pawl::fuzz::Target& t : pawl::fuzz::targets())
            if (name && t.name == name) return t;
        std::cerr << "PAWL_FUZZ_TARGET must be one of:";
        for (const pawl::fuzz::Target& t : pawl::fuzz::targets()) std::cerr << ' ' << t.name;
        std::cerr << '\n';
        std::exit(2);
    }();
    return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    pawl::fuzz::run_target(target(), {reinterpret_cast<const char*>(data), size});
    return 0;
}
