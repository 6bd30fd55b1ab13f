#include "model_file/exchange/acdmc_output.h"

#include <cmath>

#include <fmt/format.h>

#include "model_file/exchange/exchange_model.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

class CurveWriter {
public:
    CurveWriter(AcdmcOutput& output, const BodyProfile<Space>& profile, double length,
                Diagnostics& diagnostics)
        : output_(output), profile_(profile), length_(length), diagnostics_(diagnostics) {}

    void write() {
        output_.entity("SURF");
        output_.field("NAME", profile_.name);
        output_.field("TYPE", "COURBE");
        output_.field("NORMAL VECTOR", "0 0 1");
        const Similarity<Space> map{1 / length_, profile_.frame.local.angle,
                                    (1 / length_) * profile_.frame.local.at};
        const auto& elements = profile_.chain.elements;
        const std::size_t skip = profile_.chain.closed ? 0 : 1;  // corners at the ends of a plate
        for (std::size_t i = skip; i + skip < elements.size(); ++i) {
            const auto element = moved<Space>(elements[i], map);
            std::visit([&](const auto& e) { curve(e); }, element);
            output_.field("FIN", i + skip + 1 < elements.size() ? "NO" : "YES");
        }
    }

private:
    void refuse(const std::string& reason) {
        diagnostics_.error(profile_.span,
                           "profile '" + profile_.name + "' cannot be written: " + reason);
    }
    static std::string vector(Space::Vector v, double size) {  // in the units of the file
        return exchange_number(v.x, acdmc_noise * size) + " " +
               exchange_number(v.y, acdmc_noise * size) + " 0";
    }
    void ends(const CurveElement<Space>& element, double size) {
        output_.field("PINIT", vector(point_of<Space>(element, 0).p, size));
        output_.field("PEND", vector(point_of<Space>(element, 1).p, size));
    }
    void convexity(bool convex) {
        output_.field("CONCAVE OR CONVEX", convex ? "CONVEX" : "CONCAVE");
    }

    template <class Kind>
    void curve(const Kind& e) {
        refuse("the format has points, lines, arcs, circles and polynomials, not " +
               std::string(e.name));
    }
    void curve(const Corner<Space>& e) {
        output_.field("TYPE OF CURVE", "POINT");
        if (e.whole()) output_.field("PINIT", vector(e.at, std::hypot(e.at.x, e.at.y)));
    }
    void curve(const LineCurve<Space>& e) {
        output_.field("TYPE OF CURVE", "SEGMENT");
        ends(e, e.length());
    }
    void curve(const ArcCurve<Space>& e) {
        output_.field("TYPE OF CURVE", "ARC");
        output_.field("CENTRE", vector(e.centre, e.radius));
        ends(e, e.radius);
        convexity(e.sweep > 0);
    }
    void curve(const CircleCurve<Space>& e) {
        output_.field("TYPE OF CURVE", "CIRCLE");
        output_.field("CENTRE", vector(e.centre, e.radius));
        output_.field("RADIAL", exchange_number(e.radius));
        output_.field("PINIT", vector(point_of<Space>(e, 0).p, e.radius));
        convexity(!e.hollow);
    }
    void curve(const PolarPolynomial<Space>& e) {
        if (e.offset != 0) return refuse("the format has no parallel curves of polynomials");
        const auto degrees = [](double radians) {
            return exchange_number(exchange_degrees(radians));
        };
        const auto list = [](const std::vector<double>& numbers) {
            std::string text;
            for (const double x : numbers) text += (text.empty() ? "" : " ") + exchange_number(x);
            return text;
        };
        const double side = e.to > e.from ? 1 : -1;
        output_.field("TYPE OF CURVE", "POLY");
        output_.field("NUM", std::to_string(e.coefficients.size()));
        output_.field("COEFFI", list(e.coefficients));
        output_.field("ORDER", list(e.exponents));
        output_.field("AO", degrees(side * (e.from - e.start)));
        output_.field("RO", "1");
        output_.field("KO", degrees(side * e.scale));
        output_.field("CENTRE", vector(e.origin, e.radius(e.from).value));
        ends(e, e.radius(e.from).value);
        convexity(side > 0);
    }

    AcdmcOutput& output_;
    const BodyProfile<Space>& profile_;
    double length_;
    Diagnostics& diagnostics_;
};

}  // namespace

void AcdmcOutput::entity(const char* kind) {
    text_ += text_.empty() ? "" : "\n";
    field("ENTITY", kind);
}

void AcdmcOutput::field(const char* key, const std::string& value) {
    text_ += fmt::format("{:<19} : {}\n", key, value);
}

void AcdmcOutput::matrix(const char* key, const std::vector<double>& rows) {
    text_ += std::string(key) + "\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
        text_ += " " + exchange_number(rows[i], acdmc_noise) + (i % 4 == 3 ? "\n" : "");
}

void write_acdmc_curve(AcdmcOutput& output, const BodyProfile<PlanarSpace>& profile, double length,
                       Diagnostics& diagnostics) {
    CurveWriter(output, profile, length, diagnostics).write();
}

}  // namespace pawl
