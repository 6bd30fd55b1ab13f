#include "design/sweep_store.h"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <sqlite3.h>

namespace pawl {

namespace {

constexpr int format_version = 1;

std::string quoted_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

// Everything that the rows follow from, as text: files with the same one can be gone on with.
std::string description(const Model& model, const SweepPlan& plan) {
    const SweepSettings& s = plan.settings();
    std::string out = fmt::format("pawl sweep {}\nmethod {}\nruns {}\nseed {}\n", format_version,
                                  value_name(s.method), plan.runs(), s.seed);
    for (const SweepVariable& v : plan.variables())
        out += fmt::format("vary {} {} {} {} {}\n", v.name, v.from, v.to, v.values.size(), v.unit) +
               (v.values.empty() ? "" : v.values.front() + " " + v.values.back() + "\n");
    for (const Response& r : plan.responses())
        out += "response " + r.name + " " + r.text + " " + r.unit + "\n";
    for (const auto& [name, value] : model.values()) out += "set " + name + "=" + value + "\n";
    const RunSettings& run = model.run;
    out += fmt::format("run {} {} {} {} {}\n", value_name(run.analysis), run.end, run.step,
                       run.rtol, run.atol);
    return out + "model\n" + model.text();
}

}  // namespace

struct SweepStore::Database {
    sqlite3* file = nullptr;
    sqlite3_stmt* insertion = nullptr;

    Database() = default;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database() {
        sqlite3_finalize(insertion);
        run("PRAGMA journal_mode = DELETE");  // nothing stays beside the file
        sqlite3_close(file);
    }

    [[nodiscard]] std::string problem() const {
        const int code = sqlite3_errcode(file);
        if (code == SQLITE_FULL) return "the disk is full";
        if (code == SQLITE_BUSY) return "another program is writing to it";
        return sqlite3_errmsg(file);
    }
    // False where it is refused.
    bool run(const std::string& command) {
        return sqlite3_exec(file, command.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    bool prepare(const std::string& command, sqlite3_stmt*& statement) {
        return sqlite3_prepare_v2(file, command.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    }
    // The one text that a query gives.
    std::optional<std::string> text(const std::string& query) {
        sqlite3_stmt* statement = nullptr;
        std::optional<std::string> out;
        if (prepare(query, statement) && sqlite3_step(statement) == SQLITE_ROW)
            if (const auto* found = sqlite3_column_text(statement, 0))
                out = reinterpret_cast<const char*>(found);
        sqlite3_finalize(statement);
        return out;
    }
    bool insert_text(sqlite3_stmt* statement, int column, const std::string& value) {
        return sqlite3_bind_text(statement, column, value.c_str(), static_cast<int>(value.size()),
                                 SQLITE_TRANSIENT) == SQLITE_OK;
    }

    bool open(const std::filesystem::path& path, bool is_new) {
        const int flags = SQLITE_OPEN_READWRITE | (is_new ? SQLITE_OPEN_CREATE : 0);
        // Held as long as it is open; the rollback journal makes each transaction whole or not
        // there.
        return sqlite3_open_v2(path.c_str(), &file, flags, nullptr) == SQLITE_OK &&
               run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; "
                   "PRAGMA synchronous = NORMAL;");
    }
    bool make_tables(const Model& model, const SweepPlan& plan) {
        std::string runs =
            "CREATE TABLE runs (run INTEGER PRIMARY KEY, status TEXT NOT NULL, message TEXT NOT "
            "NULL, events TEXT NOT NULL";
        std::string columns;
        for (const SweepVariable& v : plan.variables()) {
            runs += ", " + quoted_name(v.name) + (v.is_number ? " REAL" : " TEXT");
            columns += fmt::format("INSERT INTO columns VALUES ({}, 'varied', {});",
                                   literal(v.name), literal(v.unit));
        }
        for (const Response& r : plan.responses()) {
            runs += ", " + quoted_name(r.name) + " REAL";
            columns += fmt::format("INSERT INTO columns VALUES ({}, 'response', {});",
                                   literal(r.name), literal(r.unit));
        }
        return run(
            "BEGIN; CREATE TABLE sweep (description TEXT NOT NULL);"
            "CREATE TABLE columns (name TEXT NOT NULL, kind TEXT NOT NULL, unit TEXT NOT "
            "NULL);" +
            columns + runs + ");INSERT INTO sweep VALUES (" + literal(description(model, plan)) +
            "); COMMIT;");
    }
    static std::string literal(std::string_view text) {
        std::string out = "'";
        for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
        return out + "'";
    }
    bool prepare_insertion(const SweepPlan& plan) {
        std::string command = "INSERT INTO runs VALUES (?, ?, ?, ?";
        for (std::size_t i = 0; i < plan.variables().size() + plan.responses().size(); ++i)
            command += ", ?";
        return prepare(command + ")", insertion);
    }
    bool insert(const SweepRow& row, const SweepPlan& plan) {
        int column = 1;
        bool ok = sqlite3_bind_int64(insertion, column++, row.run) == SQLITE_OK;
        for (const std::string* text : {&row.status, &row.message, &row.events})
            ok = ok && insert_text(insertion, column++, *text);
        for (std::size_t i = 0; ok && i < row.values.size(); ++i, ++column) {
            const auto number = number_of(plan.variables()[i], row.values[i]);
            ok = number ? sqlite3_bind_double(insertion, column, *number) == SQLITE_OK
                        : insert_text(insertion, column, row.values[i]);
        }
        for (std::size_t i = 0; ok && i < row.responses.size(); ++i, ++column)
            ok = (std::isfinite(row.responses[i])
                      ? sqlite3_bind_double(insertion, column, row.responses[i])
                      : sqlite3_bind_null(insertion, column)) == SQLITE_OK;
        ok = ok && sqlite3_step(insertion) == SQLITE_DONE;
        return sqlite3_reset(insertion) == SQLITE_OK && ok;
    }
    bool insert_worker(std::span<const SweepRow> rows, const SweepWorker& worker) {
        const std::string names = literal(worker.host) + ", " + literal(worker.version) + ", " +
                                  literal(worker.processor);
        std::string command =
            "CREATE TABLE IF NOT EXISTS workers (worker INTEGER PRIMARY KEY, host TEXT NOT NULL, "
            "version TEXT NOT NULL, processor TEXT NOT NULL, UNIQUE (host, version, processor));"
            "CREATE TABLE IF NOT EXISTS made_by (run INTEGER PRIMARY KEY, worker INTEGER NOT "
            "NULL);"
            "INSERT OR IGNORE INTO workers (host, version, processor) VALUES (" +
            names + ");";
        for (const SweepRow& row : rows)
            command += fmt::format(
                "INSERT INTO made_by SELECT {}, worker FROM workers WHERE (host, version, "
                "processor) = ({});",
                row.run, names);
        return run(command);
    }
};

SweepStore::SweepStore(std::unique_ptr<Database> database, SweepPlan plan)
    : database_(std::move(database)), plan_(std::move(plan)) {}
SweepStore::~SweepStore() = default;
SweepStore::SweepStore(SweepStore&&) noexcept = default;
SweepStore& SweepStore::operator=(SweepStore&&) noexcept = default;

std::optional<SweepStore> SweepStore::create(const std::filesystem::path& path, const Model& model,
                                             const SweepPlan& plan, std::string& problem) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
        problem = path.string() +
                  " exists already; continue it with --resume, or name another file with --out";
        return std::nullopt;
    }
    auto database = std::make_unique<Database>();
    if (!database->open(path, true) || !database->make_tables(model, plan) ||
        !database->prepare_insertion(plan)) {
        problem = path.string() + ": " + database->problem();
        database.reset();
        std::filesystem::remove(path, ignored);
        return std::nullopt;
    }
    return SweepStore(std::move(database), plan);
}

std::optional<SweepStore> SweepStore::resume(const std::filesystem::path& path, const Model& model,
                                             const SweepPlan& plan, std::string& problem) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return create(path, model, plan, problem);
    auto database = std::make_unique<Database>();
    std::optional<std::string> written;
    if (database->open(path, false)) {
        // Killed before its tables were there: it begins.
        if (!database->text("SELECT name FROM sqlite_master WHERE name = 'sweep'") &&
            database->text("SELECT count(*) FROM sqlite_master") == "0")
            database->make_tables(model, plan);
        written = database->text("SELECT description FROM sweep");
    }
    if (!written)
        problem =
            path.string() + ": " + database->problem() + "; no sweep can be read from this file";
    else if (*written != description(model, plan))
        problem = path.string() +
                  " contains a different sweep: its model, values or responses differ; name "
                  "another file with --out";
    else if (!database->prepare_insertion(plan))
        problem = path.string() + ": " + database->problem();
    if (!problem.empty()) return std::nullopt;
    return SweepStore(std::move(database), plan);
}

std::vector<long> SweepStore::missing() const {
    std::vector<bool> there(static_cast<std::size_t>(plan_.runs()));
    sqlite3_stmt* statement = nullptr;
    if (database_->prepare("SELECT run FROM runs", statement))
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const auto run = static_cast<std::size_t>(sqlite3_column_int64(statement, 0));
            if (run < there.size()) there[run] = true;
        }
    sqlite3_finalize(statement);
    std::vector<long> out;
    for (std::size_t i = 0; i < there.size(); ++i)
        if (!there[i]) out.push_back(static_cast<long>(i));
    return out;
}

std::string SweepStore::add(std::span<const SweepRow> rows, const SweepWorker* worker) {
    if (rows.empty()) return {};
    bool ok = database_->run("BEGIN");
    for (const SweepRow& row : rows) ok = ok && database_->insert(row, plan_);
    if (worker != nullptr) ok = ok && database_->insert_worker(rows, *worker);
    ok = ok && database_->run("COMMIT");
    if (ok) return {};
    const std::string problem = database_->problem();
    database_->run("ROLLBACK");
    return problem;
}

void SweepStore::each(const std::function<void(const SweepRow&)>& found) const {
    sqlite3_stmt* statement = nullptr;
    if (database_->prepare("SELECT * FROM runs ORDER BY run", statement))
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const auto text = [&](int column) {
                const auto* value = sqlite3_column_text(statement, column);
                return std::string(value == nullptr ? "" : reinterpret_cast<const char*>(value));
            };
            SweepRow row;
            row.run = sqlite3_column_int64(statement, 0);
            row.status = text(1);
            row.message = text(2);
            row.events = text(3);
            int column = 4;
            // The texts again, because the numbers in the table have lost their units.
            for (const auto& value : plan_.values_of(row.run)) {
                row.values.push_back(value.second);
                ++column;
            }
            for (std::size_t i = 0; i < plan_.responses().size(); ++i, ++column)
                row.responses.push_back(sqlite3_column_type(statement, column) == SQLITE_NULL
                                            ? std::numeric_limits<double>::quiet_NaN()
                                            : sqlite3_column_double(statement, column));
            found(row);
        }
    sqlite3_finalize(statement);
}

std::string run_missing(const Model& model, const SweepPlan& plan, SweepStore& store, int threads,
                        const std::function<bool(long)>& progress) {
    using Clock = std::chrono::steady_clock;
    constexpr auto longest = std::chrono::milliseconds(200);  // that a row waits to be kept
    constexpr std::size_t max_waiting = 1000;
    std::vector<SweepRow> waiting;
    std::string problem;
    long done = 0;
    auto last = Clock::now();
    const auto keep = [&] {
        problem = store.add(waiting);
        waiting.clear();
        last = Clock::now();
        return problem.empty();
    };
    run_sweep(model, plan, store.missing(), threads, [&](std::span<SweepRow> rows) {
        done += static_cast<long>(rows.size());
        for (SweepRow& row : rows) waiting.push_back(std::move(row));
        const bool kept = (Clock::now() - last < longest && waiting.size() < max_waiting) || keep();
        return progress(done) && kept;
    });
    if (problem.empty() && !waiting.empty()) keep();
    return problem;
}

namespace {

std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

std::string with_unit(const std::string& name, const std::string& unit) {
    return cell(unit.empty() ? name : name + " [" + unit + "]");
}

}  // namespace

std::string csv_header(const SweepPlan& plan) {
    std::string out = "run,status";
    for (const SweepVariable& v : plan.variables()) out += "," + with_unit(v.name, v.unit);
    for (const Response& r : plan.responses()) out += "," + with_unit(r.name, r.unit);
    return out + ",events,message\n";
}

std::string csv_line(const SweepPlan& plan, const SweepRow& row) {
    std::string out = fmt::format("{},{}", row.run, row.status);
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        const auto number = number_of(plan.variables()[i], row.values[i]);
        out += "," + (number ? fmt::format("{}", *number) : cell(row.values[i]));
    }
    for (const double value : row.responses)
        out += "," + (std::isfinite(value) ? fmt::format("{}", value) : std::string());
    return out + "," + cell(row.events) + "," + cell(row.message) + "\n";
}

}  // namespace pawl
