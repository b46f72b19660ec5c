#include "skyhook/analysis/filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "skyhook/base/error.h"
#include "skyhook/math/dense.h"

namespace skyhook::analysis {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr int powers = 4;  // of a cubic

Section low_pass(double f, double q) {
  const double w = turn * f;
  return {{1, 0, 0}, {1, 1 / (q * w), 1 / (w * w)}};
}
Section high_pass(double f, double q) {
  const double w = turn * f;
  return {{0, 0, 1}, {w * w, w / q, 1}};
}

// x' = A x + B u, y = C x + D u of all sections in series. Each has the states w^2/(s^2 + c s + w^2) u and s/w times that, which are of the
// size of its input, so that orders far beyond those of one polynomial do no harm.
struct StateSpace {
  DenseMatrix a;
  Vector b, c;
  double d = 1;
};

StateSpace state_space(const Filter& filter) {
  int n = 0;
  for (const Section& s : filter.sections) n += s.a[2] != 0 ? 2 : 1;
  StateSpace out{DenseMatrix(n, n), Vector(n, 0.0), Vector(n, 0.0), 1};
  int k = 0;
  for (const Section& s : filter.sections) {
    const bool second = s.a[2] != 0;
    const int last = second ? k + 1 : k;  // the state that the input drives
    const double w = second ? std::sqrt(s.a[0] / s.a[2]) : s.a[0] / s.a[1], c = second ? s.a[1] / s.a[2] : w;
    for (int j = 0; j < k; ++j) out.a(last, j) = w * out.c[j];
    out.b[last] = w * out.d;
    out.a(last, last) = -c;
    if (second) out.a(k, k + 1) = w, out.a(k + 1, k) = -w;
    const double direct = second ? s.b[2] / s.a[2] : s.b[1] / s.a[1], steady = s.b[0] / s.a[0];
    for (int j = 0; j < k; ++j) out.c[j] *= direct;
    out.c[k] = steady - direct;
    if (second) out.c[k + 1] = (s.b[1] / s.a[2] - direct * c) / w;
    out.d *= direct;
    k = last + 1;
  }
  return out;
}

// Under a constant input.
Vector steady_state(const Filter& filter, double u) {
  Vector x;
  for (const Section& s : filter.sections) {
    x.push_back(u);
    if (s.a[2] != 0) x.push_back(0);
    u *= s.b[0] / s.a[0];
  }
  return x;
}

// By its series at a small fraction of the matrix, and squaring.
DenseMatrix exponential(DenseMatrix m) {
  const int n = m.rows;
  double size = 0;
  for (int i = 0; i < n; ++i) {
    double row = 0;
    for (int j = 0; j < n; ++j) row += std::abs(m(i, j));
    size = std::max(size, row);
  }
  const int halvings = std::max(0, static_cast<int>(std::ceil(std::log2(size + 1e-300))) + 1);
  for (double& v : m.value) v = std::ldexp(v, -halvings);
  DenseMatrix sum(n, n), term(n, n);
  for (int i = 0; i < n; ++i) sum(i, i) = term(i, i) = 1;
  for (int k = 1; k <= 16; ++k) {  // 0.5^16/16! is below rounding
    term = term * m;
    for (double& v : term.value) v /= k;
    for (std::size_t i = 0; i < sum.value.size(); ++i) sum.value[i] += term.value[i];
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

// One step of length h, the input as powers of the part of the step.
class Step {
 public:
  explicit Step(const StateSpace& system) : system_(system) {}

  void advance(double h, const std::array<double, powers>& u, Vector& x) {
    if (h != h_) make(h);
    const auto n = static_cast<int>(x.size());
    next_.assign(x.size(), 0.0);
    const double derivatives[powers] = {u[0], u[1], 2 * u[2], 6 * u[3]};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) next_[i] += step_(i, j) * x[j];
      for (int j = 0; j < powers; ++j) next_[i] += step_(i, n + j) * derivatives[j];
    }
    x.swap(next_);
  }

 private:
  void make(double h) {
    const int n = system_.a.rows;
    DenseMatrix m(n + powers, n + powers);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) m(i, j) = h * system_.a(i, j);
      m(i, n) = h * system_.b[i];
    }
    for (int j = 0; j + 1 < powers; ++j) m(n + j, n + j + 1) = 1;
    step_ = exponential(std::move(m)), h_ = h;
  }

  const StateSpace& system_;
  double h_ = -1;
  DenseMatrix step_;
  Vector next_;
};

// Steps that differ by rounding alone are one.
double rounded(double h, double last) { return std::abs(h - last) < 1e-9 * h ? last : h; }

double read(const Vector& c, const Vector& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += c[i] * x[i];
  return sum;
}

Signal run(const Filter& filter, const Signal& u) {
  const StateSpace system = state_space(filter);
  Step step(system);
  Vector x = steady_state(filter, u.y.front());
  Signal out = u.like(u.name, u.unit);
  double last = -1;
  for (std::size_t k = 0; k < u.x.size(); ++k) {
    if (k > 0 && u.x[k] > u.x[k - 1]) {
      last = rounded(u.x[k] - u.x[k - 1], last);
      step.advance(last, hermite_powers(u.node(k - 1), u.node(k)), x);
    }
    Vector rate = system.a * x;
    for (std::size_t i = 0; i < rate.size(); ++i) rate[i] += system.b[i] * u.y[k];
    out.y.push_back(read(system.c, x) + system.d * u.y[k]);
    out.rate.push_back(read(system.c, rate) + (system.d == 0 ? 0.0 : system.d * u.node(k).v));
  }
  return out;
}

Signal reversed(const Signal& s) {
  Signal out = s;
  std::ranges::reverse(out.x), std::ranges::reverse(out.y), std::ranges::reverse(out.rate);
  for (double& x : out.x) x = -x;
  for (double& v : out.rate) v = -v;
  return out;
}

// (n0 + n1 z + n2 z^2)/(1 + c1 z + c2 z^2 + c3 z^3) with z = s/(2 pi), as a section of second and one of first order. The cubic has one real root -r,
// between 0 and all coefficients being positive; it is found by halving.
void append_over_cubic(double c1, double c2, double c3, const std::array<double, 3>& n, Filter& out) {
  double low = 0, high = c2 / c3;  // at -c2/c3 the cubic is 1 - c1 c2/c3, below 0 for those that are damped
  for (int k = 0; k < 200; ++k) {
    const double r = 0.5 * (low + high);
    (1 - c1 * r + c2 * r * r - c3 * r * r * r > 0 ? low : high) = r;
  }
  const double r = 0.5 * (low + high), a2 = c3 * r, a1 = c1 - 1 / r;  // (1 + z/r)(1 + a1 z + a2 z^2)
  out.sections.push_back({{n[0], n[1] / turn, n[2] / (turn * turn)}, {1, a1 / turn, a2 / (turn * turn)}});
  out.sections.push_back({{1, 0, 0}, {1, 1 / (r * turn), 0}});
}

// Constants of ISO 2631-1 (1997), table A.1 and A.2, and of Wb in EN 12299; 0: the factor is absent.
struct Weighting {
  const char* name;
  double f1, f2, f3, f4, q4, f5, q5, f6, q6, k;
};
constexpr Weighting weightings[] = {
    {"Wk", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 0},
    {"Wd", 0.4, 100, 2.0, 2.0, 0.63, 0, 0, 0, 0, 0},
    {"Wc", 0.4, 100, 8.0, 8.0, 0.63, 0, 0, 0, 0, 0},
    {"We", 0.4, 100, 1.0, 1.0, 0.63, 0, 0, 0, 0, 0},
    {"Wj", 0.4, 100, 0, 0, 0, 3.75, 0.91, 5.32, 0.91, 0},
    {"Wf", 0.08, 0.63, 0, 0.25, 0.86, 0.0625, 0.80, 0.1, 0.80, 0},
    {"Wb", 0.4, 100, 16.0, 16.0, 0.55, 2.5, 0.90, 4.0, 0.95, 0.4},
};

}  // namespace

std::complex<double> response(const Filter& filter, double frequency) {
  const std::complex<double> s(0, turn * frequency);
  std::complex<double> h = 1;
  for (const Section& section : filter.sections)
    h *=
        (section.b[0] + s * (section.b[1] + s * section.b[2])) / (section.a[0] + s * (section.a[1] + s * section.a[2]));
  return h;
}

const std::vector<std::string>& weighting_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Weighting& w : weightings) out.emplace_back(w.name);
    return out;
  }();
  return names;
}

Filter weighting(const std::string& name) {
  const auto* const w = std::ranges::find(weightings, name, &Weighting::name);
  if (w == std::end(weightings))
    throw ModelError({}, "there is no weighting \"" + name + "\".", suggest(name, weighting_names(), "Weightings"));
  const double butterworth_q = std::numbers::sqrt2 / 2;
  Filter out{name, {high_pass(w->f1, butterworth_q), low_pass(w->f2, butterworth_q)}};
  if (w->f4 > 0) {
    Section transition = low_pass(w->f4, w->q4);
    if (w->f3 > 0) transition.b[1] = 1 / (turn * w->f3);
    out.sections.push_back(transition);
  }
  if (w->f5 > 0) {
    const Section zeros = low_pass(w->f5, w->q5), poles = low_pass(w->f6, w->q6);
    const double k = w->k > 0 ? w->k : w->f5 * w->f5 / (w->f6 * w->f6);
    out.sections.push_back({{k * zeros.a[0], k * zeros.a[1], k * zeros.a[2]}, {poles.a[0], poles.a[1], poles.a[2]}});
  }
  return out;
}

// The squares under the roots of B are squares of sizes of polynomials of z = i f: 1.911 f^2 + (0.25 f^2)^2 = |1.911^(1/2) z + 0.25 z^2|^2, and so on.
Filter sperling(SperlingIndex index) {
  Filter out{"sperling", {}};
  if (index == SperlingIndex::ride) {
    const double c = std::sqrt(3.55);
    append_over_cubic(1.547, 0.252, 0.00444, {1.14, 1.14 * 0.645, 1.14 * 0.056}, out);
    out.sections.push_back({{0, c / turn, 0}, {1, c / turn, 0}});
  } else {
    const double k = index == SperlingIndex::vertical ? 0.588 : 0.737;
    append_over_cubic(1.563, 0.277, 0.0368, {0, k * std::sqrt(1.911), k * 0.25}, out);
  }
  return out;
}

Filter butterworth(int order, Pass pass, double first, double second) {
  if (pass == Pass::band)
    return in_series(butterworth(order, Pass::high, first), butterworth(order, Pass::low, second));
  Filter out{"butterworth", {}};
  const double w = turn * first;
  for (int k = 1; k <= order / 2; ++k) {
    const double q = 1 / (2 * std::sin((2 * k - 1) * std::numbers::pi / (2 * order)));
    out.sections.push_back(pass == Pass::low ? low_pass(first, q) : high_pass(first, q));
  }
  if (order % 2 == 1) {
    if (pass == Pass::low)
      out.sections.push_back({{1, 0, 0}, {1, 1 / w, 0}});
    else
      out.sections.push_back({{0, 1, 0}, {w, 1, 0}});
  }
  return out;
}

Filter in_series(const Filter& a, const Filter& b) {
  Filter out = a;
  out.sections.insert(out.sections.end(), b.sections.begin(), b.sections.end());
  return out;
}

Signal filtered(const Filter& filter, const Signal& signal, Direction direction) {
  if (signal.y.empty() || signal.is_number()) return signal;
  const Signal forward = run(filter, signal);
  return direction == Direction::forward ? forward : reversed(run(filter, reversed(forward)));
}

}  // namespace skyhook::analysis
