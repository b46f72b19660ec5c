#include "skyhook/integrator/adams_start.h"

#include <algorithm>
#include <cmath>

#include "skyhook/integrator/common.h"
#include "skyhook/integrator/quintic_bend.h"

namespace skyhook::integrator {

using namespace dormand_prince;

AdamsStart::AdamsStart(std::size_t n) : y_begin_(n), y_end_(n), stage_(n) {
  for (auto& k : k_) k.assign(n, 0.0);
}

bool AdamsStart::step(const From& from, double h, CSpan weight, const Tools& tools) {
  const auto& [problem, workspace, cost, blame] = tools;
  t_ = from.t, h_ = h;
  std::ranges::copy(from.y, y_begin_.begin());
  std::ranges::copy(from.yp, k_[0].begin());
  for (std::size_t s = 1; s < stages; ++s) {
    const bool is_end = s == stages - 1;  // stage_ keeps the one before it
    auto& y = is_end ? y_end_ : stage_;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < s; ++j) sum += a[s][j] * k_[j][i];
      y[i] = y_begin_[i] + h * sum;
    }
    if (is_end && problem.repairs()) {
      Repair repair;
      if (problem.repair(t_ + h, y_end_, weight, repair, workspace) != Eval::ok) {
        blame = workspace.blame.empty() ? "The projection onto the constraints did not converge." : workspace.blame;
        return false;
      }
      was_repaired_ = repair.iterations > 0;
    }
    if (checked_rhs(problem, t_ + c[s] * h, y, k_[s], workspace, cost, blame) != Eval::ok) return false;
  }
  measure_error(problem.structure(), weight);
  return true;
}

void AdamsStart::measure_error(const Structure& structure, CSpan weight) {
  double sum = 0, largest = 0, slope = 0, distance = 0;
  int tested = 0;
  dominant_ = -1;
  for (std::size_t i = 0; i < y_end_.size(); ++i) {
    slope += std::pow(k_[6][i] - k_[5][i], 2), distance += std::pow(y_end_[i] - stage_[i], 2);
    if (!structure.y[i].in_error_test) continue;
    double difference = 0;
    for (std::size_t j = 0; j < stages; ++j) difference += e[j] * k_[j][i];
    const double size = std::abs(h_ * difference) * weight[i];
    if (size > largest) largest = size, dominant_ = static_cast<int>(i);
    sum += size * size, ++tested;
  }
  error_ = tested > 0 ? std::sqrt(sum / tested) : 0.0;
  edge_ = distance > 0 ? h_ * std::sqrt(slope / distance) : 0.0;
}

// Both errors are multiples of h^5 times the fifth derivative: 97/120000 for the start (of y' = lambda y, from the stability
// functions of its two formulas), 19/720 for Adams of order 4 (gamma_3 - gamma_4).
double AdamsStart::next_step() const {
  constexpr double ratio = 97. / 120000 / (19. / 720), aim = 0.25;
  return h_ * std::min(2.0, std::pow(aim * ratio / std::max(error_, 1e-12), 0.2));
}

double AdamsStart::wanted() const { return h_ * std::clamp(0.8 * std::pow(std::max(error_, 1e-12), -0.2), 0.2, 5.0); }

// ---- slopes inside

AdamsStart::Quartic AdamsStart::quartic(std::size_t i) const {
  const double change = y_end_[i] - y_begin_[i], begin = h_ * k_[0][i] - change;
  double last = 0;
  for (std::size_t j = 0; j < stages; ++j) last += d[j] * k_[j][i];
  return {change, begin, change - h_ * k_[6][i] - begin, h_ * last};
}

void AdamsStart::fill(double distance, std::vector<double>* difference) const {
  for (std::size_t i = 0; i < y_end_.size(); ++i) {
    const Quartic q = quartic(i);
    const auto at = [&](int steps) {
      const double x = 1 - steps * distance / h_, u = x * (1 - x), du = 1 - 2 * x;
      return (q.change + q.begin * du + q.end * (u + x * du) + q.last * 2 * u * du) / h_;
    };
    const double f0 = k_[6][i], f1 = at(1), f2 = at(2), f3 = at(3);
    difference[1][i] = f0;
    difference[2][i] = f0 - f1;
    difference[3][i] = f0 - 2 * f1 + f2;
    difference[4][i] = f0 - 3 * f1 + 3 * f2 - f3;
  }
}

// The stages are free once the states are known.
bool AdamsStart::refine(double distance, std::vector<double>* difference, const Tools& tools) {
  if (edge_ > most_amplified) return false;
  std::array<std::vector<double>*, 2> slopes = {&k_[1], &k_[4]};
  for (std::size_t i = 0; i < y_end_.size(); ++i) {
    const Quartic q = quartic(i);
    const auto at = [&](double x) {
      const double u = x * (1 - x);
      return y_begin_[i] + q.change * x + u * (q.begin + q.end * x + q.last * u);
    };
    stage_[i] = at(inner_points[0]), k_[5][i] = at(inner_points[1]);
  }
  const CSpan states[] = {stage_, k_[5]};
  for (std::size_t p = 0; p < 2; ++p) {
    const double t = t_ + inner_points[p] * h_;
    if (checked_rhs(tools.problem, t, states[p], *slopes[p], tools.workspace, tools.cost, tools.blame) != Eval::ok)
      return false;
  }
  for (std::size_t i = 0; i < y_end_.size(); ++i) {
    const Cubic cubic({y_begin_[i], h_ * k_[0][i]}, {y_end_[i], h_ * k_[6][i]});
    const Bend bend(cubic, h_ * (*slopes[0])[i], h_ * (*slopes[1])[i]);
    const auto at = [&](int steps) {
      const double x = 1 - steps * distance / h_;
      return (cubic.slope(x) + bend.slope(x)) / h_;
    };
    const double f0 = k_[6][i], f1 = at(1), f2 = at(2), f3 = at(3), f4 = at(4);
    difference[1][i] = f0;
    difference[2][i] = f0 - f1;
    difference[3][i] = f0 - 2 * f1 + f2;
    difference[4][i] = f0 - 3 * f1 + 3 * f2 - f3;
    difference[5][i] = f0 - 4 * f1 + 6 * f2 - 4 * f3 + f4;
  }
  return true;
}

}  // namespace skyhook::integrator
