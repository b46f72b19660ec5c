// Cosine waves one behind the other: H/2 (1 - cos(2 pi (x - a)/L)) from a to a + count L, level before and behind.
#pragma once
#include <cmath>
#include <numbers>

#include "skyhook/model/grain.h"
#include "skyhook/model/relief.h"

namespace skyhook::element {

struct CosineRow final : model::Relief, model::Grained {
  CosineRow(double h, double l, double a, double n = 1) : height(h), length(l), begin(a), count(n) {}
  double height, length, begin, count;

  model::Bend at(double x, double /*y*/) const override {
    const double u = (x - begin) / length;
    if (!(u > 0.0 && u < count)) return {};
    const double turn = 2.0 * std::numbers::pi, half = 0.5 * height, k = turn / length;
    const double c = std::cos(turn * u), s = std::sin(turn * u);
    return {.value = half * (1.0 - c), .x = half * k * s, .xx = half * k * k * c};
  }
  double grain() const override { return length / 8; }
  Span span() const override { return {begin, begin + count * length}; }
};

}  // namespace skyhook::element
