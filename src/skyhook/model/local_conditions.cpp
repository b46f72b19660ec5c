#include "skyhook/model/local_conditions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "skyhook/math/small_solve.h"

namespace skyhook::model {
namespace {

constexpr int most_s = most_contact_variables;
using Variables = std::array<double, most_s>;

// What the law is evaluated at: x with p, and s.
template <class T>
struct Seeded {
  Pose<T> x;
  std::array<T, most_s> variables;  // p, then s
  std::span<const T> s;
};

// One more level of derivatives on top of those that x and s have. `out` is zero: duals of duals are large, and little of them is not.
template <class T, class S>
void seed(const Pose<S>& x, Pose<T>& out) {
  out.way = x.way;
  for (int i = 0; i < 3; ++i) {
    out.r[i].v = x.r[i], out.r[i].d[i] = S(1.0);
    const int a = (i + 1) % 3, b = (i + 2) % 3;  // B turned by unit e_i: R -> (1 + [e_i]x) R
    for (int j = 0; j < 3; ++j)
      out.R[i][j].v = x.R[i][j], out.R[b][j].d[3 + i] = x.R[a][j], out.R[a][j].d[3 + i] = -x.R[b][j];
  }
}
template <class T, class S>
void seed(const Pose<S>& x, std::span<const S> s, Seeded<T>& out) {
  seed(x, out.x);
  std::size_t k = 0;
  for (const std::span<const S> list : {x.p, s}) {
    for (const S& value : list) out.variables[k].v = value, out.variables[k].d[6 + k] = S(1.0), ++k;
  }
  const std::span<const T> all = std::span(out.variables).first(k);
  out.x.p = all.first(x.p.size()), out.s = all.subspan(x.p.size());
}

struct FirstOrder {
  std::array<First, most_rows> g;
  std::array<First, most_s> h;
};

FirstOrder first_order(const ContributionLaw& law, const Pose<double>& x, const LocalConditions& at) {
  const auto rows = static_cast<std::size_t>(at.rows), variables = static_cast<std::size_t>(at.variables);
  Seeded<First> seeded;
  FirstOrder out;
  seed<First, double>(x, std::span(at.s).first(variables), seeded);
  law.conditions(seeded.x, seeded.s, std::span(out.g).first(rows), std::span(out.h).first(variables));
  return out;
}

using Square = std::array<double, static_cast<std::size_t>(most_s* most_s)>;

Square h_s(const FirstOrder& f, const LocalConditions& at) {
  const int n = at.variables;
  Square m{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m[i * n + j] = f.h[i].d[at.directions + j];
  }
  return m;
}

Square transposed(const Square& m, int n) {
  Square out{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out[j * n + i] = m[i * n + j];
  }
  return out;
}

double size_of(const FirstOrder& f, int n) {
  double most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, std::isfinite(f.h[i].v) ? std::abs(f.h[i].v) : 1e300);
  return most;
}

double largest_share(const Variables& step, const Variables& of, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(step[i]) / (std::abs(of[i]) + 1.0));
  return largest;
}

// Damped Newton steps until rounding stops them: a tiny step that makes nothing better is not tried in parts. False: it leads nowhere.
bool newton(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out) {
  const int n = out.variables;
  FirstOrder now = first_order(law, x, out);
  double size = size_of(now, n);
  for (int iteration = 0; iteration < 50; ++iteration) {
    Square matrix = h_s(now, out);
    Variables step{};
    for (int i = 0; i < n; ++i) step[i] = -now.h[i].v;
    if (!solve_small(matrix, step, n, 1)) return false;
    bool is_tiny = true;
    for (int i = 0; i < n; ++i) is_tiny = is_tiny && std::abs(step[i]) <= 4e-16 * (std::abs(out.s[i]) + 1e-300);
    if (is_tiny) return true;
    const Variables from = out.s;
    const bool may_be_rounding = largest_share(step, from, n) < 1e-10;
    double damping = 1;
    for (;; damping *= 0.5) {
      for (int i = 0; i < n; ++i) out.s[i] = from[i] + damping * step[i];
      const FirstOrder next = first_order(law, x, out);
      const double next_size = size_of(next, n);
      if (next_size < size) {
        now = next, size = next_size;
        break;
      }
      if (may_be_rounding || damping < 1e-3) {  // no better: rounding, or lost
        out.s = from;
        return may_be_rounding;
      }
    }
    if (size == 0) return true;
  }
  return false;
}

// mu of each row, and ds/dx.
bool eliminate(const FirstOrder& f, LocalConditions& out) {
  const int n = out.variables, directions = out.directions;
  auto& mu = out.mu;
  for (int k = 0; k < n; ++k) {
    out.h[k] = f.h[k].v;
    for (int i = 0; i < directions; ++i) out.h_x[k][i] = f.h[k].d[i];
    for (int i = 0; i < n; ++i) out.h_s[k][i] = f.h[k].d[directions + i];
  }
  const Square matrix = h_s(f, out);
  for (int r = 0; r < out.rows; ++r) {
    Square A = transposed(matrix, n);
    for (int k = 0; k < n; ++k) mu[r][k] = f.g[r].d[directions + k];
    if (!solve_small(A, mu[r], n, 1)) return false;
  }
  std::array<double, static_cast<std::size_t>(most_s * most_directions)> right{};
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < directions; ++i) right[k * directions + i] = -f.h[k].d[i];
  }
  Square A = matrix;
  if (!solve_small(A, right, n, directions)) return false;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < directions; ++i) out.s_of_x[k][i] = right[k * directions + i];
  }
  return true;
}

void take_rows(const FirstOrder& f, LocalConditions& out) {
  for (int r = 0; r < out.rows; ++r) {
    out.g[r] = f.g[r].v;
    for (int i = 0; i < out.directions; ++i) {
      out.G[r][i] = f.g[r].d[i];
      for (int k = 0; k < out.variables; ++k) out.G[r][i] -= out.mu[r][k] * f.h[k].d[i];
    }
  }
}

}  // namespace

void take_contact(const ContributionLaw& law, std::span<const double> s, LocalConditions& out) {
  out.rows = static_cast<int>(law.declared().rows.size());
  out.directions = 6 + static_cast<int>(law.declared().coordinates.size());
  out.variables = static_cast<int>(s.size());
  std::ranges::copy(s, out.s.begin());
}

bool find_contact(const ContributionLaw& law, const Pose<double>& x, std::span<const double> begin,
                  LocalConditions& out) {
  const Declared& declared = law.declared();
  out.rows = static_cast<int>(declared.rows.size());
  out.variables = static_cast<int>(declared.contact_variables.size());
  out.directions = 6 + static_cast<int>(declared.coordinates.size());
  if (out.variables == 0) return true;
  const std::span<double> s = std::span(out.s).first(static_cast<std::size_t>(out.variables));
  std::ranges::copy(begin, out.s.begin());
  if (!begin.empty() && newton(law, x, out) && law.takes(x, s)) return true;
  law.search(x, s);
  return newton(law, x, out) && law.takes(x, s);
}

bool evaluate_rows(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out) {
  const FirstOrder f = first_order(law, x, out);
  if (out.variables > 0 && !eliminate(f, out)) return false;
  take_rows(f, out);
  return true;
}

// With D one of d/dx, d/ds:  DG_i = D g_i - mu D h_i - (D mu) h_i,  h_s^T D mu = D g_s - mu D h_s.
bool evaluate_row_changes(const ContributionLaw& law, const Pose<double>& x, LocalConditions& out) {
  const auto rows = static_cast<std::size_t>(out.rows), variables = static_cast<std::size_t>(out.variables);
  Seeded<First> first;
  seed<First, double>(x, std::span(out.s).first(variables), first);
  Seeded<Second> second;
  seed<Second, First>(first.x, first.s, second);
  std::array<Second, most_rows> g;
  std::array<Second, most_s> h;
  law.conditions(second.x, second.s, std::span(g).first(rows), std::span(h).first(variables));

  const int n = out.variables, directions = out.directions;
  FirstOrder f;
  const auto lower = [](const Second& y) {
    First out_first(y.v.v);
    for (std::size_t k = 0; k < out_first.d.size(); ++k) out_first.d[k] = y.d[k].v;
    return out_first;
  };
  for (int r = 0; r < out.rows; ++r) f.g[r] = lower(g[r]);
  for (int k = 0; k < n; ++k) f.h[k] = lower(h[k]);
  if (n > 0 && !eliminate(f, out)) return false;
  take_rows(f, out);

  const Square matrix = transposed(h_s(f, out), n);
  for (int r = 0; r < out.rows; ++r) {
    const auto& mu = out.mu[r];
    for (int j = 0; j < directions + n; ++j) {
      Variables change{};
      for (int k = 0; k < n; ++k) {
        change[k] = g[r].d[directions + k].d[j];
        for (int m = 0; m < n; ++m) change[k] -= mu[m] * h[m].d[directions + k].d[j];
      }
      Square A = matrix;
      if (n > 0 && !solve_small(A, change, n, 1)) return false;
      for (int i = 0; i < directions; ++i) {
        double sum = g[r].d[i].d[j];
        for (int k = 0; k < n; ++k) sum -= mu[k] * h[k].d[i].d[j] + change[k] * f.h[k].d[i];
        out.G_partial[r][i][j] = sum;
      }
    }
    for (int i = 0; i < directions; ++i) {
      for (int j = 0; j < directions; ++j) {
        out.G_change[r][i][j] = out.G_partial[r][i][j];
        for (int k = 0; k < n; ++k) out.G_change[r][i][j] += out.s_of_x[k][j] * out.G_partial[r][i][directions + k];
      }
    }
  }
  return true;
}

void evaluate_rows(const GradientLaw& law, const Pose<double>& x, LocalConditions& out) {
  const auto rows = static_cast<std::size_t>(out.rows);
  std::array<double, most_rows * 6> G;
  law.gradients(x, std::span(out.g).first(rows), std::span(G).first(6 * rows));
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(&G[6 * r], 6, out.G[r].begin());
}

void evaluate_row_changes(const GradientLaw& law, const Pose<double>& x, LocalConditions& out) {
  const auto rows = static_cast<std::size_t>(out.rows);
  Pose<PoseSlope> seeded;
  seed(x, seeded);
  std::array<PoseSlope, most_rows> g;
  std::array<PoseSlope, most_rows * 6> G;
  law.gradients(seeded, std::span(g).first(rows), std::span(G).first(6 * rows));
  for (std::size_t r = 0; r < rows; ++r) {
    out.g[r] = g[r].v;
    for (std::size_t i = 0; i < 6; ++i) {
      out.G[r][i] = G[6 * r + i].v;
      std::ranges::copy(G[6 * r + i].d, out.G_partial[r][i].begin());
      std::ranges::copy(G[6 * r + i].d, out.G_change[r][i].begin());
    }
  }
}

}  // namespace skyhook::model
