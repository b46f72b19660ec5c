#include "skyhook/formalism/past_solutions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skyhook::formalism {
namespace {

double largest_of(CSpan x) {
  double size = 0;
  for (const double each : x) size = std::max(size, std::abs(each));
  return size;
}

}  // namespace

std::array<double, 2> sizes_of(CSpan x, std::size_t nv) { return {largest_of(x.first(nv)), largest_of(x.subspan(nv))}; }

void PastSolutions::add(double t, const std::vector<double>& x) {
  if (known_ > 0 && !(t > before_[0].t)) known_ = 0;
  choose_order(t, x);
  std::ranges::rotate(before_, before_.end() - 1);
  before_[0].t = t, before_[0].x = x;
  known_ = std::min(known_ + 1, before_.size());
}

void PastSolutions::foretell(double t, std::vector<double>& x) const {
  std::size_t order = order_;
  while (order > least_order && !may_extrapolate(order, t)) --order;
  extrapolate(order, t, x);
}

// No further than the times between the solutions are apart, or little more.
bool PastSolutions::may_extrapolate(std::size_t order, double t) const {
  constexpr double uneven = 4.0 / 3;
  if (known_ <= order) return false;
  const double last = t - before_[0].t, first = t - before_[order].t;
  return last > 0 && first < uneven * static_cast<double>(order + 1) * last;
}

void PastSolutions::extrapolate(std::size_t order, double t, std::vector<double>& x) const {
  x.assign(before_[0].x.size(), 0.0);
  for (std::size_t j = 0; j <= order; ++j) {
    double weight = 1;
    for (std::size_t i = 0; i <= order; ++i) {
      if (i != j) weight *= (t - before_[i].t) / (before_[j].t - before_[i].t);
    }
    const double* const from = before_[j].x.data();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * from[i];
  }
}

// One up or down at a time, and not each time: it takes three extrapolations.
void PastSolutions::choose_order(double t, const std::vector<double>& x) {
  constexpr int times = 4;
  if (++since_choice_ % times != 0) return;
  const std::size_t now = order_;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t order = std::max(least_order, now - 1); order <= now + 1; ++order) {
    if (!may_extrapolate(order, t)) break;
    extrapolate(order, t, guess_);
    for (std::size_t i = 0; i < x.size(); ++i) guess_[i] -= x[i];
    const double error = relative_size(guess_, x);
    if (error < least) least = error, order_ = order;
  }
}

double PastSolutions::relative_size(CSpan of, CSpan x) const {
  const auto part = sizes_of(of, nv_), whole = sizes_of(x, nv_);
  const auto share = [&](std::size_t k) { return part[k] > 0 ? part[k] / whole[k] : 0.0; };
  return std::max(share(0), share(1));
}

}  // namespace skyhook::formalism
