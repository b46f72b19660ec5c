#include "skyhook/element/rail/conicity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace skyhook::element::rail {

RadiusDifference::RadiusDifference(double first, double step, std::vector<double> delta_r)
    : first_(first), step_(step), values_(std::move(delta_r)), areas_{0} {
  assert(values_.size() >= 2 && step > 0);
  for (std::size_t k = 0; k + 1 < values_.size(); ++k)
    areas_.push_back(areas_.back() + step_ * (values_[k] + values_[k + 1]) / 2);
}

RadiusDifference::Cell RadiusDifference::cell(double y) const {
  const double at = std::clamp((y - first_) / step_, 0.0, static_cast<double>(values_.size() - 1));
  const auto k = std::min(static_cast<std::size_t>(at), values_.size() - 2);
  return {k, (at - static_cast<double>(k)) * step_};
}

double RadiusDifference::operator()(double y) const {
  const auto [k, u] = cell(y);
  return values_[k] + u / step_ * (values_[k + 1] - values_[k]);
}

double RadiusDifference::potential(double y) const {
  const auto [k, u] = cell(y);
  return areas_[k] + u * (values_[k] + u / step_ * (values_[k + 1] - values_[k]) / 2);
}

std::optional<double> RadiusDifference::centre() const {
  std::optional<double> best;
  for (std::size_t k = 0; k + 1 < values_.size(); ++k) {
    if (values_[k] > 0 || values_[k + 1] < 0 || values_[k] == values_[k + 1]) continue;
    const double y = first_ + step_ * (static_cast<double>(k) - values_[k] / (values_[k + 1] - values_[k]));
    if (!best || std::abs(y) < std::abs(*best)) best = y;
  }
  return best;
}

// Piece by piece exactly: delta_r = p + q sin(phi) between two points of the table.
std::optional<double> harmonic_conicity(const RadiusDifference& f, double amplitude) {
  const auto centre = f.centre();
  if (!centre || *centre - amplitude < f.first() || *centre + amplitude > f.last()) return std::nullopt;
  const double from = *centre - amplitude, to = *centre + amplitude;
  const auto angle = [&](double y) { return std::asin(std::clamp((y - *centre) / amplitude, -1.0, 1.0)); };
  double sum = 0, y = from;
  while (y < to) {
    const double whole = std::floor((y - f.first()) / f.step() + 1e-9) + 1;
    const double next = std::min(to, f.first() + whole * f.step());
    const double a = angle(y), b = angle(next), slope = (f(next) - f(y)) / (next - y);
    const double q = slope * amplitude, p = f(y) - slope * (y - *centre);
    const auto primitive = [&](double x) { return -p * std::cos(x) + q * (x / 2 - std::sin(2 * x) / 4); };
    sum += primitive(b) - primitive(a);
    y = next;
  }
  return sum / (std::numbers::pi * amplitude);
}

namespace {

// The middle of a wave whose turning points have one potential.
std::optional<double> middle_of_wave(const RadiusDifference& f, double centre, double amplitude) {
  double low = std::max(f.first() + amplitude, centre - amplitude),
         high = std::min(f.last() - amplitude, centre + amplitude);
  const auto rise = [&](double m) { return f.potential(m + amplitude) - f.potential(m - amplitude); };
  if (!(low <= high) || rise(low) > 0 || rise(high) < 0) return std::nullopt;
  for (int pass = 0; pass < 100 && high - low > 1e-16; ++pass) {
    const double m = (low + high) / 2;
    (rise(m) < 0 ? low : high) = m;
  }
  return (low + high) / 2;
}

}  // namespace

// With y = m + A sin(theta) the ends are no longer singular; equal steps in theta, at their middles.
std::optional<double> integral_conicity(const RadiusDifference& f, double amplitude) {
  const auto centre = f.centre();
  if (!centre) return std::nullopt;
  const auto middle = middle_of_wave(f, *centre, amplitude);
  if (!middle) return std::nullopt;
  constexpr int steps = 4000;
  const double top = (f.potential(*middle + amplitude) + f.potential(*middle - amplitude)) / 2;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double theta = std::numbers::pi * ((k + 0.5) / steps - 0.5);
    const double depth = top - f.potential(*middle + amplitude * std::sin(theta));
    if (!(depth > 0)) return std::nullopt;  // a hill between: no wave passes it
    sum += amplitude * std::cos(theta) / std::sqrt(depth);
  }
  const double I = sum * std::numbers::pi / steps;
  return std::pow(std::numbers::pi / I, 2);
}

}  // namespace skyhook::element::rail
