#include "wheelrail_input.h"

#include <fmt/format.h>

#include <cmath>

#include "refuse.h"
#include "skyhook/analysis/sweep.h"
#include "skyhook/base/units.h"
#include "skyhook/element/rail/profile_file.h"
#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::app {

using namespace element::rail;

double rail_quantity(const std::string& option, const std::string& text, const char* plain) {
  const Unit bare = parse_unit(plain);
  const std::string advice = fmt::format("Write a number in {}, or with its unit: {} \"12 {}\".", plain, option, plain);
  try {
    const Quantity q = parse_quantity(text);
    if (q.unit && q.unit->dimension != bare.dimension)
      refuse(fmt::format("{} is \"{}\", a quantity in {}.", option, text, to_string(q.unit->dimension)), advice);
    return q.unit ? q.si() : bare.to_si(q.value);
  } catch (const ModelError& error) {
    if (error.findings().front().where.file == "command line") throw;
    refuse(fmt::format("{} is \"{}\": {}", option, text, error.findings().front().what), advice);
  }
}

std::vector<double> rail_range(const std::string& option, const std::string& text) {
  const std::string advice = fmt::format("Write {} -6.5..6.5:0.5 (from, to, step, in mm), or values: 1,2,3.", option);
  analysis::SweepAxis axis;
  try {
    axis = analysis::parse_sweep("y=" + text);
  } catch (const ModelError& error) {
    refuse(fmt::format("{} is \"{}\": {}", option, text, error.findings().front().what), advice);
  }
  const Unit unit = axis.unit.empty() ? parse_unit("mm") : parse_unit(axis.unit);
  if (unit.dimension != Dimension::of(1)) refuse(fmt::format("{} is \"{}\", no length.", option, text), advice);
  for (double& y : axis.values) y = unit.to_si(y);
  return axis.values;
}

double rail_ratio(const std::string& option, const std::string& text) {
  const auto at = text.find_first_of("/:");
  if (at == std::string::npos) return rail_quantity(option, text, "1");
  return rail_quantity(option, text.substr(0, at), "1") / rail_quantity(option, text.substr(at + 1), "1");
}

namespace {

ProfilePtr from_file(const WheelrailCommand& o, const std::string& path, Profile::Kind kind) {
  const auto text = o.open(path);
  if (!text)
    refuse(fmt::format("the profile \"{}\" is a file that cannot be opened.", path),
           "Check the path and the permissions.");
  const FilePoints read = parse_profile(*text, path, {.kind = kind});
  const double smoothing =
      o.smoothing.empty() ? (o.cases.empty() ? 1e-3 : 0.5e-3) : rail_quantity("--smoothing", o.smoothing);
  if (smoothing < 0) refuse("--smoothing " + o.smoothing + " is less than nothing.", "Give a length, or 0 for none.");
  Shaping shaping{.name = path, .kind = kind, .smoothing = smoothing};
  shaping.file = path, shaping.notes = read.notes;
  return fit_profile(read.points, shaping);
}

std::vector<model::NamedProfile> of_model(const WheelrailCommand& o) {
  if (o.model.empty()) return {};
  io::ReadOptions files;
  files.open = o.open;
  return io::read_model(o.model, {}, "", files).profiles;
}

}  // namespace

ProfilePtr rail_profile(const WheelrailCommand& o, const std::string& option, const std::string& name,
                        Profile::Kind kind) {
  std::vector<std::string> known;
  for (const model::NamedProfile& p : of_model(o)) {
    if (p.name == name) return p.profile;
    known.push_back(p.name);
  }
  if (name.starts_with("conical:")) return conical(rail_ratio(option, name.substr(8)));
  if (name.starts_with("circular:")) return circular(rail_quantity(option, name.substr(9)));
  if (ProfilePtr p = built_in(name)) return p;
  if (name.find_first_of("./") != std::string::npos) return from_file(o, name, kind);
  for (const BuiltIn& b : built_ins()) known.push_back(b.name);
  refuse(fmt::format("{}: the profile \"{}\" is not known.", option, name),
         suggest(name, known, "Profiles") + " Or a file of points, conical:1/20, circular:300.");
}

namespace {

void check_kind(const Profile& p, const std::string& option, Profile::Kind wanted) {
  if (p.parts().kind == Profile::Kind::either || p.parts().kind == wanted) return;
  refuse(fmt::format("{}: \"{}\" is the profile of a {}.", option, p.name(),
                     wanted == Profile::Kind::wheel ? "rail" : "wheel"),
         "Exchange --wheel and --rail?");
}

}  // namespace

WheelsetOnTrack wheelset_of(const WheelrailCommand& o) {
  const auto wheel = [&](const std::string& option, const std::string& name) {
    ProfilePtr p = rail_profile(o, option, name, Profile::Kind::wheel);
    check_kind(*p, option, Profile::Kind::wheel);
    return p;
  };
  const auto rail = [&](const std::string& option, const std::string& name) {
    const ProfilePtr p = rail_profile(o, option, name, Profile::Kind::rail);
    check_kind(*p, option, Profile::Kind::rail);
    const double ratio = rail_ratio("--inclination", o.inclination);
    if (!(std::abs(ratio) < 0.5)) refuse("--inclination is \"" + o.inclination + "\".", "Rails lean by 1/40 or 1/20.");
    return ratio != 0 ? inclined(*p, std::atan(ratio)) : p;
  };
  RailMeasures m;
  m.gauge = rail_quantity("--gauge", o.gauge), m.gauge_depth = rail_quantity("--gauge-depth", o.gauge_depth);
  m.flange_back = rail_quantity("--flange-back", o.flange_back),
  m.tape_circle = rail_quantity("--tape-circle", o.tape_circle);
  m.radius = rail_quantity("--radius", o.radius);
  for (const auto& [option, value] :
       {std::pair{"--gauge", m.gauge}, {"--flange-back", m.flange_back}, {"--radius", m.radius}})
    if (!(value > 0)) refuse(fmt::format("{} is {:.6g} mm.", option, 1e3 * value), "It is above zero.");
  const ProfilePtr wl = wheel("--wheel", o.wheel), rl = rail("--rail", o.rail);
  return {wl, o.wheel_right.empty() ? wl : wheel("--wheel-right", o.wheel_right), rl,
          o.rail_right.empty() ? rl : rail("--rail-right", o.rail_right), m};
}

LoadedOptions load_of(const WheelrailCommand& o, const char* usual) {
  LoadedOptions out;
  out.load = rail_quantity("--load", o.load, "N");
  if (!(out.load > 0))
    refuse(fmt::format("--load is {:.6g} N.", out.load), "A wheel that touches carries a load above zero.");
  if (!(o.friction >= 0)) refuse("--friction is below zero.", "Dry rails have 0.3 to 0.5.");
  out.friction = o.friction;
  out.patch = o.patch == "auto" ? usual : o.patch;
  const bool is_grid = out.patch == "half_space", is_for_cases = std::string(usual) == "half_space";
  out.is_exact = is_grid && (o.law == "half_space" || (o.law == "auto" && is_for_cases));
  if (o.law == "half_space" && !is_grid)
    refuse("--law half_space needs the grid of --patch half_space.",
           "Give both, or --law fastsim for Hertz's ellipse.");
  out.creep.law = o.law == "auto" || o.law == "half_space" ? "fastsim" : o.law;
  out.separate = rail_quantity("--separate", o.separate);
  if (!(out.separate >= 0)) refuse("--separate is below zero.", "Give a length such as 8 mm, or 0.");
  if (is_for_cases && is_grid) out.cell = 0.2e-3, out.weaken = out.separate > 4e-3 ? 4e-3 : 0.0;
  if (!o.weaken.empty()) {
    if (!is_grid)
      refuse("--weaken is of the grid of the half-space, and the patch is " + out.patch + ".",
             "Give --patch half_space, or leave --weaken out.");
    out.weaken = rail_quantity("--weaken", o.weaken);
    if (!(out.weaken >= 0 && out.weaken < out.separate))
      refuse("--weaken is \"" + o.weaken + "\".", "Give a length below that of --separate, such as 4 mm, or 0.");
  }
  if (!o.cell.empty()) {
    if (!is_grid)
      refuse("--cell is of the grid of the half-space, and the patch is " + out.patch + ".",
             "Give --patch half_space, or leave --cell out.");
    out.cell = rail_quantity("--cell", o.cell);
    if (!(out.cell == 0 || (out.cell >= 2e-5 && out.cell <= 2e-3)))
      refuse("--cell is \"" + o.cell + "\".", "Give a length from 0.02 to 2 mm, or 0 for 41 by 41 cells.");
  }
  return out;
}

}  // namespace skyhook::app
