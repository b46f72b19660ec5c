#include "skyhook/simulation/thinned_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/math/lanes.h"

namespace skyhook::simulation {
namespace {

constexpr double rate_by_curve =
    4.0 / 27.0;  // by which, times the time between samples, a rate bends the cubic between them
constexpr int widest = 8, shortest_pause = 6, longest_pause = 32;  // in samples
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

void ThinnedSamples::begin(double tolerance, Columns columns) {
  tolerance_ = tolerance, columns_ = std::move(columns);
  const std::size_t checked = columns_.groups.size();
  low_.assign(checked, infinite), high_.assign(checked, -infinite), allowed_.assign(checked, 0.0);
  is_odd_.assign(checked, 0);
  const auto most = std::ranges::max_element(columns_.groups);
  largest_.assign(checked > 0 ? static_cast<std::size_t>(*most) + 1 : 0, 0.0);
  patience_ = shortest_pause;
  row_.resize(columns_.all), rates_.resize(columns_.rates);
  restart();
}

void ThinnedSamples::restart() {
  count_ = first_ = 0;
  spacing_ = 1, left_out_ = 0, pause_ = shortest_pause, failed_ = 0;
}

ThinnedSamples::Sample& ThinnedSamples::add(double t, double stored) {
  forget_old();
  if (count_ == samples_.size()) samples_.emplace_back();
  Sample& sample = samples_[count_++];
  sample.t = t, sample.stored = stored, sample.is_solved = false, sample.off = -1;
  return sample;
}

// Of samples that were given the last nodes are needed.
void ThinnedSamples::forget_old() {
  constexpr std::size_t many = 16;
  std::size_t kept = first_, nodes = 0;
  while (kept > 0 && nodes < order) nodes += samples_[--kept].is_solved ? 1 : 0;
  if (kept < many) return;
  const auto begin = samples_.begin();
  std::rotate(begin, begin + static_cast<std::ptrdiff_t>(kept), begin + static_cast<std::ptrdiff_t>(count_));
  count_ -= kept, first_ -= kept;
}

bool ThinnedSamples::wants_node(bool is_last_in_step) const {
  return spacing_ == 1 || left_out_ + 1 >= spacing_ || is_last_in_step;
}

void ThinnedSamples::take_node(long steps, double energy) {
  const bool is_close = steps - steps_ <= 1;
  const bool was_thinning = spacing_ > 1 || first_ + 1 < count_;
  samples_[count_ - 1].is_solved = true;
  learn(samples_[count_ - 1].row, energy);
  steps_ = steps, left_out_ = 0;
  if (was_thinning) return;
  first_ = count_;
  if (!is_close) pause_ = shortest_pause;
  if (--pause_ <= 0 && count_ >= order) spacing_ = 2;
}

// Of numbers that hardly move beside others of their group the last digits are noise. Most stay within what they have been.
void ThinnedSamples::learn(const std::vector<double>& row, double energy) {
  constexpr double of_group = 0.1;
  const std::size_t n = columns_.groups.size();
  bool is_wider = false;
  const auto widen = [&](std::size_t c) {
    if (row[c] >= low_[c] && row[c] <= high_[c]) return;  // else it may be no number
    low_[c] = row[c] < low_[c] ? row[c] : low_[c];
    high_[c] = row[c] > high_[c] ? row[c] : high_[c];
    double& largest = largest_[static_cast<std::size_t>(columns_.groups[c])];
    largest = std::max({largest, high_[c], -low_[c]});
    is_odd_[c] |= !std::isfinite(row[c]);
    is_wider = true;
  };
  std::size_t next = 0;
  for (; next + Lanes::count <= n; next += Lanes::count) {
    const Lanes x = Lanes::load(&row[next]);
    if (all((x >= Lanes::load(&low_[next])) & (x <= Lanes::load(&high_[next])))) continue;
    for (std::size_t c = next; c < next + Lanes::count; ++c) widen(c);
  }
  for (; next < n; ++next) widen(next);
  if (columns_.energies >= 0) {
    double& largest = largest_[static_cast<std::size_t>(columns_.energies)];
    largest = std::max(largest, energy / of_group);
  }
  for (std::size_t c = 0; c < n; ++c) {
    if (!is_wider && columns_.groups[c] != columns_.energies) continue;
    const double share = of_group * largest_[static_cast<std::size_t>(columns_.groups[c])];
    allowed_[c] = tolerance_ * std::max({high_[c] - low_[c], share, columns_.least});
  }
  for (std::size_t c = 0; is_wider && c < columns_.states && columns_.step > 0; ++c)
    allowed_[columns_.states + c] =
        std::max(allowed_[columns_.states + c], allowed_[c] / (rate_by_curve * columns_.step));
}

// ---- what is decided

std::size_t ThinnedSamples::node_before(std::size_t k) const {
  while (!samples_[--k].is_solved) {}
  return k;
}

std::size_t ThinnedSamples::node_behind(std::size_t k) const {
  while (k < count_ && !samples_[k].is_solved) ++k;
  return k;
}

// As many as a curve has on one side.
bool ThinnedSamples::has_nodes_behind(std::size_t k) const {
  std::size_t nodes = 0;
  for (; k < count_ && nodes < order / 2; ++k) nodes += samples_[k].is_solved ? 1 : 0;
  return nodes == order / 2;
}

bool ThinnedSamples::settle(const Solve& solve, const Give& give, bool all) {
  while (is_pending() && (all || spacing_ == 1 || has_nodes_behind(first_))) {
    std::size_t to = node_behind(first_);
    if (to == count_ && !solve_one(--to, solve)) return false;
    if (!settle_interval(node_before(first_), to, solve)) return false;
    give_until(to, give);
  }
  return true;
}

bool ThinnedSamples::settle_interval(std::size_t from, std::size_t to, const Solve& solve) {
  const double off = std::max(look_at(from), look_at(to));
  if (to - from < 2) return true;
  const bool is_foretold = off <= 1 && is_near_states(from, to);
  adapt(is_foretold, off);
  return is_foretold || refine(from, to, solve);
}

bool ThinnedSamples::refine(std::size_t from, std::size_t to, const Solve& solve) {
  if (to - from < 2) return true;
  const std::size_t middle = from + (to - from) / 2;
  if (!solve_one(middle, solve)) return false;
  if (look_at(middle) <= 1 && is_near_states(from, to)) return true;
  return refine(from, middle, solve) && refine(middle, to, solve);
}

bool ThinnedSamples::solve_one(std::size_t k, const Solve& solve) {
  Curve curve = around(k, Itself::without);
  weigh(curve, samples_[k].t);
  follow(curve, 0, row_, false);
  return samples_[k].is_solved = solve(samples_[k], row_);
}

// A wide interval that was not foretold costs nothing but looks: its halves serve.
void ThinnedSamples::adapt(bool was_foretold, double off) {
  constexpr double much_less = 0.1;
  constexpr int times = 3;
  if (spacing_ == 1) return;
  if (was_foretold) {
    failed_ = 0, patience_ = shortest_pause;
    if (off <= much_less && spacing_ < widest) spacing_ *= 2;
    return;
  }
  if (spacing_ > 2) return void(spacing_ /= 2);
  if (++failed_ < times) return;
  spacing_ = 1, failed_ = 0, pause_ = patience_, patience_ = std::min(2 * patience_, longest_pause);
}

double ThinnedSamples::look_at(std::size_t k) {
  Sample& sample = samples_[k];
  if (sample.off >= 0) return sample.off;
  Curve curve = around(k, Itself::without);
  if (curve.count < fewest) return infinite;
  weigh(curve, sample.t);
  const std::size_t n = columns_.groups.size();
  follow(curve, 0, std::span(row_).first(n), false);
  double worst = 0;
  for (std::size_t c = 0; c < n; ++c) {
    const double off = std::abs(row_[c] - sample.row[c]) / allowed_[c];
    worst = off > worst ? off : worst;
    if (is_odd_[c] == 0) continue;
    for (const double* node : curve.row)
      worst = std::isfinite(node[c]) == std::isfinite(sample.row[c]) ? worst : infinite;
  }
  return sample.off = worst;
}

// Roughly: between steps an integrator knows its states to several tolerances.
bool ThinnedSamples::is_near_states(std::size_t from, std::size_t to) {
  constexpr double several = 10;
  for (std::size_t k = from + 1; k < to; ++k) {
    const Sample& sample = samples_[k];
    if (sample.is_solved) continue;
    Curve curve = around(k, Itself::without);
    if (curve.count < fewest) return false;
    weigh(curve, sample.t);
    follow(curve, 0, std::span(row_).first(columns_.states), false);
    for (std::size_t c = 0; c < columns_.states; ++c) {
      const double state = c < sample.q.size() ? sample.q[c] : sample.v[c - sample.q.size()];
      const double most = several * std::max(allowed_[c], tolerance_ * (1 + std::abs(state)));
      if (!(std::abs(row_[c] - state) <= most)) return false;
    }
  }
  return true;
}

void ThinnedSamples::give_until(std::size_t last, const Give& give) {
  for (; first_ <= last; ++first_) {
    const Sample& sample = samples_[first_];
    Curve curve = around(first_, sample.is_solved ? Itself::with : Itself::without);
    if (!sample.is_solved) {
      weigh(curve, sample.t);
      follow(curve, 0, row_, false);
      ++taken_;
    }
    weigh_rates(curve, sample.t);
    follow(curve, columns_.rated, rates_, true);
    give(sample, sample.is_solved ? CSpan(sample.row) : CSpan(row_), rates_);
  }
}

// ---- curves

// Three nodes on each side; where one side has less, more of the other.
ThinnedSamples::Curve ThinnedSamples::around(std::size_t k, Itself itself) const {
  Curve curve;
  const auto add = [&](std::size_t node) {
    curve.row[curve.count] = samples_[node].row.data(), curve.t[curve.count++] = samples_[node].t;
  };
  std::array<std::size_t, order> before{}, behind{};
  std::size_t befores = 0, behinds = 0;
  for (std::size_t i = k; i > 0 && befores < order; --i) {
    if (samples_[i - 1].is_solved) before[befores++] = i - 1;
  }
  for (std::size_t i = k + 1; i < count_ && behinds < order; ++i) {
    if (samples_[i].is_solved) behind[behinds++] = i;
  }
  if (itself == Itself::with) add(k);
  for (std::size_t i = 0; i < order; ++i) {
    if (i < befores && curve.count < order) add(before[i]);
    if (i < behinds && curve.count < order) add(behind[i]);
  }
  for (std::size_t i = curve.count; i < order && curve.count > 0; ++i) curve.row[i] = curve.row[0];
  return curve;
}

// Lagrange's.
void ThinnedSamples::weigh(Curve& curve, double t) {
  for (std::size_t i = 0; i < curve.count; ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < curve.count; ++j) {
      if (j != i) weight *= (t - curve.t[j]) / (curve.t[i] - curve.t[j]);
    }
    curve.weight[i] = weight;
  }
}

void ThinnedSamples::weigh_rates(Curve& curve, double t) {
  for (std::size_t i = 0; i < curve.count; ++i) {
    double sum = 0;
    for (std::size_t m = 0; m < curve.count; ++m) {
      if (m == i) continue;
      double product = 1 / (curve.t[i] - curve.t[m]);
      for (std::size_t j = 0; j < curve.count; ++j) {
        if (j != i && j != m) product *= (t - curve.t[j]) / (curve.t[i] - curve.t[j]);
      }
      sum += product;
    }
    curve.weight[i] = sum;
  }
}

// The weights add up to 1, or those of rates to 0: what stands still stays as it is, to the last digit.
void ThinnedSamples::follow(const Curve& curve, std::size_t from, std::span<double> out, bool as_rates) {
  const double *const a = curve.row[0] + from, *const b = curve.row[1] + from, *const c = curve.row[2] + from;
  const double *const d = curve.row[3] + from, *const e = curve.row[4] + from, *const f = curve.row[5] + from;
  const auto [unused, wb, wc, wd, we, wf] = curve.weight;
  const double kept = as_rates ? 0 : 1;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double base = a[k];
    out[k] = kept * base + wb * (b[k] - base) + wc * (c[k] - base) + wd * (d[k] - base) + we * (e[k] - base) +
             wf * (f[k] - base);
  }
}

}  // namespace skyhook::simulation
