#include "skyhook/analysis/limit_cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace skyhook::analysis {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr int smaller_starts = 3;
constexpr double renewed_below =
    0.02;  // of the arclength: shorter steps that fail are tried with a matrix of their own

// A direction or a difference of unknowns, as it stands.
struct Tangent3 {
  Vector x;
  double T = 0, p = 0;
};

// The unknowns in scales.
Vector scaled(const Tangent3& t, const CycleScales& s) {
  Vector out(t.x.size() + 2);
  for (std::size_t i = 0; i < t.x.size(); ++i) out[i] = t.x[i] / s.x[i];
  out[t.x.size()] = t.T / s.T, out[t.x.size() + 1] = t.p / s.p;
  return out;
}
Tangent3 unscaled(const Vector& z, const CycleScales& s) {
  Tangent3 out{Vector(s.x.size()), 0, 0};
  for (std::size_t i = 0; i < s.x.size(); ++i) out.x[i] = z[i] * s.x[i];
  out.T = z[s.x.size()] * s.T, out.p = z[s.x.size() + 1] * s.p;
  return out;
}
Tangent3 opposite(Tangent3 t) {
  for (double& x : t.x) x = -x;
  t.T = -t.T, t.p = -t.p;
  return t;
}
double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
CyclePoint moved(const CyclePoint& from, const Tangent3& along, double s) {
  CyclePoint out = from;
  for (std::size_t i = 0; i < out.x.size(); ++i) out.x[i] += s * along.x[i];
  out.T += s * along.T, out.p += s * along.p;
  return out;
}

// A cycle with all that the next one is predicted from.
struct Stand3 {
  CyclePoint at;
  Passage passage;
  CycleScales scales;
  ShootingMatrix matrix;
  Tangent3 tangent;
};

class Follower {
 public:
  Follower(const FlowMap& flow, const ContinuationOptions& options)
      : shooting_(flow), o_(options), enough_(std::max(options.residual, 1e3 * flow.tolerance())) {}

  CycleBranch follow(const SettledCycle& start) {
    out_.start = "a run";
    if (!begin(start))
      return is_stopped() ? finish(interrupted, false)
                          : finish("no cycle is found where the run has settled: " + problem_, false);
    const Stand3 middle = here_;
    take(here_);
    const End down = go();
    std::ranges::reverse(out_.cycles);
    here_ = middle;
    here_.tangent = opposite(here_.tangent);
    const End up = go();
    out_.is_whole = down.is_whole && up.is_whole;
    return finish(fmt::format("on one side {}, on the other {}", down.why, up.why), down.is_complete && up.is_complete);
  }

  CycleBranch follow(const HopfPoint& start) {
    out_.start = "the linear critical value", out_.from_onset = true;
    // Where wheels touch at other places for a little more the first cycle must be small.
    bool has_begun = begin(start);
    for (int k = 0; !has_begun && k < smaller_starts && !is_stopped(); ++k) {
      HopfPoint smaller = start;
      smaller.size *= std::pow(0.2, k + 1);
      has_begun = begin(smaller);
    }
    if (!has_begun)
      return is_stopped() ? finish(interrupted, false)
                          : finish("no cycle is found beside the equilibrium: " + problem_, false);
    take(here_);
    const End end = go();
    out_.is_whole = end.is_whole;
    return finish(end.why, end.is_complete);
  }

 private:
  struct End {
    std::string why;
    bool is_complete = true, is_whole = true;
  };

  static constexpr const char* interrupted = "it was interrupted";
  bool is_stopped() const { return o_.should_stop && o_.should_stop(); }

  // From here on along the tangent.
  End go() {
    constexpr double shortest = 1e-4;
    double step = std::min(0.1, o_.step);
    const auto most = static_cast<int>(out_.cycles.size()) + o_.most_points - 1;
    const double first = out_.cycles.back().amplitude();
    double largest = first;
    while (true) {
      if (is_stopped()) return {interrupted, false};
      if (std::string why = beyond(out_.cycles.back()); !why.empty()) return {std::move(why)};
      if (static_cast<int>(out_.cycles.size()) >= most)
        return {"there are as many cycles as were asked for", true, false};
      largest = std::max(largest, out_.cycles.back().amplitude());
      if (out_.cycles.back().amplitude() < 0.1 * std::min(first, 0.1 * largest))
        return {"the cycles shrink to nothing: rest begins to swing there too"};
      std::optional<Stand3> next = advance(step);
      if (!next) {
        step *= 0.5;
        if (step < shortest) return {"the next cycle is not found: " + problem_, false};
        continue;
      }
      if (turns_back(here_, *next)) find_fold(step, *next);
      here_ = std::move(*next);
      take(here_);
      step = std::min(o_.step, step * (iterations_ <= 4 ? 1.5 : iterations_ <= 6 ? 1.0 : 0.7));
    }
  }

  std::string beyond(const LimitCycle& c) const {
    if (c.parameter < o_.low || c.parameter > o_.high) return "the parameter leaves its range";
    if (o_.largest_amplitude > 0 && c.amplitude() > o_.largest_amplitude)
      return "the amplitude is as large as was asked for";
    return "";
  }

  CycleBranch finish(const std::string& why, bool is_complete) {
    out_.end = why, out_.is_complete = is_complete, out_.runs = shooting_.runs(), out_.unit = here_.passage.unit;
    return std::move(out_);
  }

  LimitCycle cycle_of(const Stand3& s) const {
    LimitCycle out{.parameter = s.at.p, .period = s.at.T};
    std::tie(out.low, out.high) = range_of(s.passage.output);
    Multipliers multipliers = multipliers_of(s.matrix, s.passage.rate, s.scales);
    out.x = s.at.x, out.multipliers = std::move(multipliers.values), out.own = multipliers.own;
    out.is_stable = std::ranges::all_of(out.multipliers, [](const Complex& m) { return std::abs(m) < 1; });
    return out;
  }

  void take(const Stand3& s, bool is_fold = false) {
    out_.cycles.push_back(cycle_of(s));
    out_.cycles.back().is_fold = is_fold;
    if (o_.found) o_.found(out_.cycles.back());
  }

  // The matrix of (20.2) and (20.4) in scales: gap, section, arclength.
  DenseMatrix system(const ShootingMatrix& m, const Vector& section, const Vector& along, const CycleScales& s) const {
    const int n = shooting_.size();
    DenseMatrix out(n + 2, n + 2);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) out(i, j) = (m.end(i, j) - m.start(i, j)) * s.x[j] / s.x[i];
      out(i, n) = m.by_T[i] * s.T / s.x[i], out(i, n + 1) = m.by_p[i] * s.p / s.x[i];
    }
    for (int j = 0; j < n; ++j) out(n, j) = section[j];
    for (int j = 0; j < n + 2; ++j) out(n + 1, j) = along[j];
    return out;
  }

  // Normal of the section in scales: along the flow.
  static Vector section_of(const Vector& rate, const CycleScales& s) {
    Vector out(rate.size());
    for (std::size_t i = 0; i < rate.size(); ++i) out[i] = rate[i] / s.x[i];
    const double size = std::sqrt(dot(out, out));
    for (double& x : out) x /= size;
    return out;
  }

  // The direction of the branch, of length 1 in scales, on the same side as `before`.
  Tangent3 tangent_at(const Stand3& at, const Tangent3& before) const {
    const Vector along = scaled(before, at.scales);
    Vector right(along.size());
    right.back() = 1;
    Vector t =
        LeastNorm(system(at.matrix, section_of(at.passage.rate, at.scales), along, at.scales), 1e-14).solve(right);
    const double size = std::sqrt(dot(t, t));
    for (double& x : t) x /= size;
    return unscaled(t, at.scales);
  }

  // From a cycle of which all but the matrix is known.
  bool complete(Stand3& s, const Tangent3& before, double p_scale) {
    s.scales = shooting_.scales_of(s.passage, s.at.T, p_scale);
    problem_.clear();
    s.matrix = shooting_.matrix(s.at, s.passage, s.scales, problem_);
    if (!problem_.empty()) return false;
    s.tangent = tangent_at(s, before);
    return true;
  }

  // Newton's method with Broyden's updates: beside `from`, in the plane that is normal to the tangent at the predicted point.
  bool correct(const CyclePoint& predicted, const CyclePoint& reference, const Vector& rate,
               const ShootingMatrix& matrix, const Tangent3& tangent, const CycleScales& s, CyclePoint& at,
               Passage& passage) {
    const Vector along = scaled(tangent, s), section = section_of(rate, s);
    DenseMatrix B = system(matrix, section, along, s);
    at = predicted;
    Vector r, step;
    double last = 0;
    for (iterations_ = 1; iterations_ <= 12; ++iterations_) {
      passage = shooting_.run(at, s);
      if (!passage.problem.empty()) return problem_ = passage.problem, false;
      const Vector r_new = residual(at, predicted, reference, passage, section, along, s);
      const double size = std::sqrt(dot(r_new, r_new));
      if (size < enough_) return true;
      if (!std::isfinite(size) || (iterations_ > 1 && size > 2 * last && size > 10 * enough_) || size > 1e3)
        return problem_ = "Newton's method does not converge.", false;
      if (iterations_ > 1) update(B, r, r_new, step);
      r = r_new, last = size;
      step = LeastNorm(B, 1e-14).solve(r);
      for (double& x : step) x = -x;
      at = moved(at, unscaled(step, s), 1);
      if (!(at.T > 0.3 * predicted.T && at.T < 3 * predicted.T)) return problem_ = "the period runs away.", false;
    }
    return problem_ = "Newton's method converges too slowly.", false;
  }

  Vector residual(const CyclePoint& at, const CyclePoint& predicted, const CyclePoint& reference,
                  const Passage& passage, const Vector& section, const Vector& along, const CycleScales& s) const {
    Vector r = gap_of(passage);
    const Vector d = scaled(difference(at, predicted), s), from = scaled(difference(at, reference), s);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] /= s.x[i];
    double on_section = 0;
    for (std::size_t i = 0; i < section.size(); ++i) on_section += section[i] * from[i];
    r.push_back(on_section), r.push_back(dot(along, d));
    return r;
  }
  static Tangent3 difference(const CyclePoint& a, const CyclePoint& b) {
    Tangent3 out{a.x, a.T - b.T, a.p - b.p};
    for (std::size_t i = 0; i < out.x.size(); ++i) out.x[i] -= b.x[i];
    return out;
  }
  // Broyden: B step = r_new - r afterwards.
  static void update(DenseMatrix& B, const Vector& r, const Vector& r_new, const Vector& step) {
    const Vector Bs = B * step;
    const double size = dot(step, step);
    for (int j = 0; j < B.cols; ++j) {
      for (int i = 0; i < B.rows; ++i) B(i, j) += (r_new[i] - r[i] - Bs[i]) * step[j] / size;
    }
  }

  bool begin(const HopfPoint& h) {
    Tangent3 along;
    Vector rate;
    const double w = two_pi * h.frequency, p_scale = 0.25 * (o_.high - o_.low);
    problem_.clear();
    for (const Complex& m : h.mode) along.x.push_back(h.size * m.real()), rate.push_back(-w * h.size * m.imag());
    const CyclePoint predicted{along.x, 1 / h.frequency, h.parameter};
    CycleScales s{
        .x = Vector(along.x.size(), h.size), .most = {h.size, h.size, h.size}, .T = predicted.T, .p = p_scale};
    Passage passage = shooting_.run(predicted, s);
    if (!passage.problem.empty()) return problem_ = passage.problem, false;
    s = shooting_.scales_of(passage, predicted.T, p_scale);
    const ShootingMatrix matrix = shooting_.matrix(predicted, passage, s, problem_);
    if (!problem_.empty()) return false;
    const double size = std::sqrt(dot(scaled(along, s), scaled(along, s)));
    for (double& x : along.x) x /= size;
    if (!correct(predicted, predicted, rate, matrix, along, s, here_.at, here_.passage)) return false;
    return complete(here_, along, p_scale);
  }

  // At the parameter of the run. A matrix of where it was found is enough: it is a cycle but for what has not died away.
  bool begin(const SettledCycle& start) {
    const std::size_t n = start.x.size();
    const CyclePoint predicted{start.x, start.period, start.parameter};
    CycleScales s{.x = Vector(n, 1.0),
                  .most = {start.amplitude, start.amplitude, start.amplitude},
                  .T = predicted.T,
                  .p = 0.25 * (o_.high - o_.low)};
    Passage passage = shooting_.run(predicted, s);
    if (!passage.problem.empty()) return problem_ = passage.problem, false;
    s = shooting_.scales_of(passage, predicted.T, s.p);
    const ShootingMatrix matrix = shooting_.matrix(predicted, passage, s, problem_);
    if (!problem_.empty()) return false;
    const Tangent3 along{Vector(n), 0, -s.p};
    const Vector rate = passage.rate;
    if (!correct(predicted, predicted, rate, matrix, along, s, here_.at, here_.passage)) return false;
    return complete(here_, along, s.p);
  }

  // The cycle `s` further along the arclength.
  std::optional<Stand3> advance(double s) {
    Stand3 next;
    const CyclePoint predicted = moved(here_.at, here_.tangent, s);
    const auto try_with = [&](const ShootingMatrix& matrix) {
      return correct(predicted, here_.at, here_.passage.rate, matrix, here_.tangent, here_.scales, next.at,
                     next.passage);
    };
    if (!try_with(here_.matrix) && !(s < renewed_below && try_with(matrix_at(predicted)))) return {};
    if (!complete(next, here_.tangent, here_.scales.p)) return {};
    return next;
  }

  // Where contacts come and go the matrix of the last cycle may not serve a near one.
  ShootingMatrix matrix_at(const CyclePoint& point) {
    const Passage passage = shooting_.run(point, here_.scales);
    if (!passage.problem.empty()) return here_.matrix;
    std::string problem;
    ShootingMatrix out = shooting_.matrix(point, passage, here_.scales, problem);
    return problem.empty() ? out : here_.matrix;
  }

  // Beside an onset branches are upright: there the sign is that of rounding.
  static bool turns_back(const Stand3& a, const Stand3& b) {
    constexpr double upright = 1e-4;
    return a.tangent.p * b.tangent.p < 0 &&
           std::max(std::abs(a.tangent.p) / a.scales.p, std::abs(b.tangent.p) / b.scales.p) > upright;
  }

  // Where the parameter stands still between here and a cycle `step` further: by the rule of false position, halved where it stays on a side. There the
  // parameter changes with the square of the arclength, so a thousandth of the step is enough for six digits.
  void find_fold(double step, const Stand3& beyond_it) {
    double a = 0, b = step, fa = here_.tangent.p, fb = beyond_it.tangent.p;
    std::optional<Stand3> best;
    bool has_failed = false;
    for (int k = 0; k < 10 && std::abs(b - a) > 1e-3 * step; ++k) {
      const double low = std::min(a, b), high = std::max(a, b);
      const double s =
          has_failed ? 0.5 * (a + b)
                     : std::clamp(b - fb * (b - a) / (fb - fa), low + 0.01 * (high - low), high - 0.01 * (high - low));
      std::optional<Stand3> found = advance(s);
      if (!found && has_failed) break;
      has_failed = !found;
      if (!found) continue;
      const double f = found->tangent.p;
      if (!best || std::abs(f) < std::abs(best->tangent.p)) best = std::move(found);
      if (std::abs(f) < 1e-5 * best->scales.p) break;
      if (f * fb < 0)
        a = b, fa = fb;
      else
        fa *= 0.5;
      b = s, fb = f;
      if (a > b) std::swap(a, b), std::swap(fa, fb);
    }
    if (best && !is_stopped()) take(*best, true);
  }

  Shooting shooting_;
  const ContinuationOptions& o_;
  double enough_;  // residual of a cycle, in scales: what the tolerance of runs leaves of it
  CycleBranch out_;
  Stand3 here_;
  std::string problem_;
  int iterations_ = 0;
};

}  // namespace

CycleBranch follow_cycles(const FlowMap& flow, const HopfPoint& start, const ContinuationOptions& options) {
  return Follower(flow, options).follow(start);
}

CycleBranch follow_cycles(const FlowMap& flow, const SettledCycle& start, const ContinuationOptions& options) {
  return Follower(flow, options).follow(start);
}

}  // namespace skyhook::analysis
