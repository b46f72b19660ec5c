#include "skyhook/element/road/stair.h"

#include "skyhook/element/road.h"
#include "skyhook/element/smooth_step.h"
#include "skyhook/model/grain.h"

namespace skyhook::element {

namespace {

struct RoundStairs final : model::Relief, model::Grained {
  RoundStairs(std::vector<double> x, std::vector<double> h, double r)
      : places(std::move(x)), heights(std::move(h)), rounding(r) {}
  std::vector<double> places, heights;
  double rounding;

  model::Bend at(double x, double /*y*/) const override {
    model::Bend out;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const SmoothStep s = smooth_step((x - places[i]) / rounding + 0.5);
      out.value += heights[i] * s.value, out.x += heights[i] / rounding * s.slope;
      out.xx += heights[i] / (rounding * rounding) * s.curvature;
    }
    return out;
  }
  double grain() const override { return rounding / 4; }
  Span span() const override { return {places.front() - rounding, places.back() + rounding}; }
};

}  // namespace

void Stair::add_to(model::FieldSource& source, model::Model& model) const {
  check_stairs(at, height, {"at", "height"}, source);
  if (rounding > 0.0) return put(std::make_shared<RoundStairs>(at, height, rounding), source, model);
  model::Surface::Parts parts;
  for (std::size_t i = 0; i < at.size(); ++i) parts.stairs.push_back({at[i], height[i]});
  put(std::move(parts), source, model);
}

}  // namespace skyhook::element
