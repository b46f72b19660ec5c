// TMeasy: a tyre by a few numbers that can be read from a plot.
#pragma once
#include "skyhook/element/tyre/tyre_fields.h"

namespace skyhook::element {

struct TyreTmeasy : PlainTyreFields {
  double nominal_load = 1, camber_factor = 0, trail = 0, trail_end = 0.2, trail_out = 0.5, rolling_resistance = 0;
  std::vector<double> slope_x, peak_slip_x, peak_x, sliding_slip_x, sliding_x;
  std::vector<double> slope_y, peak_slip_y, peak_y, sliding_slip_y, sliding_y;

  static constexpr auto fields = std::tuple_cat(
      PlainTyreFields::fields,
      describe(
          field(&TyreTmeasy::nominal_load, "nominal_load", "N", positive(), "all pairs below: at it, and at twice it")
              .required(),
          field(&TyreTmeasy::slope_x, "slope_x", "N", positive(), "longitudinal force over small slip, a pair")
              .required(),
          field(&TyreTmeasy::peak_slip_x, "peak_slip_x", "-", positive(), "slip of the largest force, a pair")
              .required(),
          field(&TyreTmeasy::peak_x, "peak_x", "N", positive(), "largest force, a pair").required(),
          field(&TyreTmeasy::sliding_slip_x, "sliding_slip_x", "-", positive(), "slip where all slides, a pair")
              .required(),
          field(&TyreTmeasy::sliding_x, "sliding_x", "N", positive(), "force there and beyond, a pair").required(),
          field(&TyreTmeasy::slope_y, "slope_y", "N", positive(), "lateral force over small slip, a pair").required(),
          field(&TyreTmeasy::peak_slip_y, "peak_slip_y", "-", positive(), "slip of the largest force, a pair")
              .required(),
          field(&TyreTmeasy::peak_y, "peak_y", "N", positive(), "largest force, a pair").required(),
          field(&TyreTmeasy::sliding_slip_y, "sliding_slip_y", "-", positive(), "slip where all slides, a pair")
              .required(),
          field(&TyreTmeasy::sliding_y, "sliding_y", "N", positive(), "force there and beyond, a pair").required(),
          field(&TyreTmeasy::camber_factor, "camber_factor", "1/rad", at_least(0.0), "lateral slip of camber"),
          field(&TyreTmeasy::trail, "trail", "m", at_least(0.0), "of the lateral force at small slip and nominal load"),
          field(&TyreTmeasy::trail_end, "trail_end", "-", positive(), "lateral slip at which it is zero first"),
          field(&TyreTmeasy::trail_out, "trail_out", "-", positive(), "lateral slip from which on it stays zero"),
          field(&TyreTmeasy::rolling_resistance, "rolling_resistance", "m", at_least(0.0),
                "moment against rolling over the load")));
  static constexpr const char* summary = "tyre on a road, TMeasy: slopes, largest and sliding forces at two loads";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
