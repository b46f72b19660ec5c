#include "wheelrail_report.h"

#include <fmt/format.h>

#include "commands.h"
#include "refuse.h"
#include "skyhook/analysis/findings.h"
#include "skyhook/io/report/json_object.h"
#include "skyhook/io/report/report.h"
#include "skyhook/io/result/writer.h"
#include "wheelrail_input.h"
#include "wheelrail_output.h"
#include "wheelrail_patch.h"
#include "write_text.h"

namespace skyhook::app {
namespace {

using analysis::WheelrailRow;
using element::rail::Profile, element::rail::RailContact, element::rail::WheelsetOnTrack;
using io::report::JsonObject;

std::string outline(const Profile& p) {
  std::string text = "[";
  for (double s = p.first(); s <= p.last(); s += 5e-4) {
    const auto at = p.at(s);
    text += fmt::format("{}[{:.7f},{:.7f}]", text.size() > 1 ? "," : "", at.y, at.z);
  }
  return text + "]";
}

std::string drawing(const WheelsetOnTrack& w) {
  JsonObject o;
  o.json("left_wheel", outline(w.left().wheel())).json("left_rail", outline(w.left().rail()));
  o.json("right_wheel", outline(w.right().wheel())).json("right_rail", outline(w.right().rail()));
  o.number("half", w.measures().half()).number("radius", w.measures().radius);
  return o.number("left_rail_y", w.left().rail_y()).number("right_rail_y", w.right().rail_y()).str();
}

struct Channel {
  const char *name, *unit;
  double (*value)(const WheelrailRow&);
};
constexpr Channel channels[] = {
    {"delta_r", "m", [](const WheelrailRow& r) { return r.contacts.delta_r; }},
    {"roll", "rad", [](const WheelrailRow& r) { return r.contacts.roll; }},
    {"height", "m", [](const WheelrailRow& r) { return r.contacts.height; }},
    {"left.angle", "rad", [](const WheelrailRow& r) { return r.contacts.left.contact().angle; }},
    {"right.angle", "rad", [](const WheelrailRow& r) { return r.contacts.right.contact().angle; }},
    {"left.wheel_y", "m", [](const WheelrailRow& r) { return r.contacts.left.contact().wheel.y; }},
    {"right.wheel_y", "m", [](const WheelrailRow& r) { return r.contacts.right.contact().wheel.y; }},
    {"left.radius", "m", [](const WheelrailRow& r) { return r.contacts.left.contact().radius; }},
    {"right.radius", "m", [](const WheelrailRow& r) { return r.contacts.right.contact().radius; }},
    {"left.a", "m", [](const WheelrailRow& r) { return r.left.a; }},
    {"left.b", "m", [](const WheelrailRow& r) { return r.left.b; }},
    {"right.a", "m", [](const WheelrailRow& r) { return r.right.a; }},
    {"right.b", "m", [](const WheelrailRow& r) { return r.right.b; }},
};

analysis::Findings findings_of(const WheelsetOnTrack& w, const std::vector<WheelrailRow>& rows,
                               const std::vector<analysis::ConicityRow>& conicity,
                               const element::rail::LoadedOptions& load) {
  analysis::Findings f;
  f.analysis = "wheelrail", f.method = "rigid profiles";
  f.abscissa = {"shift", "m"};
  for (const Channel& c : channels) f.channels.push_back({c.name, c.unit});
  for (const WheelrailRow& r : rows) {
    analysis::Findings::Point point;
    point.s = r.shift;
    for (const Channel& c : channels) point.values.push_back(c.value(r));
    f.points.push_back(std::move(point));
  }
  JsonObject o;
  o.json("wheel", profile_json(w.left().wheel())).json("rail", profile_json(w.left().rail()));
  o.json("drawing", drawing(w))
      .json("rows", rows_json(rows, w.measures().radius))
      .json("patches", patches_json(rows, load))
      .json("conicity", conicity_json(conicity));
  f.json = o.str();
  return f;
}

}  // namespace

void write_wheelrail_report(const WheelrailCommand& o, const WheelsetOnTrack& wheelset,
                            const std::vector<WheelrailRow>& rows, const std::vector<analysis::ConicityRow>& conicity) {
  if (rows.empty()) refuse("a result or report of `wheelrail` shows a shift.", "Give --shift -6.5..6.5:0.1.");
  const std::string result = o.out.ends_with(".h5") ? o.out : "wheelrail.h5";
  simulation::RunInfo info;
  info.model_name = wheelset.left().wheel().name() + " on " + wheelset.left().rail().name();
  {
    io::ResultWriter writer(result);
    analysis::record(findings_of(wheelset, rows, conicity, load_of(o, "hertz")), info, writer);
  }
  std::string told = "result in " + result + "\n";
  if (o.report) {
    io::require_viewer();
    const std::string page = o.report->empty() ? report_name(result) : *o.report;
    told += write_report({.files = {result}, .compare = {}, .out = page}) + "\n";
  }
  if (!o.json && !o.quiet) fmt::print("\n{}", told);
}

}  // namespace skyhook::app
