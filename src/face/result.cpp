#include "face/result.h"

#include "face/result_inside.h"
#include "output/report/moving_picture.h"
#include "output/report/report.h"

namespace pawl {

bool Result::is_complete() const { return inside_->is_complete; }
const std::string& Result::status() const { return inside_->status; }
const std::string& Result::message() const { return inside_->message; }
const Diagnostics& Result::problems() const { return inside_->problems; }
const std::vector<Column>& Result::columns() const { return inside_->trajectory->columns; }
std::size_t Result::rows() const { return inside_->trajectory->rows(); }
std::span<const double> Result::values() const { return inside_->trajectory->values(); }
const std::vector<Event>& Result::events() const { return *inside_->events; }
const Audit& Result::audit() const { return inside_->audit; }

ResponseValue Result::response(const Response& response, Linearisation* linearisation) const {
    return evaluate(response, {*inside_->trajectory, *inside_->events}, linearisation);
}

std::span<const double> Result::column(std::string_view name) const {
    const int index = inside_->trajectory->find(std::string(name));
    if (index < 0) return {};
    const std::scoped_lock lock(inside_->reading);
    const auto [cached, is_new] = inside_->columns.try_emplace(index);
    if (is_new)
        for (std::size_t row = 0; row < rows(); ++row)
            cached->second.push_back(
                inside_->trajectory->row(row)[static_cast<std::size_t>(index)]);
    return cached->second;
}

namespace {

Json summary_of(const Result::Inside& inside) {
    Json out = inside.make_summary();
    if (!inside.audit.remarks.empty()) out["audit"]["remarks"] = inside.audit.remarks;
    return out;
}

}  // namespace

std::string Result::summary() const { return json_text(summary_of(*inside_)); }

StoredResult Result::stored() const {
    StoredResult out;
    out.summary = summary();
    out.model = inside_->model->text;
    out.parameters = inside_->model->overrides;
    out.trajectory = *inside_->trajectory;
    out.events = *inside_->events;
    return out;
}

std::string Result::report() const {
    if (inside_->trajectory->rows() == 0 || !inside_->placed.ok()) return {};
    return pawl::report(stored(), inside_->placed);
}

std::string Result::motion() const { return moving_picture_json(stored(), inside_->placed); }

std::string Result::drawing(double t) const {
    if (inside_->trajectory->rows() == 0) return {};
    return picture_of(inside_->placed, *inside_->trajectory, t);
}

std::string Result::write(const std::filesystem::path& folder) const {
    return write_result(folder, *inside_->model, summary_of(*inside_), *inside_->trajectory,
                        *inside_->events)
        .problem;
}

}  // namespace pawl
