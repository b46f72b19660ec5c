#include "skyhook/simulation/table_excursions.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyhook::simulation {
namespace {

using model::Beyond;
using model::TableLook;

double distance(const TableLook& look) { return std::max({0.0, look.first - look.x, look.x - look.last}); }

std::string number(double x, const char* unit) {
  return *unit ? fmt::format("{:.6g} {}", x, unit) : fmt::format("{:.6g}", x);
}

// "its table over the rate ends at 0.5 m/s, but the rate reached 0.8 m/s"
std::string finding(const TableLook& look) {
  const bool is_above = look.x > look.last;
  return fmt::format("its {} {} the {} {} at {}, but the {} reached {}", look.range, look.held ? "of" : "over",
                     look.what, is_above ? "ends" : "begins", number(is_above ? look.last : look.first, look.unit),
                     look.what, number(look.x, look.unit));
}

}  // namespace

void TableExcursions::add(const char* noun, const std::string& name, const Location& where,
                          const model::TableLooks& looks, double t) {
  for (const TableLook& look : looks) {
    constexpr double rounding = 1e-9;
    if (!(distance(look) > rounding * (look.last - look.first))) continue;
    const std::string owner = fmt::format("{} \"{}\"", noun, name);
    if (look.beyond == Beyond::refuse && problem_.empty())
      problem_ = fmt::format("{}: {}: {} at t = {:.6g} s, and it says `beyond: refuse`. Extend the table.", owner,
                             look.field, finding(look), t);
    if (look.beyond != Beyond::unsaid) continue;
    const auto [entry, is_first] = left_.try_emplace({owner, look.field}, Excursion{owner, where, look, t});
    entry->second.t_first =
        std::min(entry->second.t_first, t);  // ends of steps are looked at before samples within them
    if (distance(look) > distance(entry->second.farthest)) entry->second.farthest = look;
  }
}

std::vector<Warning> TableExcursions::warnings() const {
  std::vector<Warning> out;
  for (const auto& [key, e] : left_) {
    if (e.farthest.held) {
      out.push_back({"beyond_table", e.where,
                     fmt::format("{}: {}: {} (beyond first at t = {:.6g} s). There {}.", e.owner, key.second,
                                 finding(e.farthest), e.t_first, e.farthest.held),
                     "Check what comes in, or take data that go so far."});
      continue;
    }
    const bool holds = std::string_view(e.farthest.unit).empty();  // that of a controller
    out.push_back(
        {"beyond_table", e.where,
         fmt::format("{}: {}: {} (beyond first at t = {:.6g} s). There {}.", e.owner, key.second, finding(e.farthest),
                     e.t_first, holds ? "the value of its last row has held" : "the curve has gone on straight"),
         holds ? "Extend the table, or say that this is meant: beyond: hold."
               : "Extend the table, or say what is meant: beyond: straight or hold."});
  }
  return out;
}

std::vector<Warning> motions_beyond_tables(const std::vector<model::TimeTable>& tables, double from, double until) {
  std::vector<Warning> out;
  const double rounding = 1e-9 * (until - from);
  for (const model::TimeTable& table : tables) {
    const bool ends = until > table.last + rounding, begins = from < table.first - rounding;
    if (!ends && !begins) continue;
    const std::string span =
        fmt::format("{}: its table goes from t = {:.6g} s to {:.6g} s, but the run from {:.6g} s to {:.6g} s.",
                    table.what, table.first, table.last, from, until);
    if (table.beyond == Beyond::refuse)
      throw ModelError(table.where, span, "It says `beyond: refuse`: extend the table, or shorten the run.");
    if (table.beyond != Beyond::unsaid) continue;
    const double rate = ends ? table.last_rate : table.first_rate;
    out.push_back(
        {"beyond_table", table.where,
         fmt::format("{} Beyond it the value of its {} row holds; the rate, {:.3g} in SI there, jumps to 0.", span,
                     ends ? "last" : "first", rate),
         "Extend the table, or say what is meant: beyond: hold, stop (it comes to rest in its last row) or straight."});
  }
  return out;
}

}  // namespace skyhook::simulation
