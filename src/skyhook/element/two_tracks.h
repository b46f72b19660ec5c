// Two reliefs over x side by side: the left one at y = width/2, the right one at -width/2, and a smooth step between them. Beyond, each
// goes on.
#pragma once
#include <algorithm>
#include <memory>

#include "skyhook/element/smooth_step.h"
#include "skyhook/model/grain.h"
#include "skyhook/model/relief.h"

namespace skyhook::element {

struct TwoTracks final : model::Relief, model::Grained {
  using ReliefPtr = std::shared_ptr<const model::Relief>;
  TwoTracks(ReliefPtr l, ReliefPtr r, double w) : left(std::move(l)), right(std::move(r)), width(w) {}
  ReliefPtr left, right;
  double width;

  model::Bend at(double x, double y) const override {
    const SmoothStep s = smooth_step(y / width + 0.5);
    const model::Bend a = left->at(x, y), b = right->at(x, y);
    return {.value = b.value + s.value * (a.value - b.value),
            .x = b.x + s.value * (a.x - b.x),
            .y = s.slope / width * (a.value - b.value),
            .xx = b.xx + s.value * (a.xx - b.xx),
            .xy = s.slope / width * (a.x - b.x),
            .yy = s.curvature / (width * width) * (a.value - b.value)};
  }
  bool varies_across() const override { return true; }
  double evened_out(double y) const override {
    const double s = smooth_step(y / width + 0.5).value;
    return 2 * s * (1 - s);  // 1 - s^2 - (1 - s)^2
  }
  void look(double x, double y, model::TableLooks& looks) const override {
    if (y > -0.5 * width) left->look(x, y, looks);
    if (y < 0.5 * width) right->look(x, y, looks);
  }
  double grain() const override { return std::min(model::grain_of(*left), model::grain_of(*right)); }
  Span span() const override {
    const Span a = left->span(), b = right->span();
    return {std::min(a.first, b.first), std::max(a.last, b.last)};
  }
};

}  // namespace skyhook::element
