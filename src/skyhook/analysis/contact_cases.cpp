#include "skyhook/analysis/contact_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>

#include "skyhook/base/error.h"

namespace skyhook::analysis {

using namespace element::rail;

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& line) {
  Words out;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ',');) {
    const auto first = word.find_first_not_of(" \t\r\""), last = word.find_last_not_of(" \t\r\"");
    out.push_back(first == std::string::npos ? "" : word.substr(first, last - first + 1));
  }
  return out;
}

struct CaseReader {
  const std::string& file;
  Words names{};
  int line = 0;

  [[noreturn]] void fail(const std::string& what, const std::string& advice) const {
    throw ModelError({file, line, 0}, what, advice);
  }
  void head(const Words& words) {
    names = words;
    for (const char* needed : {"side", "y_ws", "roll_ws", "yaw_ws"}) {
      if (std::ranges::find(names, needed) == names.end())
        fail(fmt::format("the table of cases has no column \"{}\".", needed),
             "It needs side, y_ws, roll_ws and yaw_ws; vpitch_ws, case and results to compare with may stand beside "
             "them.");
    }
  }
  std::optional<double> number(const std::string& word) const {
    double value = 0;
    const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
    const bool dot = end + 1 == word.data() + word.size() && *end == '.';  // "9997."
    if (error != std::errc() || (end != word.data() + word.size() && !dot) || !std::isfinite(value))
      return std::nullopt;
    return value;
  }
  double needed(const ContactCase& c, const char* name) const {
    const auto value = c.reference(name);
    if (!value)
      fail(fmt::format("\"{}\" is no number in this row.", name), "Give it in mm or rad, with a decimal point.");
    return *value;
  }
  ContactCase row(const Words& words) const {
    if (words.size() != names.size())
      fail(fmt::format("the row has {} columns, the head {}.", words.size(), names.size()),
           "Give one value for each column.");
    ContactCase c;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (names[k] == "side") c.side = words[k];
      if (names[k] == "case") c.name = words[k];
      if (const auto value = number(words[k])) c.given.emplace_back(names[k], *value);
    }
    if (c.side != "left" && c.side != "right") fail("side is \"" + c.side + "\".", "Write left or right.");
    c.y = needed(c, "y_ws"), c.roll = needed(c, "roll_ws"), c.yaw = needed(c, "yaw_ws");
    c.pitch_rate = c.reference("vpitch_ws");
    return c;
  }
};

// `sign` of y; the outcome counts y outwards.
CaseColumns whole_columns(const LoadedContact& c, double sign, double radius) {
  return {{"z_ws", -1e3 * (c.height - radius)},
          {"Fx_tr", -c.sum(&LoadedPatch::fx)},
          {"Fy_tr", -sign * c.sum(&LoadedPatch::lateral)},
          {"Fz_tr", c.sum(&LoadedPatch::vertical)},
          {"n_patch", 1.0 + static_cast<double>(c.others.size())}};
}

// Of the rail's contact point, in axes of the wheel as the benchmark turns it, by `roll` and `yaw`, without pitch: from the lowest point of the tape circle, y outwards, z up.
Vec3<double> on_wheel(const RailContact& p, const RailPair& pair, double shift, double roll, double yaw,
                      double height) {
  const double y = p.rail.y + pair.rail_y() - shift, z = p.rail.z - height;
  const double level = std::cos(roll) * y + std::sin(roll) * z;
  return {std::cos(yaw) * p.x + std::sin(yaw) * level, std::cos(yaw) * level - std::sin(yaw) * p.x - pair.half(),
          std::cos(roll) * z - std::sin(roll) * y + pair.radius()};
}

CaseColumns patch_columns(const LoadedPatch& c, double sign, const RailPair& pair, const ContactCase& of,
                          double height) {
  const RailContact& p = c.centre;
  const double radius = pair.radius();
  const Vec3<double> w = on_wheel(p, pair, sign * 1e-3 * of.y, -sign * of.roll, sign * of.yaw, height);
  return {{"xcp_tr", 1e3 * p.x},
          {"ycp_tr", sign * 1e3 * p.y},
          {"zcp_tr", -1e3 * p.z},
          {"delta_cp", -sign * p.angle},
          {"ycp_r", sign * 1e3 * p.rail.y},
          {"zcp_r", -1e3 * p.rail.z},
          {"xcp_w", 1e3 * w.x},
          {"ycp_w", sign * 1e3 * w.y},
          {"zcp_w", -1e3 * w.z},
          {"cksi", -c.creep_x},
          {"ceta", -sign * c.creep_y},
          {"cphi", -sign * 1e-3 * c.spin},
          {"Fn", c.normal},
          {"Fx", -c.fx},
          {"Fs", -sign * c.fy},
          {"Mn", -sign * 1e3 * c.moment},
          {"approach", 1e3 * c.approach},
          {"pmax", 1e-6 * c.pressure},
          {"area", 1e6 * c.area},
          {"a", 1e3 * c.a},
          {"b", 1e3 * c.b},
          {"z_ws_rigid", -1e3 * (c.rigid.height - radius)},
          {"ycp_r_rigid", sign * 1e3 * c.rigid.rail.y},
          {"ycp_r_pressure", sign * 1e3 * c.pressed_rail_y},
          {"delta_rigid", -sign * c.rigid.angle}};
}

double value_in(const CaseColumns& columns, const std::string& name) {
  return std::ranges::find(columns, name, &std::pair<std::string, double>::first)->second;
}

// Which patch a row of the file is about.
std::size_t chosen_of(const ContactCase& c, const std::vector<CaseColumns>& patches) {
  if (const auto at = c.reference("ycp_r")) {
    const auto apart = [&](const CaseColumns& p) { return std::abs(value_in(p, "ycp_r") - *at); };
    return static_cast<std::size_t>(std::ranges::min_element(patches, {}, apart) - patches.begin());
  }
  const double number = c.reference("patch").value_or(1);
  return number >= 1 && number <= static_cast<double>(patches.size()) ? static_cast<std::size_t>(number) - 1 : 0;
}

}  // namespace

std::optional<double> ContactCase::reference(const std::string& column) const {
  for (const auto& [title, value] : given)
    if (title == column) return value;
  return std::nullopt;
}

// The benchmark turns first about the x of the track, then about the z that has turned: the axle ends up in this direction.
AxlePlace place_of(const ContactCase& of) {
  const double roll = of.roll, yaw = -of.yaw;
  const AxlePlace left{-1e-3 * of.y, std::asin(std::cos(yaw) * std::sin(roll)),
                       std::atan2(std::sin(yaw), std::cos(yaw) * std::cos(roll))};
  return of.side == "left" ? left : left.mirrored();
}

std::vector<ContactCase> parse_cases(const std::string& text, const std::string& file) {
  CaseReader reader{file};
  std::vector<ContactCase> cases;
  std::istringstream stream(text);
  for (std::string raw; std::getline(stream, raw);) {
    ++reader.line;
    if (raw.empty() || raw[0] == '#' || raw == "\r") continue;
    const Words words = split(raw);
    if (reader.names.empty())
      reader.head(words);
    else
      cases.push_back(reader.row(words));
  }
  if (cases.empty()) reader.fail("the file has no cases.", "Write a head of names and one row for each wheel.");
  return cases;
}

CaseResult compute(const ContactCase& of, const WheelsetOnTrack& wheelset, double speed, const LoadedOptions& options,
                   const CreepLaw& law) {
  const bool is_left = of.side == "left";
  const RailPair& pair = is_left ? wheelset.left() : wheelset.right();
  const AxlePlace place = place_of(of);
  const RailContacts found = pair.find(place);
  if (found.is_between)
    throw ModelError({}, fmt::format("case {} {}: the wheel is not above its rail.", of.side, of.name),
                     "Check y_ws (mm, to the right), gauge and flange-back distance.");
  WheelMotion motion{.speed = speed};
  if (of.pitch_rate) motion.pitch_rate = -*of.pitch_rate;
  CaseResult out{of, load_contact(pair, place, found, motion, options, law), 1e3 * pair.radius(), {}};
  const double sign = is_left ? -1 : 1;
  const auto add = [&](const LoadedPatch& p) {
    out.patches.push_back(patch_columns(p, sign, pair, of, out.contact.height));
  };
  add(out.contact);
  std::ranges::for_each(out.contact.others, add);
  out.chosen = chosen_of(of, out.patches);
  out.columns = whole_columns(out.contact, sign, pair.radius());
  out.columns.emplace_back("patch", static_cast<double>(out.chosen) + 1);
  out.columns.insert(out.columns.end(), out.patches[out.chosen].begin(), out.patches[out.chosen].end());
  return out;
}

Table table_of(const std::vector<CaseResult>& results) {
  Table t;
  for (const char* name : {"side", "case", "y_ws", "roll_ws", "yaw_ws", "vpitch_ws"}) t.add_column(name);
  for (const auto& [name, value] : results.front().columns) t.add_column(name, "", 5);
  const CaseColumns& of_patch = results.front().patches.front();
  const std::size_t most =
      std::ranges::max(results, {}, [](const CaseResult& r) { return r.patches.size(); }).patches.size();
  for (std::size_t k = 2; k <= most; ++k)
    for (const auto& [name, value] : of_patch) t.add_column(fmt::format("{}_{}", name, k), "", 5);
  for (const CaseResult& r : results) {
    std::vector<Cell> cells{r.of.side, r.of.name, r.of.y, r.of.roll, r.of.yaw, r.of.pitch_rate.value_or(std::nan(""))};
    for (const auto& [name, value] : r.columns) cells.emplace_back(value);
    for (std::size_t k = 0; k < r.patches.size(); ++k)
      if (k != r.chosen)
        for (const auto& [name, value] : r.patches[k]) cells.emplace_back(value);
    while (cells.size() < t.columns()) cells.emplace_back(std::nan(""));
    t.add_row(std::move(cells));
  }
  return t;
}

Table differences_of(const std::vector<CaseResult>& results) {
  Table t;
  for (const auto& [name, unit] : std::initializer_list<std::pair<const char*, const char*>>{{"side", ""},
                                                                                             {"case", ""},
                                                                                             {"z_ws", "um"},
                                                                                             {"y_rigid", "mm"},
                                                                                             {"y_pressure", "mm"},
                                                                                             {"y", "mm"},
                                                                                             {"delta", "rad"},
                                                                                             {"approach", "%"},
                                                                                             {"pmax", "%"},
                                                                                             {"Fn", "%"},
                                                                                             {"Fx", "% of Ft"},
                                                                                             {"Fs", "% of Ft"},
                                                                                             {"Mn", "%"},
                                                                                             {"z_w", "mm"}})
    t.add_column(name, unit, 3);
  for (const CaseResult& r : results) {
    const auto mine = [&](const char* name) { return value_in(r.columns, name); };
    const auto other = [&](const char* name) { return r.of.reference(name).value_or(std::nan("")); };
    const auto percent = [&](const char* name) { return 100 * (mine(name) / other(name) - 1); };
    const double limit = std::max(std::hypot(other("Fx"), other("Fs")), 1e-300);
    if (!r.of.reference("z_ws")) continue;
    t.add_row({r.of.side, r.of.name, 1e3 * (mine("z_ws") - other("z_ws")), mine("ycp_r_rigid") - other("ycp_r"),
               mine("ycp_r_pressure") - other("ycp_r"), mine("ycp_r") - other("ycp_r"),
               mine("delta_cp") - other("delta_cp"), percent("approach"), percent("pmax"), percent("Fn"),
               100 * (mine("Fx") - other("Fx")) / limit, 100 * (mine("Fs") - other("Fs")) / limit, percent("Mn"),
               mine("zcp_w") - other("zcp_w")});
  }
  return t;
}

}  // namespace skyhook::analysis
