#include "skyhook/analysis/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "analysis_files.h"
#include "experiment_options.h"
#include "interrupt.h"
#include "linear_commands.h"
#include "linear_point.h"
#include "refuse.h"
#include "skyhook/analysis/mode_shapes.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"
#include "terminal.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using analysis::Mode;
using analysis::Share;

std::string json_of(const std::vector<Share>& shares) {
  std::string out = "{";
  for (const Share& s : shares)
    out += fmt::format("{}{}: {}", out.size() > 1 ? ", " : "", json_string(s.name), json_number(s.value));
  return out + "}";
}

std::string json_of(const Complex& x) { return fmt::format("[{}, {}]", json_number(x.real()), json_number(x.imag())); }

std::string json_of(const std::array<Complex, 3>& x) {
  std::string out = "[";
  for (const Complex& c : x) out += (out.size() > 1 ? ", " : "") + json_of(c);
  return out + "]";
}

// Of modal coordinates and those of nodes, by their names; none where nothing bends.
std::string bend_of(const Mode& mode, const simulation::Equations& eq) {
  std::string out;
  for (const auto& [iq, iv] : analysis::bent_coordinates(eq))
    out +=
        fmt::format("{}{}: {}", out.empty() ? "" : ", ", json_string(eq.position_names()[static_cast<std::size_t>(iq)]),
                    json_of(mode.coordinates[static_cast<std::size_t>(iv)]));
  return out.empty() ? "" : ", \"bend\": {" + out + "}";
}

std::string json_of(const Mode& mode, const simulation::Equations& eq) {
  const model::Model& m = eq.model();
  std::string shape;
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    shape += fmt::format("{}{}: {{\"displacement\": {}, \"rotation\": {}}}", shape.empty() ? "" : ", ",
                         json_string(m.bodies[b].name), json_of(mode.bodies[b].displacement),
                         json_of(mode.bodies[b].rotation));
  }
  return fmt::format(
      "{{\"name\": {}, \"frequency_hz\": {}, \"damping\": {}, \"real\": {}, \"imag\": {}, \"rigid\": {}, "
      "\"oscillates\": {}, \"bodies\": {}, \"elements\": {}, \"dissipation\": {}, \"shape\": {{{}}}{}}}",
      json_string(mode.name), json_number(mode.frequency), json_number(mode.damping), json_number(mode.value.real()),
      json_number(mode.value.imag()), mode.is_rigid, mode.oscillates, json_of(mode.kinetic), json_of(mode.strain),
      json_of(mode.dissipated), shape, bend_of(mode, eq));
}

// The largest, as "car 62 %, front.left.wheel 14 %".
std::string text_of(std::vector<Share> shares) {
  constexpr std::size_t most = 3;
  std::ranges::stable_sort(shares,
                           [](const Share& a, const Share& b) { return std::abs(a.value) > std::abs(b.value); });
  std::string out;
  for (std::size_t k = 0; k < shares.size() && k < most; ++k) {
    if (std::abs(shares[k].value) < 0.03 && k > 0) break;
    out += fmt::format("{}{} {:.0f} %", k ? ", " : "", shares[k].name, 100 * shares[k].value);
  }
  return out;
}

// Modes that stand in one line, by their places.
struct Line {
  std::size_t first, last;
  std::size_t count() const { return last - first + 1; }
};

std::vector<Line> each_by_itself(const std::vector<Mode>& modes) {
  std::vector<Line> out;
  for (std::size_t k = 0; k < modes.size(); ++k) out.push_back({k, k});
  return out;
}

// Those that creep one behind the other and are told in the same words, as the dozens of a damped beam of nodal coordinates.
std::vector<Line> lines_of(const std::vector<Mode>& modes) {
  constexpr std::size_t few = 3;
  const auto creeps = [](const Mode& m) { return !m.is_rigid && !m.oscillates && m.value.real() < 0; };
  const auto words = [](const Mode& m) {
    return std::array{text_of(m.kinetic), text_of(m.strain), text_of(m.dissipated)};
  };
  std::vector<Line> out;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    std::size_t last = k;
    while (creeps(modes[k]) && last + 1 < modes.size() && creeps(modes[last + 1]) &&
           words(modes[last + 1]) == words(modes[k]))
      ++last;
    if (last - k < few) last = k;
    out.push_back({k, last}), k = last;
  }
  return out;
}

// The numbers are those of the first in each line.
Table table_of(const std::vector<Mode>& modes, const std::vector<Line>& lines) {
  Table table;
  table.add_column("mode");
  table.add_column("frequency", "Hz", 5), table.add_column("damping", "%", 4);
  table.add_column("real", "1/s", 4), table.add_column("imag", "1/s", 5);
  for (const char* name : {"moves", "held by", "damped by"}) table.add_column(name);
  for (const Line& line : lines) {
    const Mode& mode = modes[line.first];
    const std::string label = line.count() > 1 ? fmt::format("{} to {} creep", line.first + 1, line.last + 1)
                                               : fmt::format("{}{}", line.first + 1,
                                                             mode.is_rigid     ? " free"
                                                             : mode.oscillates ? ""
                                                                               : " creeps");
    table.add_row({label, mode.frequency, 100 * mode.damping, mode.value.real(), mode.value.imag(),
                   text_of(mode.kinetic), text_of(mode.strain), text_of(mode.dissipated)});
  }
  return table;
}

std::string told_together(const std::vector<Mode>& modes, const std::vector<Line>& lines) {
  std::string out;
  for (const Line& line : lines) {
    if (line.count() == 1) continue;
    out += fmt::format(
        "modes {} to {}, {} in all, creep with real parts from {:.4g} to {:.4g} 1/s; all move the same and are held "
        "and damped by the same (--csv and --json list each)\n",
        line.first + 1, line.last + 1, line.count(), modes[line.first].value.real(), modes[line.last].value.real());
  }
  return out;
}

Table shape_table(const Mode& mode, const model::Model& m) {
  Table table;
  table.add_column("body");
  for (const char* name : {"x", "y", "z"}) table.add_column(name, "m", 3), table.add_column("phase", "deg", 3);
  for (const char* name : {"about x", "about y", "about z"})
    table.add_column(name, "rad", 3), table.add_column("phase", "deg", 3);
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    std::vector<Cell> row{m.bodies[b].name};
    for (const auto* part : {&mode.bodies[b].displacement, &mode.bodies[b].rotation}) {
      for (const Complex& x : *part) {
        const double size = std::abs(x) < 1e-12 ? 0.0 : std::abs(x);
        row.insert(row.end(), {size, size > 0 ? std::arg(x) * 180 / std::numbers::pi : 0.0});
      }
    }
    table.add_row(row);
  }
  return table;
}

std::string json_of(const analysis::Modes& found, const LinearPoint& point) {
  std::string list;
  for (const Mode& mode : found.modes) list += (list.empty() ? "\n" : ",\n") + json_of(mode, *point.prepared.active);
  return fmt::format("{{\"modes\": [{}],\n\"at\": {}, \"free_motions\": {}, \"stable\": {}, \"warnings\": {}}}", list,
                     json_string(point.where), found.free_motions, found.is_stable, to_json(point.warnings));
}

// Over the number of the mode.
analysis::Findings findings_of(const analysis::Modes& found, const LinearPoint& point) {
  analysis::Findings out{.analysis = "modes", .method = point.where, .abscissa = {"mode", "-"}};
  out.channels = {{"frequency", "Hz"}, {"damping", "-"}, {"real", "1/s"}, {"imag", "1/s"}};
  const auto stand = stand_of(point);
  for (const Mode& m : found.modes)
    out.points.push_back({static_cast<double>(out.points.size() + 1),
                          {m.frequency, m.damping, m.value.real(), m.value.imag()},
                          {},
                          stand});
  out.warnings = point.warnings, out.json = json_of(found, point);
  return out;
}

int tell_failure(const ModesCommand& o, const LinearPoint& point) {
  if (o.json)
    fmt::print("{{\"problem\": {}, \"modes\": [], \"warnings\": {}}}\n", json_string(point.problem),
               to_json(point.warnings));
  fmt::print(stderr, "{}: there are no modes. {}\n", o.model, point.problem);
  return unless_stopped(numerical_failure);
}

}  // namespace

int modes(const ModesCommand& given) {
  ModesCommand o = given;
  complete(o);
  if (!o.sweep.empty()) return root_locus(o);
  if (o.crossing) refuse("--crossing needs a range to look into.", "For example --sweep speed=10..100/10.");
  if (o.csv) check_writable(*o.csv);
  LinearPoint point = find_linear_point(o, "modes");
  const AnalysisFiles files = analysis_files(o, point.prepared.model->files);
  const analysis::Modes found = modes_at(o, point);
  const model::Model& m = *point.prepared.model;
  point.warnings = without(std::move(point.warnings), m.ignored_warnings);
  print_warnings(point.warnings);
  if (!point.problem.empty()) return tell_failure(o, point);
  if (o.csv) write_text(*o.csv, table_of(found.modes, each_by_itself(found.modes)).to_csv());
  const analysis::Findings findings = findings_of(found, point);
  if (o.json) fmt::print("{}\n", findings.json);
  if (!o.json && o.csv != "-" && !o.quiet) {
    const std::vector<Line> lines = lines_of(found.modes);
    fmt::print("{}: modes at {}{}\n{}{}", printable(m.name), printable(point.where),
               found.is_stable ? "" : "; it is UNSTABLE", table_of(found.modes, lines).to_text(),
               told_together(found.modes, lines));
    if (found.modes.empty()) fmt::print("nothing can move\n");
    for (std::size_t k = 0; o.shapes && k < found.modes.size(); ++k)
      fmt::print("\nmode {}, {:.4g} Hz, the largest displacement 1 m\n{}", k + 1, found.modes[k].frequency,
                 shape_table(found.modes[k], m).to_text());
  }
  write_analysis(files, o, findings, analysis::info_of(point.prepared, point.experiment));
  return success;
}

}  // namespace skyhook::app
