#include "skyhook/element/force/maxwell.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

struct MaxwellLaw final : model::StateLaw<MaxwellLaw> {
  double stiffness = 0, damping = 0, parallel = 0, free = 0;
  bool is_angle = false;

  std::vector<model::InnerState> states() const override {
    return {{is_angle ? "damper_angle" : "damper_length", is_angle ? "rad" : "m"}};
  }
  // The spring passes its force on to the damper.
  template <class T>
  T law(const model::Stroke<T>& s, std::span<const T> c, std::span<T> rates) const {
    const T d = s.x - T(free), branch = T(stiffness) * (d - c[0]);
    rates[0] = branch / T(damping);
    return branch + T(parallel) * d;
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
  add_state_force(std::move(law), place, source, model);
}

}  // namespace skyhook::element
