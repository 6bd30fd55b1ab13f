#include "model_file/text/references.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace pawl {

namespace {

constexpr std::array named_sections{"body",    "joint",   "driver",  "force",
                                    "profile", "contact", "measure", "parameters",
                                    "inputs",  "state",   "coupling"};
// Keys whose words are choices, units or free text.
constexpr std::array wordy_keys{"type", "name", "unit", "of", "side"};

bool is_one_of(std::string_view word, const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}
bool begins_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool is_in_name(char c) {
    return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '-';
}

// Names in the text of one string. A name behind a number is its unit, one before a bracket a
// function.
class NameScan {
public:
    NameScan(std::string_view text, std::size_t begin, std::size_t end)
        : text_(text), at_(begin), end_(end) {}

    // The parts of the next chain "a.b.c" as ranges; empty at the end.
    std::vector<std::pair<std::size_t, std::size_t>> next() {
        for (; at_ < end_; ++at_) {
            const char c = text_[at_];
            if (std::isdigit(static_cast<unsigned char>(c))) {
                skip_number();
                --at_;
            } else if (begins_name(c)) {
                auto chain = take_chain();
                if (at_ < end_ && text_[at_] == '(') continue;
                return chain;
            }
        }
        return {};
    }

private:
    void skip_number() {
        while (at_ < end_ &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
            ++at_;
        while (at_ < end_ && text_[at_] == ' ') ++at_;
        // Of "3 N m" all are units; "3 * m" ends at the operator.
        while (at_ < end_ && (begins_name(text_[at_]) || text_[at_] == ' ')) ++at_;
    }
    std::vector<std::pair<std::size_t, std::size_t>> take_chain() {
        std::vector<std::pair<std::size_t, std::size_t>> parts;
        while (at_ < end_ && begins_name(text_[at_])) {
            const std::size_t begin = at_;
            while (at_ < end_ && is_in_name(text_[at_])) ++at_;
            parts.emplace_back(begin, at_);
            if (at_ + 1 >= end_ || text_[at_] != '.' || !begins_name(text_[at_ + 1])) break;
            ++at_;
        }
        return parts;
    }

    std::string_view text_;
    std::size_t at_, end_;
};

}  // namespace

namespace {

class UseSearch {
public:
    UseSearch(std::string_view text, std::string_view path) : text_(text), path_(path) {
        const std::size_t dot = path.find('.');
        const std::string_view rest = path.substr(dot + 1);
        head_ = rest.substr(0, rest.find('.'));
        const std::size_t points = rest.find(".points.");
        if (points != std::string_view::npos) point_ = rest.substr(points + 8);
    }

    void visit(const Node& node, const std::string& path) {
        if (node.kind == Node::Kind::text) return scan(node, path);
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            const Node& child = node.children[i];
            const std::string key = node.kind == Node::Kind::array ? std::to_string(i) : child.key;
            if (is_one_of(key, wordy_keys) || path == "units") continue;
            if (path == "run" && key != "independent") continue;
            visit(child, path.empty() ? key : path + "." + key);
        }
    }

    std::vector<NameUse> found;

private:
    void scan(const Node& node, const std::string& path) {
        if (path.find('.') == std::string::npos) return;  // of the top level: free text
        NameScan names(text_, offset_of(text_, node.begin), offset_of(text_, node.end));
        for (auto chain = names.next(); !chain.empty(); chain = names.next()) {
            const std::size_t part = point_.empty() ? 0 : 1;
            if (chain.size() <= part || word(chain[0]) != head_) continue;
            if (part == 1 && word(chain[1]) != point_) continue;
            found.push_back({path, chain[part].first, chain[part].second});
        }
    }
    [[nodiscard]] std::string_view word(std::pair<std::size_t, std::size_t> range) const {
        return text_.substr(range.first, range.second - range.first);
    }

    std::string_view text_, path_, head_, point_;
};

}  // namespace

std::vector<NameUse> uses_of(const Node& root, std::string_view text, std::string_view path) {
    UseSearch search(text, path);
    search.visit(root, "");
    return std::move(search.found);
}

std::vector<std::string> sections_with(const Node& root, std::string_view name) {
    std::vector<std::string> out;
    for (const Node& section : root.children)
        if (is_one_of(section.key, named_sections) && section.find(name))
            out.push_back(section.key);
    return out;
}

}  // namespace pawl
