#include "skyhook/io/plot/from_wheelrail.h"

#include <cmath>
#include <numbers>

namespace skyhook::io::plot {
namespace {

using analysis::ConicityRow, analysis::WheelrailRow;
using element::rail::Profile, element::rail::RailContact, element::rail::WheelsetOnTrack;

constexpr double per_degree = std::numbers::pi / 180;

Panel panel_of(const char* y, const char* unit, const char* x = "shift") {
  Panel p;
  p.x.label = x, p.x.unit = "mm", p.x.tight = true;
  p.y.label = y, p.y.unit = unit;
  return p;
}

template <class Value>
Curve over_shift(const std::vector<WheelrailRow>& rows, const char* label, const Value& value) {
  Curve c{.label = label, .x = {}, .y = {}};
  for (const WheelrailRow& r : rows) c.x.push_back(1e3 * r.shift), c.y.push_back(value(r));
  return c;
}

template <class Value>
Panel both_sides(const std::vector<WheelrailRow>& rows, Panel panel, const Value& value) {
  panel.curves.push_back(
      over_shift(rows, "left", [&](const WheelrailRow& r) { return value(r.contacts.left.contact()); }));
  panel.curves.push_back(
      over_shift(rows, "right", [&](const WheelrailRow& r) { return value(r.contacts.right.contact()); }));
  return panel;
}

// The left wheel in its design position above the left rail, and lines between the points that touch.
Panel profiles(const WheelsetOnTrack& w, const std::vector<WheelrailRow>& rows) {
  constexpr double apart = 12;  // mm
  Panel panel = panel_of("z", "mm", "y, from the middle of the track");
  panel.title = "left wheel, 12 mm above the rail: points that touch";
  const double tape = 1e3 * w.measures().half(), rail = 1e3 * w.left().rail_y();
  const auto curve = [](const Profile& p, const char* label, double y, double z) {
    Curve c{.label = label, .x = {}, .y = {}};
    for (double s = p.first(); s <= p.last(); s += 2e-4)
      c.x.push_back(y + 1e3 * p.at(s).y), c.y.push_back(z + 1e3 * p.at(s).z);
    return c;
  };
  panel.curves.push_back(curve(w.left().wheel(), "wheel", tape, apart));
  panel.curves.push_back(curve(w.left().rail(), "rail", rail, 0));
  Curve pairs{.label = "", .x = {}, .y = {}, .colour = 7};
  for (const WheelrailRow& r : rows) {
    const RailContact& c = r.contacts.left.contact();
    pairs.x.insert(pairs.x.end(), {tape + 1e3 * c.wheel.y, rail + 1e3 * c.rail.y, std::nan("")});
    pairs.y.insert(pairs.y.end(), {apart + 1e3 * c.wheel.z, 1e3 * c.rail.z, std::nan("")});
  }
  panel.curves.push_back(std::move(pairs));
  return panel;
}

Panel conicity_panel(const std::vector<ConicityRow>& rows) {
  Panel panel = panel_of("equivalent conicity", "", "amplitude");
  Curve harmonic{.label = "harmonic", .x = {}, .y = {}}, integral{.label = "integral", .x = {}, .y = {}};
  for (const ConicityRow& r : rows) {
    harmonic.x.push_back(1e3 * r.amplitude), harmonic.y.push_back(r.harmonic);
    integral.x.push_back(1e3 * r.amplitude), integral.y.push_back(r.integral);
  }
  panel.curves = {std::move(harmonic), std::move(integral)};
  return panel;
}

}  // namespace

Figure figure_of(const WheelsetOnTrack& w, const std::vector<WheelrailRow>& rows,
                 const std::vector<ConicityRow>& conicity) {
  Figure figure{.title = w.left().wheel().name() + " on " + w.left().rail().name(), .panels = {}};
  if (!rows.empty()) {
    Panel radii = panel_of("rolling radius difference", "mm");
    radii.curves = {over_shift(rows, "", [](const WheelrailRow& r) { return 1e3 * r.contacts.delta_r; })};
    figure.panels = {
        std::move(radii),
        both_sides(rows, panel_of("contact angle", "deg"), [](const RailContact& c) { return c.angle / per_degree; }),
        both_sides(rows, panel_of("contact on the wheel, y", "mm"),
                   [](const RailContact& c) { return 1e3 * c.wheel.y; }),
        profiles(w, rows)};
  }
  if (!conicity.empty()) figure.panels.push_back(conicity_panel(conicity));
  return figure;
}

}  // namespace skyhook::io::plot
