// Changes of texts that find faults in readers: at random, but the same for the same seed. Knows
// lines, words and numbers, not what they mean.
#pragma once

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::fuzz {

// SplitMix64 (Steele, Lea and Flood 2014): the same sequence on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    // From 0 to n - 1; 0 where n is 0.
    std::size_t below(std::size_t n) { return n == 0 ? 0 : bits() % n; }
    template <class List>
    const auto& pick(const List& list) {
        return list[below(std::size(list))];
    }

private:
    std::uint64_t state_;
};

struct Part {
    std::size_t begin = 0, length = 0;
};

// Numbers and words of a text, and its lines with their breaks.
inline std::vector<Part> tokens(std::string_view text) {
    const auto belongs = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    std::vector<Part> out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && belongs(text[end])) ++end;
        if (end > i) out.push_back({i, end - i});
        i = end + 1;
    }
    return out;
}
inline std::vector<Part> lines(std::string_view text) {
    std::vector<Part> out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
        out.push_back({i, end - i});
        i = end;
    }
    return out;
}

class Mutator {
public:
    explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

    // The text number `i` of a sequence.
    [[nodiscard]] std::string text(std::uint64_t seed, std::uint64_t i) const {
        Random random(seed * 0x100000001b3ULL + i);
        random.bits();
        std::string out = random.pick(seeds_);
        for (std::size_t n = 1 + random.below(4); n > 0; --n) change(out, random);
        return out;
    }
    [[nodiscard]] const std::vector<std::string>& seeds() const { return seeds_; }

private:
    // Numbers at the borders of what arithmetic and models can bear.
    static constexpr std::string_view numbers[] = {
        "0",     "-0",      "1",    "-1",    "2",         "0.5", "1e-5",  "1e-9",
        "1e-16", "1e-300",  "1e10", "-1e10", "1e300",     "nan", "inf",   "-inf",
        "100",   "1000000", "90",   "180",   "3.1415927", "360", "1e400", "99999999999999999999"};
    static constexpr std::string_view scraps[] = {"\"",       "'",
                                                  "[",        "]",
                                                  "{",        "}",
                                                  "=",        ",",
                                                  "\n",       "#",
                                                  "\\",       "(",
                                                  ")",        "^",
                                                  "*",        "/",
                                                  "-",        "+",
                                                  "\xc3\xa9", "\xff",
                                                  " ",        "\t\r",
                                                  " mm",      " deg",
                                                  "rpm",      "t",
                                                  "sin(",     ".",
                                                  "..",       "_",
                                                  "\"\"\"",   "[[",
                                                  "e",        "\xf0\x9f\x94\xa9"};

    void change(std::string& text, Random& random) const {
        const std::size_t kind = random.below(12);
        if (kind < 4)
            change_token(text, random, true);
        else if (kind < 6)
            change_token(text, random, false);
        else if (kind < 9)
            change_line(text, random);
        else
            change_byte(text, random);
    }
    static void change_token(std::string& text, Random& random, bool number) {
        std::vector<Part> all = tokens(text);
        if (number)
            std::erase_if(all, [&](const Part& p) {
                return !std::isdigit(static_cast<unsigned char>(text[p.begin]));
            });
        if (all.empty()) return;
        const Part at = random.pick(all), other = random.pick(all);
        std::string now = text.substr(other.begin, other.length);
        if (number && random.below(3) > 0) now = random.pick(numbers);
        if (number && random.below(6) == 0)
            now = text.substr(at.begin, at.length) + std::to_string(random.below(1000));
        text.replace(at.begin, at.length, now);
    }
    void change_line(std::string& text, Random& random) const {
        const std::vector<Part> all = lines(text);
        if (all.empty()) return;
        const Part at = random.pick(all), to = random.pick(all);
        const std::string line = text.substr(at.begin, at.length);
        const std::string& other = random.pick(seeds_);
        const std::vector<Part> foreign = lines(other);
        switch (random.below(4)) {
            case 0:
                text.erase(at.begin, at.length);
                return;
            case 1:
                text.insert(to.begin, line);
                return;
            case 2:
                text.insert(to.begin,
                            other.substr(random.pick(foreign).begin, 1 + random.below(200)));
                return;
            default:
                text.replace(at.begin, at.length, text.substr(to.begin, to.length));
        }
    }
    static void change_byte(std::string& text, Random& random) {
        const std::size_t at = random.below(text.size());
        switch (random.below(5)) {
            case 0:
                if (!text.empty()) text[at] = static_cast<char>(random.bits());
                return;
            case 1:
                text.erase(at, 1 + random.below(8));
                return;
            case 2:
                if (random.below(8) == 0) text.resize(at);
                return;
            default:
                text.insert(at, random.pick(scraps));
        }
    }

    std::vector<std::string> seeds_;
};

}  // namespace pawl::fuzz
