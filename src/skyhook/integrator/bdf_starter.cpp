#include "skyhook/integrator/bdf_starter.h"

#include <algorithm>
#include <cmath>

namespace skyhook::integrator {
namespace {

constexpr int stages = 6;
constexpr double gamma = 0.25;
constexpr double c[stages] = {0, 1.0 / 2, 83.0 / 250, 31.0 / 50, 17.0 / 20, 1};
constexpr double a[stages][stages] = {
    {},
    {gamma, gamma},
    {8611.0 / 62500, -1743.0 / 31250, gamma},
    {5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108, gamma},
    {15267082809.0 / 155376265600, -71443401.0 / 120774400, 730878875.0 / 902184768, 2285395.0 / 8070912, gamma},
    {82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, gamma}};
// The method of order 3 inside.
constexpr double embedded[stages] = {4586570599.0 / 29645900160, 0,
                                     178811875.0 / 945068544,    814220225.0 / 1159782912,
                                     -3700637.0 / 11593932,      61727.0 / 225920};
// The difference to it is a sixth of the error of exponentials and vibrations where steps are large, and twice the error
// where they are small.
constexpr double safety = 5;
// The slope a stage begins with: a polynomial through those of stages before.
constexpr double guess[stages][stages] = {{},
                                          {1},
                                          {42.0 / 125, 83.0 / 125},
                                          {432.0 / 2075, 372.0 / 175, -775.0 / 581},
                                          {5957.0 / 10292, 0, -48875.0 / 23904, 22015.0 / 8928},
                                          {0, 0, 2375.0 / 6216, -835.0 / 552, 12692.0 / 5957}};

}  // namespace

BdfStarter::BdfStarter(std::size_t n) : values_(order + 1) {
  for (auto& s : slope_) s.assign(n, 0.0);
  for (auto& v : values_) v.assign(n, 0.0);
}

// Variables outside of the error test have no slope of their own: a stage begins with their last value.
bool BdfStarter::step(const Structure& structure, double t, CSpan y, CSpan yp, double h, BdfNewton& newton,
                      Cost& cost) {
  const std::size_t n = y.size();
  newton.set_weights(y, h);
  for (std::size_t i = 0; i < n; ++i) slope_[0][i] = structure.y[i].in_error_test ? yp[i] : 0.0;
  std::ranges::copy(y, newton.y.begin());
  for (int s = 1; s < stages; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0, slope = 0;
      for (int j = 0; j < s; ++j) {
        const double of_stage = slope_[static_cast<std::size_t>(j)][i];
        sum += a[s][j] * of_stage, slope += guess[s][j] * of_stage;
      }
      if (structure.y[i].in_error_test) newton.y[i] = y[i] + h * (sum + gamma * slope);
      newton.yp[i] = slope;
    }
    if (newton.solve(t + c[s] * h, h * gamma, 1 / (h * gamma), cost) != BdfNewton::Solved::yes) return false;
    auto& slope = slope_[static_cast<std::size_t>(s)];
    for (std::size_t i = 0; i < n; ++i) slope[i] = structure.y[i].in_error_test ? newton.yp[i] : 0.0;
  }
  measure_error(h, newton);
  return true;
}

void BdfStarter::measure_error(double h, const BdfNewton& newton) {
  double sum = 0, largest = 0;
  dominant_ = -1;
  for (std::size_t i = 0; i < newton.y.size(); ++i) {
    double e = 0;
    for (std::size_t s = 0; s < stages; ++s) e += (a[stages - 1][s] - embedded[s]) * slope_[s][i];
    const double weighted = std::abs(h * e * newton.error_weight[i]);
    if (weighted > largest) largest = weighted, dominant_ = static_cast<int>(i);
    sum += weighted * weighted;
  }
  error_ = safety * std::sqrt(sum / newton.tested);
}

// The local error of order 3 in steps of BDF, 1/4 h^4 times the fourth derivative, is 227 times that of a starter as long.
double BdfStarter::step_of() const { return std::min(11.0 / 24, 0.22 * std::pow(std::max(error_, 1e-10), -0.25)); }

void BdfStarter::fill_values(const Structure& structure, CSpan y, CSpan yp, double h, const BdfNewton& newton) {
  for (std::size_t m = 0; m < values_.size(); ++m) {
    const double s = 1 - static_cast<double>(m) * step_of();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double change = newton.y[i] - y[i], from = h * yp[i], to = h * newton.yp[i];
      values_[m][i] = structure.y[i].in_error_test
                          ? y[i] + s * (from + s * (3 * change - 2 * from - to + s * (from + to - 2 * change)))
                          : y[i] + s * change;
    }
  }
  std::ranges::copy(newton.y, values_[0].begin());
}

// ---- how many of them

namespace {

constexpr double most_even_steps = 5, stretch = 1.1;
constexpr double hoped_growth = 1.3, least_growth = 1.001, largest_growth = 2;
// A starter costs six or seven residuals. BDF costs fewer for the same time, but begins with small steps of order 3 and a
// matrix of its own: it pays from here on, on sampled oscillators (`skyhook_bench restarts`).
constexpr double affordable = 8;

double factor(double error) { return 0.9 * std::pow(std::max(error, 1e-10), -1.0 / 4); }

}  // namespace

bool may_repeat_starter(const Structure& structure, int order_limit) {
  const auto is_of_index_2 = [](const Variable& v) { return v.index > 1; };
  return order_limit >= BdfStarter::order && std::ranges::none_of(structure.y, is_of_index_2);
}

double StarterSteps::after_failure(double h, double error) {
  return std::isfinite(error) ? h * std::clamp(factor(error), 0.1, 0.8) : 0.1 * h;
}

// Equal steps up to the limit, where there are few: their matrix is the same, and that of the next sample too.
double StarterSteps::fitted(double h, double left) {
  if (stretch * h >= left) return left;
  const double steps = std::ceil(left / h);
  return steps > most_even_steps ? h : left / steps;
}

void StarterSteps::accepted(const Done& done) {
  const double before = next_;
  next_ = done.h * std::clamp(factor(done.error), 0.2, 5.0);
  if (largest > 0) next_ = std::min(next_, largest);
  if (done.is_first) first_ = next_;
  const double growth = done.is_first ? hoped_growth : std::clamp(next_ / before, least_growth, largest_growth);
  goes_on_ = may_go_on && std::log(1 + done.left / next_ * (growth - 1)) <= affordable * std::log(growth);
}

}  // namespace skyhook::integrator
