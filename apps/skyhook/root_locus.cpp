#include "skyhook/analysis/root_locus.h"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "screen.h"
#include "skyhook/analysis/sweep.h"
#include "skyhook/base/progress.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/terminal.h"
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
  std::vector<Branch> branches;
  std::vector<analysis::Crossing> crossings;
};

Modes modes_with(const ModesCommand& o, const std::string& setting) {
  ModesCommand there = o;
  there.set.push_back(setting);
  LinearPoint point = find_linear_point(there, "modes");
  return modes_at(there, point);
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
    const auto at = [&](double value) { return modes_with(o, text_of(l.axis, value)); };
    l.crossings.push_back(analysis::find_crossing(at, std::min(a, b), std::max(a, b)));
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
  return out + "]}\n";
}

io::plot::Figure figure_of(const Locus& l) {
  io::plot::Panel plane{"", {"real", "1/s"}, {"imag", "1/s"}, {}, {{0, "limit of stability"}}};
  io::plot::Panel damping{"", {l.axis.name, l.axis.unit}, {"damping", "%"}, {}, {}};
  for (const Branch& branch : l.branches) {
    io::plot::Curve in_plane{branch.name}, over{""};
    in_plane.mark = io::plot::Mark::circle;
    for (std::size_t p = 0; p < l.points.size(); ++p) {
      const Mode* m = branch.mode[p] < 0 ? nullptr : &l.points[p].modes[static_cast<std::size_t>(branch.mode[p])];
      const double gap = std::numeric_limits<double>::quiet_NaN();
      in_plane.x.push_back(m ? m->value.real() : gap), in_plane.y.push_back(m ? m->value.imag() : gap);
      over.x.push_back(l.axis.values[p]), over.y.push_back(m ? 100 * m->damping : gap);
    }
    plane.curves.push_back(in_plane), damping.curves.push_back(over);
  }
  return {fmt::format("{}: root locus over {}", l.model, l.axis.name), {plane, damping}};
}

void print(const Locus& l) {
  fmt::print("{}: modes over {}\n{}", printable(l.model), printable(l.axis.name), table_of(l).to_text());
  for (const auto& c : l.crossings)
    fmt::print("\n{} = {:.9g}{}{}: {} begins to {} as it rises, at {:.6g} Hz\n", printable(l.axis.name), c.value,
               l.axis.unit.empty() ? "" : " ", l.axis.unit, printable(c.mode.name), c.grows ? "grow" : "decay",
               c.mode.frequency);
}

}  // namespace

int root_locus(const ModesCommand& o) {
  if (o.csv) check_writable(*o.csv);
  if (o.out) check_writable(*o.out);
  Locus l;
  l.axis = analysis::parse_sweep(o.sweep);
  if (o.crossing && l.axis.values.size() < 2)
    refuse("--crossing needs a range to look into.", "For example --sweep speed=10..100/10.");
  model::Experiment ignored;
  l.model = load(o, "modes", ignored).name;
  stop_on_signals();
  Progress progress(std::cerr, Progress::style_of_stderr(o.quiet || o.json), 0,
                    static_cast<double>(l.axis.values.size()));
  bool any = false;
  for (std::size_t k = 0; k < l.axis.values.size() && !stop_requested(); ++k) {
    l.points.push_back(modes_with(o, l.axis.name + "=" + l.axis.text(k)));
    any = any || l.points.back().problem.empty();
    progress.update(static_cast<double>(k + 1));
  }
  progress.finish(static_cast<double>(l.points.size()));
  if (stop_requested()) return interrupted;
  l.branches = analysis::follow(l.points);
  if (o.crossing) find_crossings(o, l);
  bool all = true;
  for (std::size_t k = 0; k < l.points.size(); ++k) {
    if (l.points[k].problem.empty()) continue;
    all = false;
    fmt::print(stderr, "{}: there are no modes. {}\n", text_of(l.axis, l.axis.values[k]), l.points[k].problem);
  }
  if (o.crossing && l.crossings.empty() && any)
    fmt::print(stderr, "No mode begins or ceases to grow in the range of {}.\n", l.axis.name);
  if (o.csv) write_text(*o.csv, table_of(l).to_csv());
  if (o.out) io::plot::write_figure(figure_of(l), {.width = 900, .height = 700}, *o.out);
  if (o.json)
    fmt::print("{}", to_json(l));
  else if (o.csv != "-" && !o.quiet)
    print(l);
  return all ? success : numerical_failure;
}

}  // namespace skyhook::app
