// For tests of roads: slopes and curvatures = differences, at random places.
#pragma once
#include <doctest/doctest.h>

#include <random>

#include "skyhook/element/source.testing.h"
#include "skyhook/model/surface.h"

namespace skyhook::element::test {

template <class Kind>
std::shared_ptr<const model::Surface> surface_of(const Kind& kind, model::Model model = two_bodies()) {
  TestSource source;
  kind.add_to(source, model);
  CHECK(model.roads.back().name == "part");
  return model.roads.back().surface;
}

struct Region {
  double x_first, x_last, y_first = -2, y_last = 2;
};

// Central differences of height and slope with step h leave h^2/6 times the third derivative, which is about the curvature over the
// square of the shortest length; `tolerance` is relative to the largest value met.
inline void check_bends(const model::Surface& s, const Region& in, double h = 1e-5, double tolerance = 1e-6) {
  std::mt19937 random(5);
  double slope = 0, curvature = 0;  // largest met
  double slope_error = 0, curvature_error = 0;
  for (int k = 0; k < 300; ++k) {
    const double x = std::uniform_real_distribution(in.x_first, in.x_last)(random);
    const double y = std::uniform_real_distribution(in.y_first, in.y_last)(random);
    const auto at = s.height(x, y, 0.3), east = s.height(x + h, y, 0.3), west = s.height(x - h, y, 0.3);
    const auto north = s.height(x, y + h, 0.3), south = s.height(x, y - h, 0.3);
    const auto note = [](double exact, double difference, double& largest, double& error) {
      largest = std::max(largest, std::abs(exact)), error = std::max(error, std::abs(exact - difference));
    };
    note(at.x, (east.value - west.value) / (2 * h), slope, slope_error);
    note(at.y, (north.value - south.value) / (2 * h), slope, slope_error);
    note(at.xx, (east.x - west.x) / (2 * h), curvature, curvature_error);
    note(at.xy, (east.y - west.y) / (2 * h), curvature, curvature_error);
    note(at.xy, (north.x - south.x) / (2 * h), curvature, curvature_error);
    note(at.yy, (north.y - south.y) / (2 * h), curvature, curvature_error);
  }
  CHECK(slope_error <= tolerance * slope + 1e-10);
  CHECK(curvature_error <= tolerance * curvature + 1e-9);
}

}  // namespace skyhook::element::test
