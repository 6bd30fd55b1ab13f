// The Python module `pawl._core`: the face of the library, with tuples and arrays. What Python
// programs see is made of it in pawl/*.py.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "facts.h"
#include "held_simulation.h"
#include "mechanism/computed_input.h"
#include "studies.h"

namespace py = pybind11;

namespace pawl::python {

namespace {

py::tuple model_or_problems(const std::optional<Model>& model, const Diagnostics& problems) {
    return py::make_tuple(model ? py::cast(*model) : py::none(), problems_list(problems));
}

py::list events_list(const std::vector<Event>& events) {
    py::list out;
    for (const Event& event : events) out.append(event_record(event));
    return out;
}

py::dict settings_of(const Model& model) {
    const RunSettings& run = model.run;
    py::dict out;
    out["analysis"] = std::string(value_name(run.analysis));
    out["coordinates"] = std::string(value_name(run.coordinates));
    out["dynamics"] = std::string(value_name(run.dynamics));
    out["integrator"] = std::string(value_name(run.integrator));
    out["impacts"] = std::string(value_name(run.impacts));
    out["end"] = run.end;
    out["step"] = run.step;
    out["rtol"] = run.rtol;
    out["atol"] = run.atol;
    out["largest_step"] = run.largest_step;
    out["integrator_step"] = run.integrator_step;
    return out;
}

py::list parameters_of(const Model& model) {
    py::list out;
    for (const ParameterInfo& p : model.parameters())
        out.append(py::make_tuple(p.name, p.value, p.unit, p.min, p.max, p.is_input));
    return out;
}

// (degrees of freedom, Gruebler's count, redundant rows, notes, [(body, x, y, angle), ...]) or
// None, and the problems.
py::tuple check_of(const Model& model) {
    Diagnostics problems;
    std::optional<Freedom> found;
    {
        const py::gil_scoped_release free;
        found = model.check(problems);
    }
    py::object out = py::none();
    if (found) {
        py::list positions;
        for (const BodyPosition& p : found->positions)
            positions.append(py::make_tuple(p.body, p.x, p.y, p.angle));
        out = py::make_tuple(found->degrees_of_freedom, found->gruebler, found->redundant,
                             found->notes, positions);
    }
    return py::make_tuple(out, problems_list(problems));
}

// A view of the rows where the run has written them; it keeps the result alive.
py::array_t<double> values_of(const Result& result) {
    const auto values = result.values();
    const auto rows = static_cast<py::ssize_t>(result.rows()),
               columns = static_cast<py::ssize_t>(result.columns().size());
    if (values.empty()) return py::array_t<double>(std::vector<py::ssize_t>{0, columns});
    const py::capsule owner(new Result(result),
                            [](void* held) { delete static_cast<Result*>(held); });
    py::array_t<double> out({rows, columns}, values.data(), owner);
    py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return out;
}

py::dict audit_of(const Result& result) {
    const Audit& audit = result.audit();
    py::list checks, ledger;
    for (const AuditCheck& c : audit.checks)
        checks.append(py::make_tuple(c.name, c.value(), c.limit, c.unit, c.worst.t, c.worst.element,
                                     c.inequality, c.passed()));
    for (const LedgerLine& l : audit.ledger)
        ledger.append(py::make_tuple(l.element, l.stored, l.work));
    py::dict out;
    out["passed"] = audit.passed();
    out["checks"] = checks;
    out["ledger"] = ledger;
    out["kinetic_change"] = audit.kinetic_change;
    out["remarks"] = py::tuple(py::cast(audit.remarks));
    return out;
}

template <Result (Model::*analysis)(const Progress&) const>
Result run(const Model& model) {
    const py::gil_scoped_release free;
    return (model.*analysis)(SignalWatch());
}

py::tuple state_tuple(const State& state) {
    const auto array = [](const std::vector<double>& x) {
        return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
    };
    return py::make_tuple(state.t, array(state.q), array(state.v), array(state.z));
}

// A function of Python as an input. It is called with plain numbers and the interpreter's lock.
py::tuple with_function(const Model& model, const std::string& input,
                        const std::vector<std::string>& arguments, const py::function& function) {
    // Copies of the function are made and dropped where the lock is not held.
    const std::shared_ptr<py::function> held(new py::function(function), [](py::function* old) {
        const py::gil_scoped_acquire python;
        delete old;
    });
    Diagnostics problems;
    const auto changed = model.with_function(
        input, arguments,
        [held, input](std::span<const double> values) {
            const py::gil_scoped_acquire python;
            std::array<PyObject*, max_arguments> numbers{};
            for (std::size_t i = 0; i < values.size(); ++i)
                numbers[i] = PyFloat_FromDouble(values[i]);
            const auto value = py::reinterpret_steal<py::object>(
                PyObject_Vectorcall(held->ptr(), numbers.data(), values.size(), nullptr));
            for (std::size_t i = 0; i < values.size(); ++i) Py_XDECREF(numbers[i]);
            if (!value) throw py::error_already_set();
            const double number = PyFloat_AsDouble(value.ptr());
            if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
            return number;
        },
        problems);
    return model_or_problems(changed, problems);
}

void bind_model(py::module_& m) {
    py::class_<Model>(m, "Model")
        .def_static("read",
                    [](const std::string& text, const std::string& file, const Values& values) {
                        Diagnostics problems;
                        const auto model = Model::read(text, problems, file, values);
                        return model_or_problems(model, problems);
                    })
        .def_static("read_file",
                    [](const std::string& path, const Values& values) {
                        Diagnostics problems;
                        const auto model = Model::read_file(path, problems, values);
                        return model_or_problems(model, problems);
                    })
        .def("changed",
             [](const Model& model, const Values& values) {
                 Diagnostics problems;
                 const auto changed = model.with(values, problems);
                 return model_or_problems(changed, problems);
             })
        .def("with_function", &with_function)
        .def("overrides", &Model::values)
        .def("parameters", &parameters_of)
        .def("settings", &settings_of)
        .def("text", &Model::text)
        .def("file", &Model::file)
        .def("check", &check_of)
        .def("drawing", &Model::drawing, py::call_guard<py::gil_scoped_release>())
        .def("kinematics", &run<&Model::kinematics>)
        .def("inverse", &run<&Model::inverse>)
        .def("dynamics", &run<&Model::dynamics>)
        .def("quasi_static", &run<&Model::quasi_static>)
        .def("analyse", &run<&Model::analyse>)
        .def("equilibrium", &Model::equilibrium, py::call_guard<py::gil_scoped_release>());
}

void bind_result(py::module_& m) {
    py::class_<Result>(m, "Result")
        .def("is_complete", &Result::is_complete)
        .def("status", &Result::status)
        .def("message", &Result::message)
        .def("problems", [](const Result& r) { return problems_list(r.problems()); })
        .def("columns",
             [](const Result& r) {
                 py::list out;
                 for (const Column& c : r.columns()) out.append(py::make_tuple(c.name, c.unit));
                 return out;
             })
        .def("values", &values_of)
        .def("address",
             [](const Result& r) { return reinterpret_cast<std::uintptr_t>(r.values().data()); })
        .def("events", [](const Result& r) { return events_list(r.events()); })
        .def("audit", &audit_of)
        .def("audit_passed", [](const Result& r) { return r.audit().passed(); })
        .def("summary", &Result::summary)
        .def("report", &Result::report, py::call_guard<py::gil_scoped_release>())
        .def("drawing", &Result::drawing, py::call_guard<py::gil_scoped_release>())
        .def("write", [](const Result& r, const std::string& folder) { return r.write(folder); });
}

// [(name, summary, [(number, default, meaning, choices), ...]), ...]
py::list generators_list() {
    py::list out;
    for (const GeneratorInfo& info : generators()) {
        py::list numbers;
        for (const GeneratorNumber& n : info.numbers)
            numbers.append(py::make_tuple(n.name, n.standard, n.meaning, n.choices));
        out.append(py::make_tuple(info.name, info.summary, numbers));
    }
    return out;
}

template <class Value>
py::list set_value(HeldSimulation& held, const std::string& name, const Value& value) {
    Diagnostics found;
    held.alone([&] { return held.simulation().set(name, value, found); });
    return problems_list(found);
}

void bind_simulation(py::module_& m) {
    using Held = HeldSimulation;
    py::class_<Held>(m, "Simulation")
        .def(py::init<const Model&>())
        .def("step", &Held::step)
        .def("advance_to", &Held::advance_to)
        .def_property_readonly(
            "time", [](Held& h) { return h.alone([&] { return h.simulation().time(); }); })
        .def_property_readonly(
            "begin_of_step",
            [](Held& h) { return h.alone([&] { return h.simulation().begin_of_step(); }); })
        .def("state",
             [](Held& h) { return state_tuple(h.alone([&] { return h.simulation().state(); })); })
        .def("state_at",
             [](Held& h, double t) {
                 return state_tuple(h.inside_step(t, [&] { return h.simulation().state_at(t); }));
             })
        .def("coordinates",
             [](Held& h) { return h.alone([&] { return h.simulation().coordinates(); }); })
        .def("measures_at",
             [](Held& h, double t) {
                 py::dict out;
                 for (const Reading& r :
                      h.inside_step(t, [&] { return h.simulation().measures_at(t); }))
                     out[py::str(r.name)] = py::make_tuple(r.value, r.rate);
                 return out;
             })
        .def("events",
             [](Held& h) { return events_list(h.alone([&] { return h.simulation().events(); })); })
        .def("problems",
             [](Held& h) {
                 return problems_list(h.alone([&] { return h.simulation().problems(); }));
             })
        .def("set_text", &set_value<std::string>)
        .def("set_number", &set_value<double>)
        .def("save",
             [](Held& h) { return py::bytes(h.alone([&] { return h.simulation().save(); })); })
        .def("restore",
             [](Held& h, const std::string& saved) {
                 return h.alone([&] { return h.simulation().restore(saved); });
             })
        .def("reset",
             [](Held& h, const Values& values) {
                 Diagnostics found;
                 h.alone([&] {
                     if (values.empty()) return h.simulation().reset(), true;
                     return h.simulation().reset(values, found);
                 });
                 return problems_list(found);
             })
        .def("finish", [](Held& h) { return h.alone([&] { return h.simulation().finish(); }); });
}

}  // namespace

}  // namespace pawl::python

PYBIND11_MODULE(_core, m) {
    using namespace pawl::python;
    m.doc() = "The library behind the package pawl; use that.";
    m.def("version", [] { return std::string(pawl::version()); });
    m.def("schema", &pawl::json_schema);
    m.def("fact_fields", &fact_fields);
    m.def("generators", &generators_list);
    m.def(
        "new_model",
        [](const std::string& mechanism, const pawl::Values& values) {
            const pawl::NewModel made = pawl::new_model(mechanism, values);
            return py::make_tuple(made.text, made.facts, made.problems);
        },
        py::arg("mechanism"), py::arg("values"));
    bind_model(m);
    bind_result(m);
    bind_simulation(m);
    bind_studies(m);
}
