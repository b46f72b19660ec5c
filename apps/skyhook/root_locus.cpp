#include "skyhook/analysis/root_locus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "analysis_files.h"
#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "skyhook/analysis/sweep.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using analysis::Branch;
using analysis::Mode;
using analysis::Modes;

struct Locus {
  analysis::SweepAxis axis;
  std::string model;
  std::vector<Modes> points;
  std::vector<std::shared_ptr<const analysis::Stand>> stands;  // where the bodies are; null where there are no modes
  simulation::Prepared prepared;                               // with the first value that has modes
  model::Experiment experiment;
  std::vector<Warning> warnings;  // of that
  std::vector<Branch> branches;
  std::vector<analysis::Crossing> crossings;
  bool interrupted = false;  // there would have been more
};

void add_point(const ModesCommand& o, const std::string& setting, Locus& l) {
  LinearPoint point;
  Modes modes = modes_with(o, setting, point);
  if (stop_requested()) return;
  l.points.push_back(std::move(modes));
  const bool found = l.points.back().problem.empty();
  l.stands.push_back(found ? stand_of(point) : nullptr);
  if (!found || l.prepared.model) return;
  l.experiment = point.experiment, l.prepared = point.prepared;
  l.warnings = without(std::move(point.warnings), l.prepared.model->ignored_warnings);
}

std::string text_of(const analysis::SweepAxis& axis, double value) {
  return fmt::format("{}={:.17g}{}{}", axis.name, value, axis.unit.empty() ? "" : " ", axis.unit);
}

// Where the number of growing modes changes between two neighbours.
void find_crossings(const ModesCommand& o, Locus& l) {
  for (std::size_t k = 0; k + 1 < l.points.size() && !stop_requested(); ++k) {
    if (!l.points[k].problem.empty() || !l.points[k + 1].problem.empty()) continue;
    if (analysis::growing(l.points[k]) == analysis::growing(l.points[k + 1])) continue;
    const double a = l.axis.values[k], b = l.axis.values[k + 1];
    const auto at = [&](double value) {
      LinearPoint point;
      return modes_with(o, text_of(l.axis, value), point);
    };
    analysis::Crossing found = analysis::find_crossing(at, std::min(a, b), std::max(a, b));
    if (!stop_requested()) l.crossings.push_back(std::move(found));
  }
}

Table table_of(const Locus& l) {
  Table table;
  table.add_column(l.axis.name, l.axis.unit, 6), table.add_column("branch");
  table.add_column("frequency", "Hz", 5), table.add_column("damping", "%", 4);
  table.add_column("real", "1/s", 5), table.add_column("imag", "1/s", 6), table.add_column("moves");
  for (std::size_t p = 0; p < l.points.size(); ++p) {
    for (std::size_t b = 0; b < l.branches.size(); ++b) {
      const int k = l.branches[b].mode[p];
      if (k < 0) continue;
      const Mode& mode = l.points[p].modes[static_cast<std::size_t>(k)];
      table.add_row({l.axis.values[p], static_cast<long>(b + 1), mode.frequency, 100 * mode.damping, mode.value.real(),
                     mode.value.imag(), mode.name});
    }
  }
  return table;
}

std::string to_json(const Locus& l) {
  std::string out = fmt::format("{{\"parameter\": {}, \"unit\": {}, \"values\": [", json_string(l.axis.name),
                                json_string(l.axis.unit));
  for (std::size_t p = 0; p < l.axis.values.size(); ++p) out += (p ? ", " : "") + json_number(l.axis.values[p]);
  out += "], \"branches\": [";
  for (std::size_t b = 0; b < l.branches.size(); ++b) {
    out += fmt::format("{}{{\"name\": {}, \"points\": [", b ? ",\n" : "", json_string(l.branches[b].name));
    for (std::size_t p = 0; p < l.points.size(); ++p) {
      const int k = l.branches[b].mode[p];
      out += p ? ", " : "";
      if (k < 0) {
        out += "null";
        continue;
      }
      const Mode& m = l.points[p].modes[static_cast<std::size_t>(k)];
      out +=
          fmt::format("{{\"frequency_hz\": {}, \"damping\": {}, \"real\": {}, \"imag\": {}}}", json_number(m.frequency),
                      json_number(m.damping), json_number(m.value.real()), json_number(m.value.imag()));
    }
    out += "]}";
  }
  out += "], \"crossings\": [";
  for (std::size_t k = 0; k < l.crossings.size(); ++k) {
    const auto& c = l.crossings[k];
    out += fmt::format("{}{{\"value\": {}, \"width\": {}, \"grows\": {}, \"frequency_hz\": {}, \"name\": {}}}",
                       k ? ", " : "", json_number(c.value), json_number(c.width), c.grows,
                       json_number(c.mode.frequency), json_string(c.mode.name));
  }
  out += "], \"problems\": [";
  bool first = true;
  for (std::size_t p = 0; p < l.points.size(); ++p) {
    if (l.points[p].problem.empty()) continue;
    out += fmt::format("{}{{\"value\": {}, \"problem\": {}}}", first ? "" : ", ", json_number(l.axis.values[p]),
                       json_string(l.points[p].problem));
    first = false;
  }
  return out + fmt::format("], \"interrupted\": {}}}", l.interrupted);
}

// "speed = 42.1 m/s: wheelset begins to grow as it rises, at 3.1 Hz"
std::string text_of(const Locus& l, const analysis::Crossing& c) {
  return fmt::format("{} begins to {} as {} rises, at {:.6g} Hz", c.mode.name, c.grows ? "grow" : "decay", l.axis.name,
                     c.mode.frequency);
}

// Over the parameter as it is given; a gap where a branch is not there.
analysis::Findings findings_of(const Locus& l) {
  analysis::Findings out{.analysis = "modes", .method = "root locus"};
  out.abscissa = {l.axis.name, l.axis.unit.empty() ? "-" : l.axis.unit};
  for (std::size_t b = 0; b < l.branches.size(); ++b) {
    for (const auto& [kind, its_unit] :
         {std::pair("frequency", "Hz"), {"damping", "-"}, {"real", "1/s"}, {"imag", "1/s"}})
      out.channels.push_back({fmt::format("branch{}.{}", b + 1, kind), its_unit});
  }
  for (std::size_t p = 0; p < l.points.size(); ++p) {
    analysis::Findings::Point point{l.axis.values[p], {}, {}, l.stands[p]};
    for (const Branch& branch : l.branches) {
      const Mode* m = branch.mode[p] < 0 ? nullptr : &l.points[p].modes[static_cast<std::size_t>(branch.mode[p])];
      const double gap = std::numeric_limits<double>::quiet_NaN();
      for (const double x :
           {m ? m->frequency : gap, m ? m->damping : gap, m ? m->value.real() : gap, m ? m->value.imag() : gap})
        point.values.push_back(x);
    }
    out.points.push_back(std::move(point));
  }
  std::ranges::stable_sort(out.points, {}, &analysis::Findings::Point::s);
  for (const auto& c : l.crossings) out.events.push_back({c.value, "crossing", text_of(l, c), c.mode.name, "crossing"});
  out.warnings = l.warnings, out.json = to_json(l), out.interrupted = l.interrupted;
  return out;
}

void print(const Locus& l) {
  fmt::print("{}: modes over {}\n{}", printable(l.model), printable(l.axis.name), table_of(l).to_text());
  for (const auto& c : l.crossings)
    fmt::print("\n{} = {:.9g}{}{}: {}\n", printable(l.axis.name), c.value, l.axis.unit.empty() ? "" : " ", l.axis.unit,
               printable(text_of(l, c)));
  if (l.interrupted) fmt::print("\ninterrupted: this is what had been found by then\n");
}

}  // namespace

int root_locus(const ModesCommand& given) {
  ModesCommand o = given;
  if (o.csv) check_writable(*o.csv);
  Locus l;
  l.axis = analysis::parse_sweep(o.sweep);
  if (o.crossing && l.axis.values.size() < 2)
    refuse("--crossing needs a range to look into.", "For example --sweep speed=10..100/10.");
  const model::Model m = load(o, "modes", l.experiment);
  l.model = m.name;
  choose_swept(m, l.experiment, l.axis.name, o);
  const AnalysisFiles files = analysis_files(o, m.files);
  stop_on_signals();
  Progress progress(std::cerr, Progress::style_of_stderr(o.quiet || o.json), static_cast<double>(l.axis.values.size()),
                    {"points"});
  for (std::size_t k = 0; k < l.axis.values.size() && !stop_requested(); ++k) {
    add_point(o, l.axis.name + "=" + l.axis.text(k), l);
    progress.update(static_cast<double>(k + 1));
  }
  progress.finish(static_cast<double>(l.points.size()));
  l.axis.values.resize(l.points.size());  // an interruption leaves the last ones out
  l.branches = analysis::follow(l.points);
  if (o.crossing) find_crossings(o, l);
  l.interrupted = stop_requested();
  bool all = true;
  for (std::size_t k = 0; k < l.points.size(); ++k) {
    if (l.points[k].problem.empty()) continue;
    all = false;
    fmt::print(stderr, "{}: there are no modes. {}\n", text_of(l.axis, l.axis.values[k]), l.points[k].problem);
  }
  const bool any = std::ranges::any_of(l.points, [](const Modes& each) { return each.problem.empty(); });
  if (o.crossing && l.crossings.empty() && any && !l.interrupted)
    fmt::print(stderr, "No mode begins or ceases to grow in the range of {}.\n", l.axis.name);
  if (o.csv) write_text(*o.csv, table_of(l).to_csv());
  if (o.json)
    fmt::print("{}\n", to_json(l));
  else if (o.csv != "-" && !o.quiet)
    print(l);
  if (l.prepared.model) write_analysis(files, o, findings_of(l), analysis::info_of(l.prepared, l.experiment));
  return l.interrupted ? interrupted : all ? success : numerical_failure;
}

}  // namespace skyhook::app
