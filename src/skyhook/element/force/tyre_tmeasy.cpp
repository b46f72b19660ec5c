#include "skyhook/element/force/tyre_tmeasy.h"

#include <fmt/format.h>

#include "skyhook/element/tyre/build_tyre.h"
#include "skyhook/element/tyre/tmeasy.h"

namespace skyhook::element {
namespace {

struct Named {
  const char* field;
  const std::vector<double>& pair;
  double (&to)[2];
};

void take(const model::FieldSource& source, std::initializer_list<Named> all) {
  for (const Named& each : all) {
    if (each.pair.size() != 2)
      fail(source, each.field, fmt::format("there are {} numbers.", each.pair.size()),
           "Give two: at the nominal load, and at twice it.");
    each.to[0] = each.pair[0], each.to[1] = each.pair[1];
  }
}

// `axis` is x or y.
void check(const tyre::TMeasySide& of, char axis, const model::FieldSource& source) {
  const auto refuse = [&](const char* field, const std::string& what, const char* advice) {
    fail(source, (std::string(field) + "_" + axis).c_str(), what, advice);
  };
  for (int k = 0; k < 2; ++k) {
    if (of.slope[k] * of.peak_slip[k] < 2.0 * of.peak[k])
      refuse("slope", "it is too flat: slope times slip of the largest force is less than twice that force.",
             "Then the formula has its largest force elsewhere: give a steeper slope or a larger slip.");
    if (of.sliding_slip[k] <= of.peak_slip[k])
      refuse("sliding_slip", "all slides before the force is largest.", "Give more than `peak_slip`.");
    if (of.sliding[k] > of.peak[k])
      refuse("sliding", "it is more than the largest force.", "Give no more than `peak`.");
  }
  for (const auto& [field, pair] :
       {std::pair{"slope", of.slope}, std::pair{"peak", of.peak}, std::pair{"sliding", of.sliding}}) {
    if (pair[1] >= 4.0 * pair[0])
      refuse(field, "at twice the load it is four times as much or more.",
             "The parabola over the load would begin below zero.");
  }
  for (const auto& [field, pair] : {std::pair{"peak_slip", of.peak_slip}, std::pair{"sliding_slip", of.sliding_slip}}) {
    if (pair[1] >= 2.0 * pair[0])
      refuse(field, "at twice the load it is twice as much or more.", "The line over the load would begin below zero.");
  }
}

}  // namespace

void TyreTmeasy::add_to(model::FieldSource& source, model::Model& model) const {
  tyre::TMeasy law;
  law.load = nominal_load, law.camber_factor = camber_factor, law.rolling_resistance = rolling_resistance;
  law.trail = trail, law.trail_end = trail_end, law.trail_out = trail_out;
  take(source, {{"slope_x", slope_x, law.x.slope},
                {"peak_slip_x", peak_slip_x, law.x.peak_slip},
                {"peak_x", peak_x, law.x.peak},
                {"sliding_slip_x", sliding_slip_x, law.x.sliding_slip},
                {"sliding_x", sliding_x, law.x.sliding},
                {"slope_y", slope_y, law.y.slope},
                {"peak_slip_y", peak_slip_y, law.y.peak_slip},
                {"peak_y", peak_y, law.y.peak},
                {"sliding_slip_y", sliding_slip_y, law.y.sliding_slip},
                {"sliding_y", sliding_y, law.y.sliding}});
  check(law.x, 'x', source);
  check(law.y, 'y', source);
  if (!(trail_end < trail_out))
    fail(source, "trail_out", "the trail ends before it is zero first.", "Give more than `trail_end`.");
  add_plain_tyre(*this, law, {law.x.peak[0] / law.x.slope[0], law.y.peak[0] / law.y.slope[0]}, source, model);
}

}  // namespace skyhook::element
