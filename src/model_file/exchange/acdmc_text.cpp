#include "model_file/exchange/acdmc_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "math/tolerances.h"

namespace pawl {

namespace {

// A keyword with its synonyms; the first is the canonical one.
using Synonyms = std::vector<std::string_view>;

struct EntityKind {
    Synonyms names;
    std::vector<Synonyms> keywords;
};

const Synonyms name_keyword{"NAME", "NOM"};

const std::vector<EntityKind>& entity_kinds() {
    static const std::vector<EntityKind> kinds{
        {{"MACH", "MECH"},
         {name_keyword,
          {"GRAVITY", "GRAVITE"},
          {"TIME", "TEMPS"},
          {"STEP", "PAS"},
          {"STADE", "STATE"}}},
        {{"LINK", "CORPS"}, {name_keyword, {"AR0", "ARO"}, {"MASS", "MASSE"}}},
        {{"SURF"},
         {name_keyword,
          {"TYPE", "TYPE OF SURFACE", "TYPE DE SURFACE"},
          {"SHAPE", "FORME"},
          {"NORMAL VECTOR", "VECTEUR NORMAL"},
          {"TYPE OF CURVE", "TYPE OF CONTACT CURVE", "TYPE DE COURBE", "PARTIE DE COURBE"},
          {"CENTRE", "CENTER", "ORIGINAL", "ORIGI", "ORIGIN", "ORIGINE"},
          {"PINIT"},
          {"PEND"},
          {"RADIAL", "RADIUS", "RAYON"},
          {"CONCAVE OR CONVEX", "CONCAVE OU CONVEX", "CONCAVE OU CONVEXE"},
          {"NUM", "NOMBRE"},
          {"COEFFI", "COEFFICIENTS"},
          {"ORDER", "ORDRE"},
          {"AO", "A0"},
          {"RO", "R0"},
          {"KO", "K0"},
          {"FIN", "END"}}},
        {{"PAIR", "PAIRE"},
         {name_keyword,
          {"PINLINK"},
          {"PINSURF"},
          {"POUTLINK"},
          {"POUTSURF"},
          {"TYPEPAIR", "TYPE"}}},
        {{"OCLI"}, {name_keyword, {"SOLID", "SOLIDE"}, {"FIXED", "FIXE"}}},
        {{"OCPA"},
         {name_keyword,
          {"JOINT", "LIAISON"},
          {"FORCE"},
          {"STIFF", "RAIDEUR"},
          {"LENGTH", "LONGUEUR"},
          {"LINK OF INPUT PAIR", "INLINK"},
          {"LINK OF OUTPUT PAIR", "OUTLINK"},
          {"INITIAL POSITION", "POSITION INITIALE", "ARPOSVAR"},
          {"INITIAL VELOCITY", "VITESSE INITIALE", "ARVELVAR"},
          {"ARMOTOR[1]"},
          {"ARMOTOR[2]"},
          {"ARMOTOR[3]"},
          {"ARMOTOR[4]"},
          {"ARMOTOR[5]"},
          {"ARMOTOR[6]"},
          {"LISTE LAST"},
          {"LISTE PROX LAST"},
          {"CONTACT ACTIF", "ACTIVE CONTACT"},
          {"RESTITUTION", "RE"}}},
        {{"LOOP", "BOUCLE"},
         {name_keyword, {"CHAIN", "CHAINE", "STATE"}, {"NUMPAIR", "NUM"}, {"RECLOOP", "RECLLOOP"}}},
    };
    return kinds;
}

// Upper case, with single spaces.
std::string normalised(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto u = static_cast<unsigned char>(c);
        if (std::isspace(u) == 0)
            out += static_cast<char>(std::toupper(u));
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

std::vector<AcdmcWord> words_of(std::string_view line, std::size_t from, int number) {
    std::vector<AcdmcWord> words;
    for (std::size_t i = from; i < line.size();) {
        if (std::isspace(static_cast<unsigned char>(line[i])) != 0) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < line.size() && std::isspace(static_cast<unsigned char>(line[end])) == 0) ++end;
        words.push_back({std::string(line.substr(i, end - i)), {number, static_cast<int>(i) + 1}});
        i = end;
    }
    return words;
}

class AcdmcLines {
public:
    AcdmcLines(std::string_view text, Diagnostics& diagnostics)
        : text_(text), diagnostics_(diagnostics) {}

    std::vector<AcdmcEntity> read() {
        int number = 0;
        for (std::size_t begin = 0; begin <= text_.size();) {
            std::size_t end = text_.find('\n', begin);
            if (end == std::string_view::npos) end = text_.size();
            std::string_view row = text_.substr(begin, end - begin);
            if (row.ends_with('\r')) row.remove_suffix(1);
            line(row, ++number);
            begin = end + 1;
        }
        return std::move(entities_);
    }

private:
    void line(std::string_view row, int number) {
        const std::size_t first = row.find_first_not_of(" \t");
        if (first == std::string_view::npos || row.substr(first).starts_with("```")) return;
        const Span span{number, static_cast<int>(first) + 1};
        const std::size_t colon = row.find(':');
        if (colon == std::string_view::npos &&
            std::isalpha(static_cast<unsigned char>(row[first])) == 0)
            return values(words_of(row, 0, number), span);
        const std::size_t key_end = std::min(colon, row.size());
        const std::string key = normalised(row.substr(0, key_end));
        AcdmcField field{key, span, {}, {number, static_cast<int>(row.size()) + 1}};
        if (colon != std::string_view::npos) field.words = words_of(row, colon + 1, number);
        if (key == "ENTITY" || key == "ENTITE") return entity(field);
        if (entities_.empty())
            diagnostics_.error(span, "expected 'ENTITY : MACH' before '" + key + "'");
        else if (kind_ && recognised(field))
            entities_.back().fields.push_back(std::move(field));
    }

    // A line of bare values belongs to the field before it.
    void values(std::vector<AcdmcWord> words, Span span) {
        if (!entities_.empty() && !kind_) return;  // of an unknown entity
        if (entities_.empty() || entities_.back().fields.empty())
            return diagnostics_.error(span, "a value without a keyword before it");
        AcdmcField& field = entities_.back().fields.back();
        field.end = {span.line,
                     words.back().span.column + static_cast<int>(words.back().text.size())};
        for (AcdmcWord& word : words) field.words.push_back(std::move(word));
    }

    void entity(const AcdmcField& field) {
        kind_ = nullptr;
        const std::string name =
            field.words.empty() ? std::string() : normalised(field.words.front().text);
        std::vector<std::string> valid;
        for (const EntityKind& kind : entity_kinds()) {
            valid.emplace_back(kind.names.front());
            if (std::find(kind.names.begin(), kind.names.end(), name) != kind.names.end())
                kind_ = &kind;
        }
        if (!kind_)
            diagnostics_.error(field.words.empty() ? field.end : field.words.front().span,
                               name.empty()
                                   ? "expected the kind of the entity" + did_you_mean("", valid)
                                   : "unknown entity '" + name + "'" + did_you_mean(name, valid));
        entities_.push_back({kind_ ? std::string(kind_->names.front()) : "", field.span, {}});
    }

    // Replaces the key by the canonical one.
    bool recognised(AcdmcField& field) {
        std::vector<std::string> valid;
        for (const Synonyms& keyword : kind_->keywords)
            for (const std::string_view synonym : keyword) {
                valid.emplace_back(synonym);
                if (synonym != field.key) continue;
                field.key = keyword.front();
                return true;
            }
        if (const Synonyms* near = misspelt(field.key)) {
            diagnostics_.warning(field.span, "the keyword '" + field.key + "' is read as '" +
                                                 std::string(near->front()) + "'");
            field.key = near->front();
            return true;
        }
        diagnostics_.error(field.span, "unknown keyword '" + field.key + "' of " +
                                           entities_.back().kind + did_you_mean(field.key, valid));
        return false;
    }
    // The keyword with one other letter (a slip of the pen or of a scanner), if only one has it and
    // the word is long enough to be sure.
    [[nodiscard]] const Synonyms* misspelt(const std::string& key) const {
        constexpr std::size_t shortest = 4;
        const Synonyms* found = nullptr;
        for (const Synonyms& keyword : kind_->keywords)
            for (const std::string_view synonym : keyword) {
                if (key.size() < shortest || synonym.size() != key.size()) continue;
                int differences = 0;
                for (std::size_t i = 0; i < key.size(); ++i) {
                    if (synonym[i] == key[i]) continue;
                    const bool letters = std::isalpha(static_cast<unsigned char>(key[i])) != 0 &&
                                         std::isalpha(static_cast<unsigned char>(synonym[i])) != 0;
                    differences += letters ? 1 : 2;
                }
                if (differences != 1) continue;
                if (found && found != &keyword) return nullptr;
                found = &keyword;
            }
        return found;
    }

    std::string_view text_;
    Diagnostics& diagnostics_;
    std::vector<AcdmcEntity> entities_;
    const EntityKind* kind_ = nullptr;
};

}  // namespace

const AcdmcField* AcdmcEntity::find(std::string_view key) const {
    for (const AcdmcField& field : fields)
        if (field.key == key) return &field;
    return nullptr;
}

std::vector<AcdmcEntity> read_acdmc_text(std::string_view text, Diagnostics& diagnostics) {
    return AcdmcLines(text, diagnostics).read();
}

std::optional<double> acdmc_number(const AcdmcWord& word, Diagnostics& diagnostics) {
    std::string text = word.text;
    for (char& c : text)
        if (c == 'D' || c == 'd') c = 'e';  // exponent of double precision
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, problem] = std::from_chars(begin, text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size() &&
        std::abs(value) <= tolerance::largest_foreign_number)
        return value;
    diagnostics.error(word.span, "expected a number, not '" + word.text + "'");
    return std::nullopt;
}

std::optional<std::vector<double>> acdmc_numbers(const AcdmcField& field, std::size_t count,
                                                 Diagnostics& diagnostics) {
    std::vector<double> numbers;
    for (const AcdmcWord& word : field.words) {
        const auto number = acdmc_number(word, diagnostics);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    if (numbers.size() == count) return numbers;
    const std::string wanted =
        field.key + " needs " + std::to_string(count) + (count == 1 ? " number" : " numbers");
    if (numbers.size() < count)
        diagnostics.error(field.end, wanted + ", found " + std::to_string(numbers.size()));
    else
        diagnostics.error(field.words[count].span, wanted + ", this is one too many");
    return std::nullopt;
}

std::optional<std::string> acdmc_name(const AcdmcField& field, Diagnostics& diagnostics) {
    if (field.words.empty()) {
        diagnostics.error(field.end, field.key + " needs a name");
        return std::nullopt;
    }
    std::string name;
    for (const AcdmcWord& word : field.words) name += (name.empty() ? "" : " ") + word.text;
    return name;
}

int acdmc_choice(const AcdmcField& field, const std::vector<std::string>& choices,
                 Diagnostics& diagnostics) {
    const std::string given = field.words.empty() ? "" : normalised(field.words.front().text);
    std::vector<std::string> valid;
    for (std::size_t i = 0; i < choices.size(); ++i)
        for (std::size_t begin = 0; begin <= choices[i].size();) {
            const std::size_t end = std::min(choices[i].find('|', begin), choices[i].size());
            valid.push_back(choices[i].substr(begin, end - begin));
            if (valid.back() == given) return static_cast<int>(i);
            begin = end + 1;
        }
    diagnostics.error(field.words.empty() ? field.end : field.words.front().span,
                      given.empty() ? field.key + " needs a value" + did_you_mean("", valid)
                                    : "unknown " + field.key + " '" + field.words.front().text +
                                          "'" + did_you_mean(given, valid));
    return -1;
}

}  // namespace pawl
