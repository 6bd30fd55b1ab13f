// A position that moves through the text of an expression, token by token, and the error that stops
// it. Knows names and blanks, not the grammar. Used by the reader of expressions only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pawl::expression_detail {

struct Failure {
    std::size_t offset;
    std::string message;
};

[[noreturn]] inline void fail(std::size_t offset, std::string message) {
    throw Failure{offset, std::move(message)};
}

inline bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) { skip_blanks(); }

    std::size_t offset() const { return offset_; }  // of the next token
    std::size_t token_end() const {
        return end_;
    }  // of the last token, before the blanks behind it
    const char* rest() const { return text_.data() + offset_; }
    const char* text_end() const { return text_.data() + text_.size(); }
    std::string slice(std::size_t begin, std::size_t end) const {
        return std::string(text_.substr(begin, end - begin));
    }

    bool at_end() const { return offset_ == text_.size(); }
    char next() const { return at_end() ? '\0' : text_[offset_]; }
    // Past a token and the blanks behind it.
    void advance(std::size_t length) {
        offset_ += length;
        end_ = offset_;
        skip_blanks();
    }
    bool starts_with(std::string_view sign) const {
        return text_.substr(offset_).starts_with(sign);
    }
    bool take(char c) {
        if (next() != c) return false;
        advance(1);
        return true;
    }
    std::string_view peek_name() const {
        std::size_t i = offset_;
        while (i < text_.size() && is_name_start(text_[i])) {
            while (i < text_.size() && (is_name_start(text_[i]) || is_digit(text_[i]))) ++i;
            if (i + 1 < text_.size() && text_[i] == '.' && is_name_start(text_[i + 1])) ++i;
        }
        return text_.substr(offset_, i - offset_);
    }
    // What stands at the present position, for a message.
    std::string found() const {
        if (at_end()) return "the end";
        std::size_t length = std::max<std::size_t>(1, peek_name().size());
        const auto continues = [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
        };
        while (offset_ + length < text_.size() && continues(text_[offset_ + length])) ++length;
        return "'" + std::string(text_.substr(offset_, length)) + "'";
    }

private:
    void skip_blanks() {
        while (!at_end() && is_blank(next())) ++offset_;
    }

    std::string_view text_;
    std::size_t offset_ = 0, end_ = 0;
};

}  // namespace pawl::expression_detail
