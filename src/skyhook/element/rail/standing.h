// How a wheel stands on its rail, whatever the contact is: what pictures draw, and what evaluations of rail vehicles read.
#pragma once
#include "skyhook/element/rail/on_track.h"
#include "skyhook/model/along_track.h"
#include "skyhook/model/model.h"
#include "skyhook/model/over_ground.h"
#include "skyhook/model/refusing_law.h"

namespace skyhook::element::rail {

// A profile that follows along the line: it begins here, and has come in whole over that length.
struct NextRail {
  double begin = 0, over = 0;  // m
  WheelOnRail place;
};

// A law that is the contact of a wheel and a rail.
struct OnRail : model::RefusingLaw, model::OverGround, model::OnTrackLine {
  virtual const WheelOnRail& on_rail() const = 0;
  virtual const LinePtr& line() const = 0;                         // null: straight and even, without end
  virtual std::vector<NextRail> next_rails() const { return {}; }  // in order, behind that of on_rail()
  // How its rail is shifted, how the line bends, climbs and tilts, how far the next rail has come in.
  int sights() const override { return 6; }
  const model::TrackLine* track_line() const override { return line().get(); }
  bool is_stiff() const override { return true; }  // steel on steel: 0.05 mm below a wheel
  double grain(const model::Relative<double>& now) const override;
  void look_ahead(const model::Relative<double>& now, const Times& times, std::span<double> seen) const override;
  double leeway() const override {
    return 2e-3;
  }  // between its flange and the gauge; elastic ones are pressed so deep then, or lifted
};

// nullptr: it is something else.
inline const OnRail* on_rail_of(const model::Contribution& what) { return dynamic_cast<const OnRail*>(what.law.get()); }

// Channels of every wheel on a rail, behind those of its contact.
inline constexpr const char* way_of_wheel = "along";
std::vector<model::Quantity> standing_quantities(const WheelOnRail& of);
struct OnTheRail {
  double Y = 0, Q = 0;  // forces of the wheel on the rail, to the field side and down
};
// Of the wheel's motion as its rail sees it, at that way along the line.
void measure_standing(const WheelOnRail& of, const LinePtr& line, const model::Relative<double>& seen, double along,
                      const OnTheRail& at, std::vector<double>& out);

}  // namespace skyhook::element::rail
