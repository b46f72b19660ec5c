#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "refuse.h"
#include "screen.h"
#include "skyhook/io/plot/draw.h"
#include "skyhook/io/plot/from_wheelrail.h"
#include "skyhook/io/plot/terminal.h"
#include "terminal.h"
#include "wheelrail_command.h"
#include "wheelrail_input.h"
#include "wheelrail_output.h"
#include "wheelrail_patch.h"
#include "wheelrail_report.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using namespace element::rail;

struct Found {
  std::vector<analysis::WheelrailRow> rows;
  std::vector<analysis::ConicityRow> conicity;
  std::vector<analysis::CaseResult> cases;
};

double speed_of(const WheelrailCommand& o) {
  const double speed = rail_quantity("--speed", o.speed, "m/s");
  if (speed == 0)
    refuse("--speed is zero.", "Creepages are velocities over that of travel: give the least speed that you mean.");
  return speed;
}

std::vector<analysis::CaseResult> cases_of(const WheelrailCommand& o, const WheelsetOnTrack& wheelset,
                                           const LoadedOptions& load) {
  const auto text = o.open(o.cases);
  if (!text) refuse("--cases: \"" + o.cases + "\" cannot be opened.", "Check the path and the permissions.");
  const auto law = make_creep_law(load.creep);
  const double speed = speed_of(o);
  std::vector<analysis::CaseResult> out;
  const std::vector<analysis::ContactCase> all = analysis::parse_cases(*text, o.cases);
  const bool tells = !o.quiet && !o.json && isatty(STDERR_FILENO) != 0;
  for (const analysis::ContactCase& c : all) {
    out.push_back(analysis::compute(c, wheelset, speed, load, *law));
    if (tells) fmt::print(stderr, "\rcase {} of {}", out.size(), all.size());
  }
  if (tells) fmt::print(stderr, "\r{:30}\r", "");
  return out;
}

std::vector<analysis::ConicityRow> conicity_of(const WheelrailCommand& o, const WheelsetOnTrack& wheelset) {
  const std::vector<double> amplitudes = rail_range("--conicity", o.conicity);
  for (const double a : amplitudes)
    if (!(a > 0))
      refuse(fmt::format("--conicity: the amplitude {:.4g} mm is not above zero.", 1e3 * a), "Write 1..7:0.2.");
  return analysis::conicities(analysis::radius_difference(wheelset, std::ranges::max(amplitudes) + 1e-3, o.rolls),
                              amplitudes);
}

Found find_all(const WheelrailCommand& o, const WheelsetOnTrack& wheelset) {
  Found found;
  const bool is_bare = o.shift.empty() && o.conicity.empty() && o.cases.empty();
  if (is_bare || !o.shift.empty())
    found.rows =
        analysis::shift_wheelset(wheelset, rail_range("--shift", is_bare ? "-6.5..6.5:0.5" : o.shift),
                                 rail_quantity("--yaw", o.yaw, "mrad"), {.speed = speed_of(o)}, load_of(o, "hertz"));
  if (!o.conicity.empty()) found.conicity = conicity_of(o, wheelset);
  if (!o.cases.empty()) found.cases = cases_of(o, wheelset, load_of(o, "half_space"));
  return found;
}

void print_json(const Found& found, const WheelsetOnTrack& w) {
  std::string text =
      fmt::format("{{\"wheel\": {}, \"rail\": {}", profile_json(w.left().wheel()), profile_json(w.left().rail()));
  if (!found.rows.empty()) text += ", \"rows\": " + rows_json(found.rows, w.measures().radius);
  if (!found.conicity.empty()) text += ", \"conicity\": " + conicity_json(found.conicity);
  if (!found.cases.empty()) {
    text += ", \"cases\": " + cases_json(found.cases);
    const Table differences = differences_of(found.cases);
    if (differences.rows() > 0) text += ", \"differences\": " + differences.to_json();
  }
  std::vector<std::string> doubts = doubts_of(found.rows);
  std::ranges::move(doubts_of(found.cases), std::back_inserter(doubts));
  if (!doubts.empty()) text += ", \"doubtful\": " + json_list(doubts);
  print_data(text + "}\n");
}

void print_text(const Found& found, const WheelsetOnTrack& w) {
  fmt::print("{}{}", profile_text("wheel", w.left().wheel()), profile_text("rail", w.left().rail()));
  fmt::print("origin of the rails {:.4f} mm from the middle of the track, tape circles {:.4f} mm\n\n",
             1e3 * w.left().rail_y(), 1e3 * w.measures().half());
  if (!found.rows.empty()) fmt::print("{}", rows_table(found.rows, w.measures().radius).to_text());
  for (const std::string& doubt : doubts_of(found.rows)) fmt::print("doubtful: {}\n", doubt);
  if (!found.conicity.empty())
    fmt::print("\nequivalent conicity (EN 15302)\n{}", conicity_table(found.conicity).to_text());
  if (found.cases.empty()) return;
  fmt::print("\n{}", table_of(found.cases).to_text());
  const Table differences = differences_of(found.cases);
  if (differences.rows() > 0) fmt::print("\nbeside the results in the file\n{}", differences.to_text());
  for (const std::string& doubt : doubts_of(found.cases)) fmt::print("doubtful: {}\n", doubt);
}

std::string csv_of(const Found& found, double radius) {
  if (!found.cases.empty()) return table_of(found.cases).to_csv();
  if (found.rows.empty()) return conicity_table(found.conicity).to_csv();
  return rows_table(found.rows, radius).to_csv();
}

bool is_result(const std::string& path) { return path.ends_with(".h5"); }

}  // namespace

int wheelrail(const WheelrailCommand& o) {
  keep_inputs({o.out, o.csv, o.patches}, {o.cases, o.wheel, o.rail, o.model});
  for (const std::string& path : {o.out, o.csv, o.patches})
    if (!path.empty()) check_writable(path);
  const WheelsetOnTrack wheelset = wheelset_of(o);
  const Found found = find_all(o, wheelset);
  if (o.json)
    print_json(found, wheelset);
  else if (!o.quiet)
    print_text(found, wheelset);
  if (!o.csv.empty()) write_text(o.csv, csv_of(found, wheelset.measures().radius));
  if (!o.patches.empty()) {
    if (found.rows.empty()) refuse("--patches draws the contacts of shifts.", "Give --shift 0..6:1.5.");
    if (!o.patches.ends_with(".svg"))
      refuse("--patches writes SVG, and \"" + o.patches + "\" has another ending.", "Call it patches.svg.");
    write_text(o.patches, patches_svg(found.rows, load_of(o, "hertz")));
  }
  if (is_result(o.out) || o.report) write_wheelrail_report(o, wheelset, found.rows, found.conicity);
  if (o.out.empty() && !o.terminal) return 0;
  const io::plot::Figure figure = io::plot::figure_of(wheelset, found.rows, found.conicity);
  if (!o.out.empty() && !is_result(o.out)) io::plot::write_figure(figure, {.width = 900, .height = 1300}, o.out);
  if (o.terminal) print_control(stdout, io::plot::to_terminal(figure, screen_of_terminal(figure.panels.size())));
  return 0;
}

}  // namespace skyhook::app
