#include "skyhook/analysis/signal_over.h"

#include <algorithm>
#include <cmath>

namespace skyhook::analysis {
namespace {

// The integral from the first sample up to any place, exactly.
class Integral {
 public:
  explicit Integral(const Signal& s) : s_(s), sum_(integral(s).y) {}
  double operator()(double x) const {
    const auto beyond = static_cast<std::size_t>(std::upper_bound(s_.x.begin(), s_.x.end(), x) - s_.x.begin());
    if (beyond == 0) return 0;
    if (beyond == s_.x.size() || s_.x[beyond - 1] == x) return sum_[beyond - 1];
    const HermiteNode a = s_.node(beyond - 1), b = s_.node(beyond);
    const bool is_cubic = have_rates(a, b);
    const HermiteNode end{x, hermite(a, b, x), is_cubic ? hermite_rate(a, b, x) : std::nan("")};
    return sum_[beyond - 1] + hermite_integral(a, end);
  }

 private:
  const Signal& s_;
  std::vector<double> sum_;
};

}  // namespace

std::optional<Signal> over(const Signal& s, const Signal& along) {
  if (s.x != along.x || s.x.empty()) return {};
  Signal out;
  out.name = s.name, out.unit = s.unit, out.abscissa = {along.name, along.unit};
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const double x = along.y[k], speed = along.node(k).v, rate = s.node(k).v;
    if (k > 0 && x < along.y[k - 1]) return {};
    if (k > 0 && x == along.y[k - 1] && s.x[k] > s.x[k - 1])
      out.x.pop_back(), out.y.pop_back(), out.rate.pop_back();  // it stands
    out.x.push_back(x), out.y.push_back(s.y[k]);
    out.rate.push_back(speed > 0 ? rate / speed : std::nan(""));
  }
  return out;
}

Signal sliding_mean(const Signal& s, double window, double step) {
  const Integral sum(s);
  Signal out = s.like("sliding_mean(" + s.name + ")", s.unit);
  out.x.clear();
  const auto last = static_cast<long>(std::floor((s.span() - window) / step * (1 + 1e-12)));
  for (long k = 0; k <= last && s.span() >= window; ++k) {
    const double begin = s.x.front() + step * static_cast<double>(k);
    out.x.push_back(begin + window / 2), out.y.push_back((sum(begin + window) - sum(begin)) / window);
  }
  return out;
}

Signal distance_of(const Signal& speed) {
  Signal out = integral(speed);
  out.name = "distance", out.unit = "m";
  return out;
}

}  // namespace skyhook::analysis
