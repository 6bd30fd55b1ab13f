#include "model_file/exchange/acdmc_part.h"

#include <cmath>

namespace pawl {

namespace {

class PartReader {
public:
    PartReader(const AcdmcEntity& surface, const std::string& title, Diagnostics& diagnostics)
        : surface_(surface), title_(title), diagnostics_(diagnostics) {}

    std::optional<AcdmcParts> read() {
        if (!read_normal() || !read_parts()) return std::nullopt;
        return std::move(out_);
    }

private:
    bool fail(Span span, const std::string& message) {
        diagnostics_.error(span, title_ + ": " + message);
        return false;
    }

    bool read_normal() {
        const AcdmcField* field = surface_.find("NORMAL VECTOR");
        if (!field) return true;
        const auto n = acdmc_numbers(*field, 3, diagnostics_);
        if (!n) return false;
        if ((*n)[0] != 0 || (*n)[1] != 0 || std::abs((*n)[2]) != 1)
            return fail(field->span, "the normal of a plane curve is 0 0 1 or 0 0 -1");
        out_.flipped = (*n)[2] < 0;
        return true;
    }

    // Seen from the side of the normal: with the normal -z, y is turned round.
    std::optional<PlaneVector> vector(const AcdmcField& field) {
        const auto n = acdmc_numbers(field, 3, diagnostics_);
        if (!n) return std::nullopt;
        if ((*n)[2] != 0)
            diagnostics_.warning(field.span, title_ + ": z = " + exchange_number((*n)[2]) +
                                                 " is ignored: the mechanism is planar");
        return PlaneVector{(*n)[0], out_.flipped ? -(*n)[1] : (*n)[1]};
    }

    bool read_parts() {
        bool finished = false;
        for (const AcdmcField& field : surface_.fields) {
            if (field.key == "TYPE OF CURVE") {
                if (finished) return fail(field.span, "an element after FIN : YES");
                const int kind = acdmc_choice(field,
                                              {"POINT", "SEGMENT|SEG|LINE|LIGNE", "ARC",
                                               "CIRCLE|CERCLE", "POLY|POLYLN|POLYNOMIAL|POLYNOME"},
                                              diagnostics_);
                if (kind < 0) return false;
                out_.parts.emplace_back();
                out_.parts.back().kind = static_cast<AcdmcPart::Kind>(kind);
                out_.parts.back().head = &field;
            } else if (field.key == "FIN") {
                const int yes = acdmc_choice(field, {"NO|NON", "YES|OUI"}, diagnostics_);
                if (yes < 0) return false;
                finished = yes == 1;
            } else if (!out_.parts.empty() && !read_field(out_.parts.back(), field)) {
                return false;
            }
        }
        if (out_.parts.empty()) return fail(surface_.span, "a curve needs TYPE OF CURVE");
        if (!finished)
            return fail(surface_.fields.back().end,
                        "the curve ends without FIN : YES; is the file truncated?");
        for (const AcdmcPart& part : out_.parts)
            if (!complete(part)) return false;
        return true;
    }

    bool read_field(AcdmcPart& part, const AcdmcField& field) {
        const auto one = [&](double& value) {
            const auto n = acdmc_numbers(field, 1, diagnostics_);
            if (n) value = n->front();
            return n.has_value();
        };
        if (field.key == "CENTRE") return (part.centre = vector(field)).has_value();
        if (field.key == "PINIT") return (part.pinit = vector(field)).has_value();
        if (field.key == "PEND") return (part.pend = vector(field)).has_value();
        if (field.key == "RADIAL") return one(part.radius.emplace());
        if (field.key == "AO") return one(part.first);
        if (field.key == "KO") {
            if (!one(part.divisor)) return false;
            return part.divisor != 0 || fail(field.span, "KO must not be 0");
        }
        if (field.key == "RO") {
            double ro = 1;
            if (!one(ro)) return false;
            if (ro != 1)
                diagnostics_.warning(
                    field.span,
                    title_ + ": RO is ignored: its meaning is known only for the value 1");
            return true;
        }
        if (field.key == "CONCAVE OR CONVEX") {
            const int concave = acdmc_choice(field, {"CONVEX|CONVEXE", "CONCAVE"}, diagnostics_);
            part.convex = concave != 1;
            return concave >= 0;
        }
        if (field.key == "COEFFI" || field.key == "ORDER") {
            const auto n = acdmc_numbers(field, field.words.size(), diagnostics_);
            if (n) (field.key == "ORDER" ? part.orders : part.coefficients) = *n;
            return n.has_value();
        }
        if (field.key == "NUM") {
            double number = 0;
            return one(number);  // it is checked by the lengths of COEFFI and ORDER
        }
        return fail(field.span, field.key + " is not valid inside a curve");
    }

    bool complete(const AcdmcPart& part) {
        const auto need = [&](bool given, const char* what) {
            return given || fail(part.head->span, part.head->words.front().text + " needs " + what);
        };
        if (part.kind == AcdmcPart::arc) return need(part.centre.has_value(), "CENTRE");
        if (part.kind == AcdmcPart::circle)
            return need(part.centre.has_value(), "CENTRE") &&
                   need(part.radius || part.pinit, "RADIAL or PINIT");
        if (part.kind == AcdmcPart::polynomial)
            return need(!part.coefficients.empty(), "COEFFI") &&
                   need(part.coefficients.size() == part.orders.size(),
                        "as many numbers in ORDER as in COEFFI");
        return true;
    }

    const AcdmcEntity& surface_;
    const std::string& title_;
    Diagnostics& diagnostics_;
    AcdmcParts out_;
};

}  // namespace

std::optional<AcdmcParts> read_acdmc_parts(const AcdmcEntity& surface, const std::string& title,
                                           Diagnostics& diagnostics) {
    return PartReader(surface, title, diagnostics).read();
}

}  // namespace pawl
