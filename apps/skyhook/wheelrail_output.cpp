#include "wheelrail_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/io/report/json_object.h"

namespace skyhook::app {

using analysis::ConicityRow, analysis::WheelrailRow;
using element::rail::LoadedContact, element::rail::LoadedPatch, element::rail::Profile, element::rail::RailContact,
    element::rail::RailContacts;

namespace {

constexpr double deg = std::numbers::pi / 180;

void add_side(const RailContacts& c, const LoadedContact& l, std::vector<Cell>& cells) {
  const RailContact& p = c.contact();
  const auto gap = c.rival_gap();
  for (const double x : {1e3 * p.wheel.y, 1e3 * p.rail.y, p.angle / deg, 1e3 * p.radius, 1e3 * l.a, 1e3 * l.b,
                         gap ? 1e3 * *gap : std::nan("")})
    cells.emplace_back(x);
}

template <class Rows, class Text>
std::string list_of(const Rows& rows, const Text& text) {
  std::string out = "[";
  for (const auto& row : rows) out += (out.size() > 1 ? ", " : "") + text(row);
  return out + "]";
}

// One patch, of which a wheel has several where it touches in several points.
std::string loaded_patch_json(const LoadedPatch& p) {
  io::report::JsonObject o;
  o.number("wheel_y", p.rigid.wheel.y)
      .number("rail_y", p.rigid.rail.y)
      .number("angle", p.rigid.angle)
      .number("radius", p.rigid.radius);
  o.number("centre_wheel_y", p.centre.wheel.y).number("centre_rail_y", p.centre.rail.y);
  o.number("normal", p.normal)
      .number("approach", p.approach)
      .number("a", p.a)
      .number("b", p.b)
      .number("area", p.area)
      .number("pressure", p.pressure);
  o.number("creep_x", p.creep_x).number("creep_y", p.creep_y).number("creep_spin", p.spin);
  return o.number("tangential_x", p.fx).number("tangential_y", p.fy).number("moment", p.moment).str();
}

std::string side_json(const RailContacts& c, const LoadedContact& l, bool is_left) {
  const RailContact& p = c.contact();
  const double side = is_left ? 1 : -1;  // y of the track points to the left
  io::report::JsonObject o;
  o.number("x", p.x).number("y", side * p.y).number("z", p.z);
  o.number("wheel_y", p.wheel.y).number("wheel_z", p.wheel.z).number("rail_y", p.rail.y).number("rail_z", p.rail.z);
  o.number("angle", p.angle).number("radius", p.radius).number("phi", p.phi);
  o.number("wheel_curvature", p.wheel_curvature).number("rail_curvature", p.rail_curvature);
  o.number("rolling_curvature", p.rolling_curvature);
  o.json("rival_gap", c.rival_gap() ? json_number(*c.rival_gap()) : "null")
      .json("is_edge", p.is_edge ? "true" : "false");
  if (c.minima.size() > 1) o.number("rival_wheel_y", c.minima[1].wheel.y).number("rival_rail_y", c.minima[1].rail.y);
  o.number("normal", l.normal).number("approach", l.approach).number("a", l.a).number("b", l.b).number("area", l.area);
  o.number("pressure", l.pressure).number("centre_wheel_y", l.centre.wheel.y).number("centre_rail_y", l.centre.rail.y);
  std::vector<LoadedPatch> patches{l};
  patches.insert(patches.end(), l.others.begin(), l.others.end());
  return o.json("patches", list_of(patches, loaded_patch_json)).str();
}

std::string columns_json(const analysis::CaseColumns& columns) {
  io::report::JsonObject o;
  for (const auto& [name, value] : columns) o.number(name, value);
  return o.str();
}

}  // namespace

Table rows_table(const std::vector<WheelrailRow>& rows, double radius) {
  Table t;
  for (const auto& [name, unit] : {std::pair{"shift", "mm"}, {"delta_r", "mm"}, {"roll", "mrad"}, {"height", "mm"}})
    t.add_column(name, unit, 5);
  for (const char* side : {"l_", "r_"}) {
    for (const auto& [name, unit] : {std::pair{"wheel_y", "mm"},
                                     {"rail_y", "mm"},
                                     {"angle", "deg"},
                                     {"radius", "mm"},
                                     {"a", "mm"},
                                     {"b", "mm"},
                                     {"rival", "mm"}})
      t.add_column(std::string(side) + name, unit, name == std::string("radius") ? 7 : 4);
  }
  for (const WheelrailRow& r : rows) {
    std::vector<Cell> cells{1e3 * r.shift, 1e3 * r.contacts.delta_r, 1e3 * r.contacts.roll,
                            1e3 * (r.contacts.height - radius)};
    add_side(r.contacts.left, r.left, cells);
    add_side(r.contacts.right, r.right, cells);
    t.add_row(std::move(cells));
  }
  return t;
}

Table conicity_table(const std::vector<ConicityRow>& rows) {
  Table t;
  t.add_column("amplitude", "mm", 4), t.add_column("harmonic", "", 5), t.add_column("integral", "", 5);
  for (const ConicityRow& r : rows) t.add_row({1e3 * r.amplitude, r.harmonic, r.integral});
  return t;
}

std::string rows_json(const std::vector<WheelrailRow>& rows, double radius) {
  return list_of(rows, [&](const WheelrailRow& r) {
    io::report::JsonObject o;
    o.number("shift", r.shift).number("delta_r", r.contacts.delta_r).number("roll", r.contacts.roll);
    o.number("height", r.contacts.height).number("lift", r.contacts.height - radius);
    o.json("left", side_json(r.contacts.left, r.left, true)).json("right", side_json(r.contacts.right, r.right, false));
    return o.str();
  });
}

std::string conicity_json(const std::vector<ConicityRow>& rows) {
  return list_of(rows, [](const ConicityRow& r) {
    io::report::JsonObject o;
    o.number("amplitude", r.amplitude).number("harmonic", r.harmonic).number("integral", r.integral);
    return o.str();
  });
}

std::string cases_json(const std::vector<analysis::CaseResult>& cases) {
  return list_of(cases, [](const analysis::CaseResult& r) {
    io::report::JsonObject o;
    o.text("side", r.of.side)
        .text("case", r.of.name)
        .number("y_ws", r.of.y)
        .number("roll_ws", r.of.roll)
        .number("yaw_ws", r.of.yaw);
    o.number("vpitch_ws", r.of.pitch_rate.value_or(std::nan("")));
    for (const auto& [name, value] : r.columns) o.number(name, value);
    return o.json("patches", list_of(r.patches, columns_json)).str();
  });
}

namespace {

std::vector<std::string> doubts_of(const LoadedContact& c) {
  std::vector<std::string> out;
  if (!c.doubt.empty()) out.push_back(c.doubt);
  for (const LoadedPatch& other : c.others)
    if (!other.doubt.empty()) out.push_back(other.doubt);
  return out;
}

}  // namespace

std::vector<std::string> doubts_of(const std::vector<analysis::CaseResult>& cases) {
  std::vector<std::string> out;
  for (const analysis::CaseResult& r : cases) {
    for (const std::string& doubt : doubts_of(r.contact))
      out.push_back(fmt::format("case {} {}: {}", r.of.side, r.of.name, doubt));
  }
  return out;
}

std::string profile_json(const Profile& p) {
  io::report::JsonObject o;
  o.text("name", p.name()).number("first_y", p.first_y()).number("last_y", p.last_y());
  o.number("smoothing", p.parts().smoothing)
      .number("deviation", p.parts().deviation)
      .number("deviation_y", p.parts().deviation_at);
  return o.json("notes", json_list(p.parts().notes)).str();
}

std::string profile_text(const char* what, const Profile& p) {
  std::string text = fmt::format("{} {}: y {:.4g} to {:.4g} mm", what, p.name(), 1e3 * p.first_y(), 1e3 * p.last_y());
  if (p.parts().smoothing > 0)
    text += fmt::format(", smoothed over {:.3g} mm, points within {:.2g} um (at y = {:.4g} mm)",
                        1e3 * p.parts().smoothing, 1e6 * p.parts().deviation, 1e3 * p.parts().deviation_at);
  return fmt::format("{}; {}\n", text, fmt::join(p.parts().notes, "; "));
}

std::vector<std::string> doubts_of(const std::vector<WheelrailRow>& rows) {
  std::vector<std::string> out;
  for (const WheelrailRow& r : rows) {
    for (const auto& [side, c] : {std::pair{"left", &r.contacts.left}, {"right", &r.contacts.right}}) {
      const RailContact& p = c->contact();
      if (p.is_edge)
        out.push_back(fmt::format(
            "at a shift of {:.4g} mm the {} wheel touches at an end of a profile: what lies beyond is not known",
            1e3 * r.shift, side));
      else if (p.wheel.y < -50e-3 && p.rail.y > -20e-3)
        out.push_back(
            fmt::format("at a shift of {:.4g} mm the flange of the {} wheel stands on the rail: it has derailed",
                        1e3 * r.shift, side));
      for (const std::string& doubt : doubts_of(side == std::string("left") ? r.left : r.right))
        out.push_back(fmt::format("at a shift of {:.4g} mm, {} wheel: {}", 1e3 * r.shift, side, doubt));
    }
  }
  return out;
}

}  // namespace skyhook::app
