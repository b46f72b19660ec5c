// Waves A w(u) sin(2 pi (n0 u + (n1 - n0) u^2 / (2 L))), u = x - begin from 0 to L: their number per metre goes from n0 to n1. The window
// w rises from 0 to 1 over `fade` at both ends. Without length: sine waves of n0 without end.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "skyhook/element/smooth_step.h"
#include "skyhook/model/grain.h"
#include "skyhook/model/relief.h"

namespace skyhook::element {

struct WaveTrain final : model::Relief, model::Grained {
  struct Shape {
    double amplitude, first, last;  // m, 1/m
    double begin;
    std::optional<double> length;
    double fade;
  };
  explicit WaveTrain(const Shape& given) : s(given) {}
  Shape s;

  model::Bend at(double x, double /*y*/) const override {
    const double turn = 2 * std::numbers::pi, u = x - s.begin, n = s.first;
    if (!s.length) return product({1, 0, 0}, turn * n * u, turn * n, 0);
    if (!(u > 0.0 && u < *s.length)) return {};
    const double growth = (s.last - n) / *s.length;
    const SmoothStep a = smooth_step(u / s.fade), b = smooth_step((*s.length - u) / s.fade);
    const SmoothStep window{
        a.value * b.value, (a.slope * b.value - a.value * b.slope) / s.fade,
        (a.curvature * b.value - 2 * a.slope * b.slope + a.value * b.curvature) / (s.fade * s.fade)};
    return product(window, turn * (n + 0.5 * growth * u) * u, turn * (n + growth * u), turn * growth);
  }
  model::Bend product(const SmoothStep& w, double phase, double rate, double rise) const {
    const double si = std::sin(phase), co = std::cos(phase);
    return {
        .value = s.amplitude * w.value * si,
        .x = s.amplitude * (w.slope * si + w.value * co * rate),
        .xx = s.amplitude * (w.curvature * si + 2 * w.slope * co * rate + w.value * (co * rise - si * rate * rate))};
  }
  double grain() const override { return 1 / (8 * std::max(s.first, s.last)); }
  Span span() const override { return s.length ? Span{s.begin, s.begin + *s.length} : Span{}; }
};

}  // namespace skyhook::element
