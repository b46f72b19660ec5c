#include "skyhook/element/force/maxwell.h"

#include "skyhook/element/finding.h"
#include "skyhook/model/timeless.h"

namespace skyhook::element {

namespace {

struct MaxwellLaw final : model::StateLaw<MaxwellLaw>, model::Timeless {
  double stiffness = 0, damping = 0, parallel = 0, free = 0;
  bool is_angle = false;
  double blow_off = 0, beyond = 0;  // force and, above it, how much more the damper yields: 1/c_beyond - 1/c

  std::vector<model::InnerState> states() const override {
    return {{is_angle ? "damper_angle" : "damper_length", is_angle ? "rad" : "m"}};
  }
  // The spring passes its force on to the damper.
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T d = s.x - T(free), branch = T(stiffness) * (d - c[0]);
    rates[0] = branch / T(damping);
    if (beyond != 0) rates[0] += T(beyond) * (excess(branch) - excess(-branch));
    return branch + T(parallel) * d;
  }
  // max(F - blow_off, 0), rounded over a tenth of blow_off on either side: valves do not open at once.
  template <class T>
  T excess(const T& F) const {
    const double width = 0.1 * blow_off, over = value_of(F) - blow_off;
    if (over <= -width) return T(0.0);
    const T x = F - T(blow_off);
    return over >= width ? x : (x + T(width)) * (x + T(width)) / T(4 * width);
  }
  double energy(double x, std::span<const double> c) const override {
    const double d = x - free, spring = d - c[0];
    return 0.5 * (stiffness * spring * spring + parallel * d * d);
  }
};

void fill(double stiffness, double damping, double parallel, MaxwellLaw& law) {
  law.stiffness = stiffness, law.damping = damping, law.parallel = parallel;
}

}  // namespace

void Maxwell::add_to(model::FieldSource& source, model::Model& model) const {
  const Place place = place_of(*this, source, model);
  auto law = std::make_shared<MaxwellLaw>();
  law->is_angle = place.is_angle;
  if (place.is_angle) {
    refuse(stiffness != 0, "stiffness", place, source);
    refuse(damping != 0, "damping", place, source);
    refuse(parallel_stiffness != 0, "parallel_stiffness", place, source);
    refuse(free_length.has_value(), "free_length", place, source);
    refuse(blow_off.has_value(), "blow_off", place, source);
    fill(angular_stiffness, angular_damping, parallel_angular_stiffness, *law);
  } else {
    refuse(angular_stiffness != 0, "angular_stiffness", place, source);
    refuse(angular_damping != 0, "angular_damping", place, source);
    refuse(parallel_angular_stiffness != 0, "parallel_angular_stiffness", place, source);
    refuse(free_angle.has_value(), "free_angle", place, source);
    fill(stiffness, damping, parallel_stiffness, *law);
  }
  law->free = (place.is_angle ? free_angle : free_length).value_or(place.design);
  if (law->stiffness == 0 || law->damping == 0) {
    const bool no_spring = law->stiffness == 0;
    const std::string field = std::string(place.is_angle ? "angular_" : "") + (no_spring ? "stiffness" : "damping");
    fail(source, field.c_str(), field + " is missing.",
         "Give it, above 0. Without spring or damper in series a spring_damper does it.");
  }
  if (blow_off_damping && !blow_off)
    fail(source, "blow_off_damping", "it is given without `blow_off`.", "Give the force at which the valve opens.");
  if (blow_off) {
    const double c = blow_off_damping.value_or(damping / 20);
    if (!(c < damping))
      fail(source, "blow_off_damping", "the damper is not softer beyond its blow-off.", "Give less than `damping`.");
    law->blow_off = *blow_off, law->beyond = 1 / c - 1 / damping;
  }
  add_state_force(std::move(law), place, source, model);
}

}  // namespace skyhook::element
