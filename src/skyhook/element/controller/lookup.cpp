#include "skyhook/element/controller/lookup.h"

#include <algorithm>

#include "skyhook/element/finding.h"
#include "skyhook/math/spline.h"
#include "skyhook/model/tabulated.h"

namespace skyhook::element {
namespace {

// Where v stands among rising numbers, at least two: between at[index] and at[index + 1], the ends held.
struct Position {
  std::size_t index;
  double share;
};
Position position_in(std::span<const double> at, double v) {
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, v);
  const auto i = static_cast<std::size_t>(above - at.begin()) - 1;
  return {i, std::clamp((v - at[i]) / (at[i + 1] - at[i]), 0.0, 1.0)};
}

struct TableLaw final : model::SampledLaw, model::TabulatedSampling {
  std::vector<double> x;
  std::vector<std::vector<double>> columns;
  std::vector<MonotoneCubic> curves;  // empty: linear
  std::vector<double> schedule_at;    // empty: one column
  model::Beyond beyond = model::Beyond::unsaid;

  void update(double, std::span<const double> in, std::span<double>, std::span<double> out) const override {
    out[0] = column(0, in[0]);
    if (schedule_at.empty()) return;
    const Position p = position_in(schedule_at, in[1]);
    const double below = column(p.index, in[0]);
    out[0] = below + p.share * (column(p.index + 1, in[0]) - below);
  }
  void look(std::span<const double> in, model::TableLooks& looks) const override {
    looks.push_back({"table", "input", "", in[0], x.front(), x.back(), beyond});
    if (!schedule_at.empty())
      looks.push_back({"schedule_at", "schedule", "", in[1], schedule_at.front(), schedule_at.back(), beyond});
  }

 private:
  double column(std::size_t k, double v) const {
    if (!curves.empty()) return curves[k](std::clamp(v, x.front(), x.back()));
    const Position p = position_in(x, v);
    return columns[k][p.index] + p.share * (columns[k][p.index + 1] - columns[k][p.index]);
  }
};

bool rises(std::span<const double> x) { return std::ranges::adjacent_find(x, std::greater_equal<>{}) == x.end(); }

void check(const Lookup& lookup, const model::FieldSource& source) {
  const bool has_schedule = !lookup.schedule.channel.empty();
  const std::size_t columns = has_schedule ? lookup.schedule_at.size() : 1;
  if (has_schedule != !lookup.schedule_at.empty()) {
    fail(source, has_schedule ? "schedule" : "schedule_at", "schedule and schedule_at belong together.",
         "Give both, or neither.");
  }
  if (has_schedule && (columns < 2 || !rises(lookup.schedule_at)))
    fail(source, "schedule_at", "schedule_at should hold at least two rising numbers.", "One for each column.");
  if (lookup.table.size() < 2)
    fail(source, "table", "a table needs at least two rows.", "Write [[x, y], [x, y], ...].");
  for (std::size_t i = 0; i < lookup.table.size(); ++i) {
    const auto& row = lookup.table[i];
    const std::string what = "row " + std::to_string(i + 1) + " of the table";
    if (row.size() != columns + 1)
      fail(source, "table", what + " should have " + std::to_string(columns + 1) + " numbers.",
           "x first, then a number for each column.");
    if (i > 0 && !(row[0] > lookup.table[i - 1][0]))
      fail(source, "table", what + " has an x that is not above the one before.", "Sort the rows, and remove doubles.");
  }
}

}  // namespace

void Lookup::add_to(model::FieldSource& source, model::Model& model) const {
  check(*this, source);
  auto law = std::make_shared<TableLaw>();
  law->schedule_at = schedule_at;
  if (!beyond.empty()) law->beyond = beyond == "hold" ? model::Beyond::hold : model::Beyond::refuse;
  law->columns.resize(table[0].size() - 1);
  for (const std::vector<double>& row : table) {
    law->x.push_back(row[0]);
    for (std::size_t k = 0; k < law->columns.size(); ++k) law->columns[k].push_back(row[k + 1]);
  }
  for (const auto& column : law->columns) {
    if (interpolation == "monotone") law->curves.emplace_back(law->x, column);
  }
  std::vector<model::Output> inputs{input};
  if (!schedule.channel.empty()) inputs.push_back(schedule);
  add_controller(*this, std::move(inputs), {{"output"}, unit}, std::move(law), source, model);
}

}  // namespace skyhook::element
