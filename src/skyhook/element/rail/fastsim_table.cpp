#include "skyhook/element/rail/fastsim_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace skyhook::element::rail {
namespace {

using namespace fastsim_nodes;

// Catmull and Rom's cubic: the node to begin with, and the weights of four.
template <class T>
struct Weights {
  int begin;
  std::array<T, 4> w;
};
template <class T>
Weights<T> weights(const Axis& axis, const T& x) {
  const T u = (x - T(axis.first)) * T(axis.per);
  const int i = std::clamp(static_cast<int>(std::floor(value_of(u))), 0, axis.intervals - 1);
  const T t = u - T(i), r = T(1.0) - t, tr = T(0.5) * t * r;
  return {i, {-(tr * r), T(1.0) - t * t * (T(2.5) - T(1.5) * t), T(1.0) - r * r * (T(2.5) - T(1.5) * r), -(tr * t)}};
}

// Sums of nodes with weights, and with the slope of one of the weights.
struct Summed {
  Lanes value, by_some, by_any, by_radius, by_width;
};

// From the first node on. Without loops: their bookkeeping would take longer than the sums.
Summed sum_of(const Lanes* first, const Weights<double>& a, const Weights<double>& b, const Weights<double>& c,
              const Weights<double>& d) {
  const auto four = [](const Weights<double>& by, const Lanes* at, int apart, const auto& sum) {
    Lanes v;
    v += Lanes(by.w[0]) * sum(at);
    v += Lanes(by.w[1]) * sum(at + apart);
    v += Lanes(by.w[2]) * sum(at + 2 * apart);
    v += Lanes(by.w[3]) * sum(at + 3 * apart);
    return v;
  };
  const auto node = [](const Lanes* at) { return *at; };
  const auto over_d = [&](const Lanes* at) { return four(d, at, 1, node); };
  const auto over_c = [&](const Lanes* at) { return four(c, at, apart_c, over_d); };
  const auto over_b = [&](const Lanes* at) { return four(b, at, apart_b, over_c); };
  return {four(a, first, apart_a, over_b), {}, {}, {}, {}};
}

Summed sum_of(const Lanes* first, const Weights<Dual<1>>& a, const Weights<Dual<1>>& b, const Weights<Dual<1>>& c,
              const Weights<Dual<1>>& d) {
  Summed out{};
  for (std::size_t i = 0; i < 4; ++i) {
    Lanes v_i, b_i, r_i, w_i;
    for (std::size_t j = 0; j < 4; ++j) {
      Lanes v_j, r_j, w_j;
      for (std::size_t k = 0; k < 4; ++k) {
        const Lanes* at = first + i * apart_a + j * apart_b + k * apart_c;
        Lanes v, w;
        for (std::size_t l = 0; l < 4; ++l) v += Lanes(d.w[l].v) * at[l], w += Lanes(d.w[l].d[0]) * at[l];
        v_j += Lanes(c.w[k].v) * v, r_j += Lanes(c.w[k].d[0]) * v, w_j += Lanes(c.w[k].v) * w;
      }
      const Lanes p(b.w[j].v);
      v_i += p * v_j, b_i += Lanes(b.w[j].d[0]) * v_j, r_i += p * r_j, w_i += p * w_j;
    }
    const Lanes p(a.w[i].v);
    out.value += p * v_i, out.by_some += Lanes(a.w[i].d[0]) * v_i;
    out.by_any += p * b_i, out.by_radius += p * r_i, out.by_width += p * w_i;
  }
  return out;
}

template <class T>
void flip(bool is, T& x) {
  if (is) x = -x;
}

}  // namespace

template <class T>
ReducedForce<T> FastsimTable::interpolated(const ReducedCreep<T>& u) const {
  using std::log;
  constexpr bool with_slopes = !std::is_same_v<T, double>;
  // Mirror images: u_x -> -u_x turns Fx round; all of them round turn all. So u_x >= 0, and of the other two the larger one, or turn_y, is.
  const bool back = value_of(u.x) < 0.0;
  T x = u.x, y = u.y, turn = u.turn_y;
  flip(back, x);
  const double ax = value_of(x), ay = std::abs(value_of(y)), at = std::abs(value_of(turn));
  const int face = ax >= ay && ax >= at ? 0 : ay >= at ? 1 : 2;
  const bool other = face == 1 ? value_of(y) < 0.0 : value_of(turn) < 0.0;
  flip(other, y), flip(other, turn);
  const T rho = face == 0 ? x : face == 1 ? y : turn, per = T(1.0) / rho;
  const T some = per * (face == 0 ? turn : x), any = per * (face == 1 ? turn : y);
  const T shrink = T(1.0) / (rho + T(rho0)), r = rho * shrink;
  // without spin b/a does not count
  const T width = at > 0.0 ? log(u.turn_x / u.turn_y) : T(0.0);
  const auto seeded = [](const Axis& axis, const T& q) {
    if constexpr (with_slopes)
      return weights(axis, Dual<1>::variable(value_of(q), 0));
    else
      return weights(axis, q);
  };
  const auto in_a = seeded(half, some), in_b = seeded(full, any), in_c = seeded(radial, r), in_d = seeded(wide, width);
  const Summed s =
      sum_of(&values_[place(face, in_a.begin, in_b.begin, in_c.begin, in_d.begin)], in_a, in_b, in_c, in_d);
  const auto component = [&](int c) {
    T h(s.value[c]);
    if constexpr (with_slopes) {
      for (std::size_t n = 0; n < h.d.size(); ++n)
        h.d[n] =
            s.by_some[c] * some.d[n] + s.by_any[c] * any.d[n] + s.by_radius[c] * r.d[n] + s.by_width[c] * width.d[n];
    }
    return r * h;
  };
  ReducedForce<T> f{component(0), component(1), component(2), component(3)};
  flip(back, f.x);
  flip(other, f.y), flip(other, f.arm_x), flip(other, f.arm_y);
  return f;
}

namespace {

bool is_covered(const ReducedCreep<double>& u) {
  constexpr double least = 1e-12;
  const double turn = std::abs(u.turn_y), ratio = turn > 0.0 ? u.turn_x / u.turn_y : 1.0;
  return std::max({std::abs(u.x), std::abs(u.y), turn}) > least && ratio <= FastsimTable::widest &&
         ratio * FastsimTable::widest >= 1.0;
}

}  // namespace

ReducedForce<double> FastsimTable::force(const ReducedCreep<double>& u) const {
  return is_covered(u) ? interpolated(u) : law_.force(u);
}
ReducedForce<Dual<4>> FastsimTable::slopes(const ReducedCreep<double>& u) const {
  if (!is_covered(u)) return law_.slopes(u);
  using D = Dual<4>;
  return interpolated(
      ReducedCreep<D>{D::variable(u.x, 0), D::variable(u.y, 1), D::variable(u.turn_x, 2), D::variable(u.turn_y, 3)});
}

std::shared_ptr<const FastsimTable> fastsim_table(FastsimGrid grid) {
  if (const FastsimGrid usual; grid.across == usual.across && grid.along == usual.along) {
    static const auto table = std::make_shared<const FastsimTable>();
    return table;
  }
  static std::mutex changing;
  static std::map<std::pair<int, int>, std::weak_ptr<const FastsimTable>> all;
  const std::lock_guard<std::mutex> one_at_a_time(changing);
  std::weak_ptr<const FastsimTable>& kept = all[{grid.across, grid.along}];
  if (const auto table = kept.lock()) return table;
  const auto table = std::make_shared<const FastsimTable>(grid);
  kept = table;
  return table;
}

}  // namespace skyhook::element::rail
