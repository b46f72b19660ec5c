#include "skyhook/element/road/ramp.h"

#include "skyhook/element/finding.h"
#include "skyhook/element/smooth_step.h"
#include "skyhook/model/grain.h"

namespace skyhook::element {

namespace {

struct RampRelief final : model::Relief, model::Grained {
  explicit RampRelief(const Ramp& of) : ramp(of) {}
  Ramp ramp;

  model::Bend at(double x, double y) const override {
    model::Bend out{.value = ramp.bank * y, .y = ramp.bank};
    add_bend(x - ramp.at, ramp.slope, out);
    if (ramp.length) add_bend(x - ramp.at - *ramp.length, -ramp.slope, out);
    return out;
  }
  void add_bend(double x, double slope, model::Bend& out) const {
    const SmoothStep s = smooth_step(x / ramp.rounding + 0.5);
    out.value += slope * ramp.rounding * s.integral, out.x += slope * s.value,
        out.xx += slope / ramp.rounding * s.slope;
  }
  bool varies_across() const override { return ramp.bank != 0.0; }
  double grain() const override { return ramp.rounding / 4; }
  Span span() const override {
    return {ramp.at - ramp.rounding, ramp.at + ramp.length.value_or(Span{}.last) + ramp.rounding};
  }
};

}  // namespace

void Ramp::add_to(model::FieldSource& source, model::Model& model) const {
  if (length && rounding > *length)
    fail(source, "rounding", "the rounding is longer than the ramp.", "Give a shorter one.");
  put(std::make_shared<RampRelief>(*this), source, model);
}

}  // namespace skyhook::element
