// Design studies for Python: sweeps and their files, tolerances, optimisation, synthesis. All of
// them run without the interpreter's lock, and Ctrl-C ends them.
#include "studies.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "facts.h"

namespace py = pybind11;

namespace pawl::python {

namespace {

using Rows = std::vector<SweepRow>;

// Does the work in a thread of its own, while this one looks for Ctrl-C: KeyboardInterrupt makes
// `goes_on` false, and is thrown when the work has ended.
template <class Work>
void interruptibly(Work work) {
    const py::gil_scoped_release free;
    std::mutex mutex;
    std::condition_variable ended;
    std::atomic<bool> stop{false};
    bool done = false;
    std::exception_ptr thrown, interrupt;
    std::thread worker([&] {
        try {
            work([&] { return !stop.load(); });
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::scoped_lock lock(mutex);
        done = true;
        ended.notify_one();
    });
    for (std::unique_lock lock(mutex);
         !ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });) {
        lock.unlock();
        if (!stop) {
            const py::gil_scoped_acquire python;
            if (PyErr_CheckSignals() != 0) {
                interrupt = std::make_exception_ptr(py::error_already_set());
                stop = true;
            }
        }
        lock.lock();
    }
    worker.join();
    if (interrupt) std::rethrow_exception(interrupt);
    if (thrown) std::rethrow_exception(thrown);
}

py::tuple row_record(const SweepRow& row) {
    return py::make_tuple(row.run, row.values, row.status, row.message, row.responses, row.events);
}

Rows rows_of(const py::list& records) {
    Rows out;
    for (const py::handle record : records) {
        const auto r = record.cast<py::tuple>();
        out.push_back({r[0].cast<long>(), r[1].cast<std::vector<std::string>>(),
                       r[2].cast<std::string>(), r[3].cast<std::string>(),
                       r[4].cast<std::vector<double>>(), r[5].cast<std::string>()});
    }
    return out;
}

py::list records_of(const Rows& rows) {
    py::list out;
    for (const SweepRow& row : rows) out.append(row_record(row));
    return out;
}

py::array_t<double> responses_of(const Rows& rows, std::size_t columns) {
    py::array_t<double> out(
        {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
    double* at = out.mutable_data();
    for (const SweepRow& row : rows) at = std::copy(row.responses.begin(), row.responses.end(), at);
    return out;
}

// What varied, as numbers in the units of the variables; NaN for words.
py::array_t<double> numbers_of(const Rows& rows, const SweepPlan& plan) {
    const auto columns = plan.variables().size();
    py::array_t<double> out(
        {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
    double* at = out.mutable_data();
    for (const SweepRow& row : rows)
        for (std::size_t i = 0; i < columns; ++i)
            *at++ = number_of(plan.variables()[i], row.values[i]).value_or(NAN);
    return out;
}

// The table of rows: (runs, numbers that varied, texts that varied, statuses, messages, responses,
// events).
py::tuple table_of(const Rows& rows, const SweepPlan& plan) {
    py::list values, statuses, messages, events;
    py::array_t<long> runs(static_cast<py::ssize_t>(rows.size()));
    long* run = runs.mutable_data();
    for (const SweepRow& row : rows) {
        *run++ = row.run;
        values.append(row.values);
        statuses.append(row.status);
        messages.append(row.message);
        events.append(row.events);
    }
    return py::make_tuple(runs, numbers_of(rows, plan), values, statuses, messages,
                          responses_of(rows, plan.responses().size()), events);
}

py::tuple read_plan(const Model& model, const std::vector<std::string>& vary,
                    const std::vector<std::string>& responses, const std::string& method, long runs,
                    const std::optional<std::uint64_t>& seed) {
    SweepSettings settings = model.sweep().value_or(SweepSettings{});
    if (!vary.empty() || !responses.empty()) settings.span = {};
    if (!vary.empty()) settings.vary = vary;
    if (!responses.empty()) settings.responses = responses;
    if (runs > 0) settings.runs = runs;
    if (seed) settings.seed = *seed;
    Diagnostics problems;
    problems.file = model.file();
    if (!method.empty()) {
        const auto known = named<SweepMethod>(method);
        if (!known)
            problems.error({}, "unknown method '" + method + "'" +
                                   did_you_mean(method, names_of<SweepMethod>()));
        settings.method = known.value_or(settings.method);
    }
    std::optional<SweepPlan> plan;
    if (!problems.has_errors())
        interruptibly([&](const auto& goes_on) {
            struct Stopped {};
            plan = SweepPlan::read(model, settings, problems, [&](double) {
                if (!goes_on()) throw Stopped{};
            });
        });
    return py::make_tuple(plan ? py::cast(*plan) : py::none(), problems_list(problems));
}

// Rows of some runs, sorted by their numbers.
Rows run_rows(const Model& model, const SweepPlan& plan, const std::vector<long>& runs,
              int threads) {
    Rows out;
    interruptibly([&](const auto& goes_on) {
        run_sweep(model, plan, runs, threads, [&](std::span<SweepRow> rows) {
            for (SweepRow& row : rows) out.push_back(std::move(row));
            return goes_on();
        });
    });
    std::sort(out.begin(), out.end(),
              [](const SweepRow& a, const SweepRow& b) { return a.run < b.run; });
    return out;
}

void bind_sweep_plan(py::module_& m) {
    py::class_<SweepPlan>(m, "SweepPlan")
        .def_static("read", &read_plan)
        .def("runs", &SweepPlan::runs)
        .def("variables",
             [](const SweepPlan& plan) {
                 py::list out;
                 for (const SweepVariable& v : plan.variables())
                     out.append(py::make_tuple(v.name, v.unit, v.is_number));
                 return out;
             })
        .def("responses",
             [](const SweepPlan& plan) {
                 py::list out;
                 for (const Response& r : plan.responses())
                     out.append(py::make_tuple(r.name, r.unit));
                 return out;
             })
        .def("values",
             [](const SweepPlan& plan, long run) {
                 std::vector<std::string> out;
                 for (const auto& value : plan.values_of(run)) out.push_back(value.second);
                 return out;
             })
        .def("records",
             [](const SweepPlan& plan, const Model& model, const std::vector<long>& runs,
                int threads) { return records_of(run_rows(model, plan, runs, threads)); })
        .def("table",
             [](const SweepPlan& plan, const Model& model, const std::vector<long>& runs,
                int threads) { return table_of(run_rows(model, plan, runs, threads), plan); })
        .def("table_of", [](const SweepPlan& plan, const py::list& records) {
            return table_of(rows_of(records), plan);
        });
}

void bind_sweep_store(py::module_& m) {
    py::class_<SweepStore>(m, "SweepStore")
        .def_static(
            "open",
            [](const std::string& path, const Model& model, const SweepPlan& plan, bool resume) {
                std::string problem;
                auto store = resume ? SweepStore::resume(path, model, plan, problem)
                                    : SweepStore::create(path, model, plan, problem);
                return py::make_tuple(store ? py::cast(std::move(*store)) : py::none(), problem);
            })
        .def("missing", &SweepStore::missing)
        .def("add",
             [](SweepStore& store, const py::list& records, const std::string& host,
                const std::string& version, const std::string& processor) {
                 const SweepWorker worker{host, version, processor};
                 return store.add(rows_of(records), &worker);
             })
        .def("fill",
             [](SweepStore& store, const Model& model, const SweepPlan& plan, int threads) {
                 std::string problem;
                 interruptibly([&](const auto& goes_on) {
                     problem =
                         run_missing(model, plan, store, threads, [&](long) { return goes_on(); });
                 });
                 return problem;
             })
        .def("table", [](const SweepStore& store, const SweepPlan& plan) {
            Rows rows;
            store.each([&](const SweepRow& row) { rows.push_back(row); });
            return table_of(rows, plan);
        });
}

py::object share_of(long part, long all) {
    const Share share(part, all);
    return py::make_tuple(share.value, share.low, share.high);
}

// The fields of Tolerance of the package, in their order.
py::tuple tolerance_record(const ToleranceStudy& study) {
    py::list parameters, responses, sequences;
    for (const ToleranceParameter& p : study.parameters)
        parameters.append(py::make_tuple(p.name, p.unit, p.nominal, p.tolerance,
                                         std::string(value_name(p.distribution))));
    for (const ToleranceOfResponse& r : study.responses) {
        py::list effects;
        for (std::size_t i = 0; i < r.effects.size(); ++i)
            effects.append(py::make_tuple(study.parameters[i].name, r.effects[i].slope,
                                          r.effects[i].share, r.effects[i].sampled_share));
        const bool limited = r.response.min || r.response.max;
        responses.append(py::make_tuple(
            r.response.name, r.response.unit, r.nominal, r.linear_deviation, r.linear_width,
            r.worst_low, r.worst_high, r.sample.count, r.sample.least, r.sample.mean(),
            r.sample.greatest, r.sample.deviation(), r.low, r.high, effects,
            limited ? share_of(r.good, study.runs) : py::none(), r.disagreement));
    }
    for (const ToleranceSequence& s : study.sequences)
        sequences.append(py::make_tuple(s.status, s.events, s.count, share_of(s.count, study.runs),
                                        s.example, s.values));
    return py::make_tuple(study.runs, parameters, responses, sequences,
                          study.has_limits ? share_of(study.good, study.runs) : py::none(),
                          study.notes);
}

py::tuple tolerance(const Model& model, const std::vector<std::string>& responses, long runs,
                    std::uint64_t seed, int threads) {
    Diagnostics problems;
    std::optional<ToleranceStudy> study;
    interruptibly([&](const auto& goes_on) {
        ToleranceOptions options{responses, runs, seed, threads, {}};
        options.progress = [&](long, long) { return goes_on(); };
        study = study_tolerances(model, options, problems);
    });
    if (!study) return py::make_tuple(py::none(), problems_list(problems));
    return py::make_tuple(
        py::make_tuple(tolerance_record(*study), study->plan, table_of(study->rows, study->plan)),
        problems_list(problems));
}

// A row of numbers for each response.
template <class Number>
py::array_t<double> by_responses(const Sensitivity& s, Number number) {
    py::array_t<double> out({static_cast<py::ssize_t>(s.responses.size()),
                             static_cast<py::ssize_t>(s.parameters.size())});
    double* at = out.mutable_data();
    for (const auto& row : s.derivatives)
        for (const Derivative& d : row) *at++ = number(d);
    return out;
}

// The fields of Sensitivity of the package, in their order.
py::tuple sensitivity_record(const Sensitivity& s) {
    py::list parameters, responses, problems, missing, columns;
    for (const auto& p : s.parameters) parameters.append(py::make_tuple(p.name, p.value, p.unit));
    for (const auto& r : s.responses)
        responses.append(py::make_tuple(r.response.name, r.value.value, r.value.unit));
    for (const auto& row : s.derivatives)
        for (const Derivative& d : row) problems.append(d.problem);
    for (const MissingDerivativeAt& m : s.missing)
        missing.append(py::make_tuple(m.parameter, m.t, m.event, m.reason));
    for (const Column& c : s.columns) columns.append(py::make_tuple(c.name, c.unit));
    const auto width = static_cast<py::ssize_t>(s.columns.size());
    py::array_t<double> cells(
        {width == 0 ? 0 : static_cast<py::ssize_t>(s.cells.size()) / width, width});
    std::copy(s.cells.begin(), s.cells.end(), cells.mutable_data());
    return py::make_tuple(
        std::string(s.method == SensitivityMethod::along_the_run ? "along the run"
                                                                 : "differences of runs"),
        parameters, responses, by_responses(s, [](const Derivative& d) { return d.value; }),
        by_responses(s, [](const Derivative& d) { return d.relative; }),
        by_responses(s, [](const Derivative& d) { return d.error; }), problems, missing, s.notes,
        columns, cells);
}

py::tuple sensitivity(const Model& model, const std::vector<std::string>& responses,
                      const std::vector<std::string>& parameters, bool columns, bool differences,
                      int threads) {
    Diagnostics problems;
    problems.file = model.file();
    std::optional<Sensitivity> found;
    interruptibly([&](const auto&) {
        found = model.sensitivity({responses, parameters, columns, differences, threads}, problems);
    });
    return py::make_tuple(found ? py::object(sensitivity_record(*found)) : py::none(),
                          problems_list(problems));
}

PlainSearch search_of(int starts, std::uint64_t seed, int threads) {
    PlainSearch search;
    search.starts = starts;
    search.seed = seed;
    search.threads = threads;
    return search;
}

py::tuple optimised(const Model& model, const std::string& method, int starts, int evaluations,
                    double accuracy, std::uint64_t seed, int threads) {
    Diagnostics problems;
    std::string text;
    PlainSearch search = search_of(starts, seed, threads);
    search.evaluations = evaluations;
    search.accuracy = accuracy;
    interruptibly([&](const auto& goes_on) {
        search.goes_on = goes_on;
        text = optimise(model, method, search, problems);
    });
    return py::make_tuple(text, problems_list(problems));
}

py::tuple synthesised(const PlainTask& task, int starts, int keep, std::uint64_t seed,
                      int threads) {
    Diagnostics problems;
    std::string text;
    PlainSearch search = search_of(starts, seed, threads);
    search.keep = keep;
    interruptibly([&](const auto& goes_on) {
        search.goes_on = goes_on;
        text = synthesise(task, search, problems);
    });
    return py::make_tuple(text, problems_list(problems));
}

}  // namespace

void bind_studies(py::module_& m) {
    bind_sweep_plan(m);
    bind_sweep_store(m);
    m.def("tolerance", &tolerance);
    m.def("sensitivity", &sensitivity);
    m.def("optimise", &optimised);
    py::class_<PlainTask>(m, "Task")
        .def(py::init([](std::string kind, std::string text, bool is_table, std::string mechanism,
                         std::optional<double> tolerance, bool any_order) {
            return PlainTask{std::move(kind),      std::move(text), is_table,
                             std::move(mechanism), tolerance,       any_order};
        }))
        .def_readwrite("file", &PlainTask::file)
        .def(
            "from_model",
            [](PlainTask& task, const Model& model, const std::string& point,
               const std::string& output, bool moves_pivots) {
                task.model = &model;
                task.point = point;
                task.output = output;
                task.moves_pivots = moves_pivots;
            },
            py::keep_alive<1, 2>());
    m.def("synthesise", &synthesised);
}

}  // namespace pawl::python
