#include "skyhook/flexible/ancf_element.h"

#include <cmath>

#include "skyhook/math/dual.h"
#include "skyhook/math/vec.h"

namespace skyhook::flexible {
// Joined builds put files of a folder together: names of this one stand apart.
namespace ancf_strain {
namespace {

constexpr int most = StrainLaw::most_numbers, most_strains = StrainLaw::most_strains;
using Gradients = std::array<double, most>;
using Strains = std::array<double, most_strains>;
using Square = std::array<double, static_cast<std::size_t>(most) * most>;

// Strains with their derivatives by g; second ones where they are wanted.
struct Strained {
  Strains value{};
  std::array<Gradients, most_strains> slope{};
};

std::size_t at(int i, int j) { return static_cast<std::size_t>(i * most + j); }

// use(gradient, vector, C) of all that are not zero: at nodes few are.
template <class Use>
void each_share(const AncfElement& el, const StrainLaw& law, const StrainPoint& p, Use&& use) {
  for (int s = 0; s < law.slots; ++s) {
    const double* const row = p.C[static_cast<std::size_t>(s)].data();
    for (int k = 0; k < el.vectors; ++k) {
      if (row[k] != 0.0) use(s, k, row[k]);
    }
  }
}

template <int D>
Gradients gradients_in(const AncfElement& el, const StrainLaw& law, const StrainPoint& p, std::span<const double> e) {
  Gradients g{};
  each_share(el, law, p, [&](int s, int k, double c) {
    for (int i = 0; i < D; ++i) g[static_cast<std::size_t>(s * D + i)] += c * e[static_cast<std::size_t>(k * D + i)];
  });
  return g;
}
Gradients gradients(const AncfElement& el, const StrainLaw& law, const StrainPoint& p, std::span<const double> e) {
  return el.dimension == 2 ? gradients_in<2>(el, law, p, e) : gradients_in<3>(el, law, p, e);
}

// Forces on the gradients, as forces on the vectors.
template <int D>
void add_pull(const AncfElement& el, const StrainLaw& law, const StrainPoint& p, const Gradients& pull,
              std::span<double> f) {
  each_share(el, law, p, [&](int s, int k, double c) {
    for (int i = 0; i < D; ++i)
      f[static_cast<std::size_t>(k * D + i)] += p.weight * c * pull[static_cast<std::size_t>(s * D + i)];
  });
}

// Stretch and curvature of a cable from (r', r''), D numbers each.
template <int D, class T>
void cable_strains(const std::array<T, 2 * D>& g, std::span<T> strain) {
  using std::sqrt;
  Vec3<T> r1{g[0], g[1], T(0.0)}, r2{g[D], g[D + 1], T(0.0)};
  if constexpr (D == 3) r1.z = g[2], r2.z = g[5];
  const Vec3<T> bend = cross(r1, r2);
  const T square = dot(r1, r1), inverse = T(1.0) / square;
  strain[0] = sqrt(square) - T(1.0);
  if constexpr (D == 2) {
    strain[1] = inverse * bend.z;
  } else {
    for (std::size_t i = 0; i < 3; ++i) strain[i + 1] = inverse * bend[static_cast<int>(i)];
  }
}

void dot_strains(const StrainLaw& law, const Gradients& g, Strained& out) {
  const int d = law.dimension;
  for (int a = 0; a < law.strains; ++a)
    out.value[static_cast<std::size_t>(a)] = -law.offset[static_cast<std::size_t>(a)];
  for (const StrainLaw::Term& t : law.terms) {
    auto& slope = out.slope[static_cast<std::size_t>(t.strain)];
    double sum = 0;
    for (int c = 0; c < d; ++c) {
      const auto i = static_cast<std::size_t>(t.i * d + c), j = static_cast<std::size_t>(t.j * d + c);
      sum += g[i] * g[j];
      slope[i] += t.factor * g[j], slope[j] += t.factor * g[i];
    }
    out.value[static_cast<std::size_t>(t.strain)] += t.factor * sum;
  }
}

template <int N>
void cable_slopes(const StrainLaw& law, const Gradients& g, Strained& out) {
  std::array<Dual<N>, N> x;
  std::array<Dual<N>, 4> strain;
  for (int i = 0; i < N; ++i) x[static_cast<std::size_t>(i)] = Dual<N>::variable(g[static_cast<std::size_t>(i)], i);
  cable_strains<N / 2, Dual<N>>(x, strain);
  for (int a = 0; a < law.strains; ++a) {
    const auto& s = strain[static_cast<std::size_t>(a)];
    out.value[static_cast<std::size_t>(a)] = s.v;
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) out.slope[static_cast<std::size_t>(a)][i] = s.d[i];
  }
}

void find_strains(const StrainLaw& law, const Gradients& g, Strained& out) {
  if (law.kind == StrainLaw::Kind::dots) return dot_strains(law, g, out);
  law.dimension == 2 ? cable_slopes<4>(law, g, out) : cable_slopes<6>(law, g, out);
}

// use(a, i, j, second derivative of strain a by g_i and g_j) for all that are not zero.
template <class Use>
void each_curvature_of_dots(const StrainLaw& law, Use&& use) {
  const int d = law.dimension;
  for (const StrainLaw::Term& t : law.terms) {
    for (int c = 0; c < d; ++c)
      use(t.strain, t.i * d + c, t.j * d + c, t.factor), use(t.strain, t.j * d + c, t.i * d + c, t.factor);
  }
}
template <int N, class Use>
void each_curvature_of_cable(const StrainLaw& law, const Gradients& g, Use&& use) {
  using Twice = Dual<N, Dual<N>>;
  std::array<Twice, N> x;
  std::array<Twice, 4> strain;
  for (int i = 0; i < N; ++i)
    x[static_cast<std::size_t>(i)] = Twice::variable(Dual<N>::variable(g[static_cast<std::size_t>(i)], i), i);
  cable_strains<N / 2, Twice>(x, strain);
  for (int a = 0; a < law.strains; ++a) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j)
        use(a, i, j, strain[static_cast<std::size_t>(a)].d[static_cast<std::size_t>(i)].d[static_cast<std::size_t>(j)]);
    }
  }
}
template <class Use>
void each_curvature(const StrainLaw& law, const Gradients& g, Use&& use) {
  if (law.kind == StrainLaw::Kind::dots) return each_curvature_of_dots(law, use);
  law.dimension == 2 ? each_curvature_of_cable<4>(law, g, use) : each_curvature_of_cable<6>(law, g, use);
}

// How fast the strains grow.
Strains rates(const StrainLaw& law, const Strained& s, const Gradients& rate) {
  Strains out{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(law.strains); ++a) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(law.numbers()); ++i) out[a] += s.slope[a][i] * rate[i];
  }
  return out;
}

Strains stress(const StrainLaw& law, const Strains& strain) {
  Strains out{};
  for (int a = 0; a < law.strains; ++a) {
    for (int b = 0; b < law.strains; ++b)
      out[static_cast<std::size_t>(a)] += law.stiffness(a, b) * strain[static_cast<std::size_t>(b)];
  }
  return out;
}

double product(const StrainLaw& law, const Strains& a, const Strains& b) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(law.strains); ++i) sum += a[i] * b[i];
  return sum;
}

// Forces on the gradients, a unit of volume; `rate` is read where there is damping.
void pull_by_slopes(const StrainLaw& law, double beta, const Gradients& g, const Gradients& rate, Gradients& pull) {
  Strained s;
  find_strains(law, g, s);
  Strains total = s.value;
  if (beta != 0.0) {
    const Strains slow = rates(law, s, rate);
    for (std::size_t a = 0; a < total.size(); ++a) total[a] += beta * slow[a];
  }
  const Strains sigma = stress(law, total);
  for (std::size_t a = 0; a < static_cast<std::size_t>(law.strains); ++a) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(law.numbers()); ++i) pull[i] += sigma[a] * s.slope[a][i];
  }
}

// The same without slopes of the strains, of which most are zero.
template <int d>
void pull_of_dots(const StrainLaw& law, double beta, const Gradients& g, const Gradients& rate, Gradients& pull) {
  Strains strain;
  for (std::size_t a = 0; a < static_cast<std::size_t>(law.strains); ++a) strain[a] = -law.offset[a];
  for (const StrainLaw::Term& t : law.terms) {
    const double *const left = g.data() + t.i * d, *const right = g.data() + t.j * d;
    double sum = 0;
    for (int c = 0; c < d; ++c) sum += left[c] * right[c];
    if (beta != 0.0) {
      const double *const left_rate = rate.data() + t.i * d, *const right_rate = rate.data() + t.j * d;
      for (int c = 0; c < d; ++c) sum += beta * (left_rate[c] * right[c] + left[c] * right_rate[c]);
    }
    strain[static_cast<std::size_t>(t.strain)] += t.factor * sum;
  }
  Strains sigma{};
  for (int a = 0; a < law.strains; ++a) {
    double sum = 0;
    for (int b = 0; b < law.strains; ++b) sum += law.stiffness(a, b) * strain[static_cast<std::size_t>(b)];
    sigma[static_cast<std::size_t>(a)] = sum;
  }
  for (const StrainLaw::Term& t : law.terms) {
    const double s = t.factor * sigma[static_cast<std::size_t>(t.strain)];
    const double *const left = g.data() + t.i * d, *const right = g.data() + t.j * d;
    double *const on_left = pull.data() + t.i * d, *const on_right = pull.data() + t.j * d;
    for (int c = 0; c < d; ++c) on_left[c] += s * right[c], on_right[c] += s * left[c];
  }
}

// Derivatives of the forces on the gradients by these and by their rates, a unit of volume.
void tangent(const StrainLaw& law, double beta, const Gradients& g, const Gradients& rate, Square& by_g,
             Square& by_rate) {
  Strained s;
  find_strains(law, g, s);
  const Strains slow = rates(law, s, rate);
  Strains total = s.value;
  for (std::size_t a = 0; a < total.size(); ++a) total[a] += beta * slow[a];
  const Strains sigma = stress(law, total);
  const int n = law.numbers();
  // slopes of strain + beta strain rate by g
  auto along = s.slope;
  each_curvature(law, g, [&](int a, int i, int j, double h) {
    by_g[at(i, j)] += sigma[static_cast<std::size_t>(a)] * h;
    along[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)] += beta * h * rate[static_cast<std::size_t>(j)];
  });
  for (int a = 0; a < law.strains; ++a) {
    for (int b = 0; b < law.strains; ++b) {
      const double D = law.stiffness(a, b);
      if (D == 0.0) continue;
      const Gradients &left = s.slope[static_cast<std::size_t>(a)], &right = along[static_cast<std::size_t>(b)],
                      &plain = s.slope[static_cast<std::size_t>(b)];
      for (int i = 0; i < n; ++i) {
        const double x = D * left[static_cast<std::size_t>(i)];
        if (x == 0.0) continue;
        for (int j = 0; j < n; ++j) {
          by_g[at(i, j)] += x * right[static_cast<std::size_t>(j)];
          by_rate[at(i, j)] += beta * x * plain[static_cast<std::size_t>(j)];
        }
      }
    }
  }
}

// C^T B C of a block of the gradients, added to one of the coordinates.
void spread(const AncfElement& el, const StrainLaw& law, const StrainPoint& p, const Square& block,
            std::span<double> to) {
  const int d = el.dimension, n = el.numbers();
  std::array<double, static_cast<std::size_t>(most) * AncfElement::most_numbers> half{};
  for (int i = 0; i < law.numbers(); ++i) {
    double* const row = half.data() + static_cast<std::size_t>(i * n);
    for (int s = 0; s < law.slots; ++s) {
      for (int k = 0; k < el.vectors; ++k) {
        const double c = p.C[static_cast<std::size_t>(s)][static_cast<std::size_t>(k)];
        if (c == 0.0) continue;
        for (int j = 0; j < d; ++j) row[k * d + j] += c * block[at(i, s * d + j)];
      }
    }
  }
  for (int s = 0; s < law.slots; ++s) {
    for (int k = 0; k < el.vectors; ++k) {
      const double c = p.weight * p.C[static_cast<std::size_t>(s)][static_cast<std::size_t>(k)];
      if (c == 0.0) continue;
      for (int i = 0; i < d; ++i) {
        const double* const row = half.data() + static_cast<std::size_t>((s * d + i) * n);
        double* const out = to.data() + static_cast<std::size_t>((k * d + i) * n);
        for (int j = 0; j < n; ++j) out[j] += c * row[j];
      }
    }
  }
}

}  // namespace
}  // namespace ancf_strain

double AncfElement::energy(std::span<const double> e) const {
  double sum = 0;
  for (const StrainPoint& p : points) {
    const StrainLaw& law = laws[static_cast<std::size_t>(p.law)];
    const ancf_strain::Strains strain = strains(p, e);
    sum += 0.5 * p.weight * ancf_strain::product(law, strain, ancf_strain::stress(law, strain));
  }
  return sum;
}

double AncfElement::dissipation(std::span<const double> e, std::span<const double> rate) const {
  if (damping == 0.0) return 0.0;
  double sum = 0;
  for (const StrainPoint& p : points) {
    const StrainLaw& law = laws[static_cast<std::size_t>(p.law)];
    ancf_strain::Strained s;
    ancf_strain::find_strains(law, ancf_strain::gradients(*this, law, p, e), s);
    const ancf_strain::Strains slow = ancf_strain::rates(law, s, ancf_strain::gradients(*this, law, p, rate));
    sum += damping * p.weight * ancf_strain::product(law, slow, ancf_strain::stress(law, slow));
  }
  return sum;
}

std::array<double, StrainLaw::most_strains> AncfElement::strains(const StrainPoint& p,
                                                                 std::span<const double> e) const {
  const StrainLaw& law = laws[static_cast<std::size_t>(p.law)];
  ancf_strain::Strained s;
  ancf_strain::find_strains(law, ancf_strain::gradients(*this, law, p, e), s);
  return s.value;
}

void AncfElement::add_forces(std::span<const double> e, std::span<const double> rate, std::span<double> f) const {
  for (const StrainPoint& p : points) {
    const StrainLaw& law = laws[static_cast<std::size_t>(p.law)];
    const ancf_strain::Gradients g = ancf_strain::gradients(*this, law, p, e);
    const ancf_strain::Gradients slow =
        damping != 0.0 ? ancf_strain::gradients(*this, law, p, rate) : ancf_strain::Gradients{};
    ancf_strain::Gradients pull{};
    if (law.kind != StrainLaw::Kind::dots)
      ancf_strain::pull_by_slopes(law, damping, g, slow, pull);
    else
      dimension == 2 ? ancf_strain::pull_of_dots<2>(law, damping, g, slow, pull)
                     : ancf_strain::pull_of_dots<3>(law, damping, g, slow, pull);
    dimension == 2 ? ancf_strain::add_pull<2>(*this, law, p, pull, f)
                   : ancf_strain::add_pull<3>(*this, law, p, pull, f);
  }
}

void AncfElement::add_derivatives(std::span<const double> e, std::span<const double> rate, std::span<double> by_e,
                                  std::span<double> by_rate) const {
  for (const StrainPoint& p : points) {
    const StrainLaw& law = laws[static_cast<std::size_t>(p.law)];
    ancf_strain::Square of_g{}, of_rate{};
    ancf_strain::tangent(law, damping, ancf_strain::gradients(*this, law, p, e),
                         ancf_strain::gradients(*this, law, p, rate), of_g, of_rate);
    ancf_strain::spread(*this, law, p, of_g, by_e);
    if (damping != 0.0) ancf_strain::spread(*this, law, p, of_rate, by_rate);
  }
}

}  // namespace skyhook::flexible
