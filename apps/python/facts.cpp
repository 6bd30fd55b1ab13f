#include "facts.h"

#include <type_traits>

#include <pybind11/stl.h>

namespace py = pybind11;

namespace pawl::python {

namespace {

template <class T>
const char* type_name() {
    if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else if constexpr (std::is_same_v<T, int>)
        return "int";
    else if constexpr (std::is_same_v<T, double>)
        return "float";
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        return "tuple[str, ...]";
    else
        return "str";  // also of enumerations
}

template <class T>
py::object value_of(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return py::str(std::string(word_of(value)));
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        return py::tuple(py::cast(value));
    else
        return py::cast(value);
}

template <class F>
void list_fields(py::list& out) {
    if constexpr (!std::is_same_v<F, Cause>) {
        py::list fields;
        F{}.fields([&]<class T>(std::string_view name, const T&, std::string_view unit = {}) {
            fields.append(py::make_tuple(std::string(name), type_name<T>(), std::string(unit)));
        });
        out.append(py::make_tuple(std::string(F::name), fields));
    }
}

template <class... F>
void list_kinds(const std::variant<F...>*, py::list& out) {
    (list_fields<F>(out), ...);
}

}  // namespace

py::list fact_fields() {
    py::list out;
    list_kinds(static_cast<const EventFact*>(nullptr), out);
    return out;
}

py::tuple event_record(const Event& event) {
    py::list causes, facts;
    for (EventFact fact : event.facts)
        std::visit(
            [&]<class F>(F& f) {
                if constexpr (std::is_same_v<F, Cause>) {
                    causes.append(std::string(cause_name(f)));
                } else {
                    py::list values;
                    f.fields([&](std::string_view, const auto& value, std::string_view = {}) {
                        values.append(value_of(value));
                    });
                    facts.append(py::make_tuple(std::string(F::name), py::tuple(values)));
                }
            },
            fact);
    return py::make_tuple(event.t, std::string(event_name(event.kind)), event.element, event.from,
                          event.to, event.normal_velocity_before, event.normal_velocity_after,
                          event.impulse, event.energy_change, event_text(event), py::tuple(causes),
                          facts);
}

py::list problems_list(const Diagnostics& problems) {
    py::list out;
    for (const Diagnostic& d : problems.all())
        out.append(py::make_tuple(d.severity == Diagnostic::Severity::error ? "error" : "warning",
                                  problems.file, d.span.line, d.span.column, d.message));
    return out;
}

}  // namespace pawl::python
