#include "skyhook/element/rail/fastsim_table.h"

#include <algorithm>
#include <cmath>

namespace skyhook::element::rail {
namespace {

constexpr double rho0 = 1.5;
// Intervals: of a ratio from 0 to 1 (twice as many from -1 to 1), of rho/(rho + rho0), of ln(b/a). A node more at both ends of each axis.
constexpr int ratios = 5, radii = 10, widths = 6;

struct Axis {
  double first, per;  // coordinate of node 1; nodes per unit
  int intervals;
  int nodes() const { return intervals + 3; }
  double at(int node) const { return first + (node - 1) / per; }
};
const Axis half{0, ratios, ratios}, full{-1, ratios, 2 * ratios}, radial{0, radii, radii};
const Axis wide{-std::log(FastsimTable::widest), widths / (2 * std::log(FastsimTable::widest)), widths};
constexpr std::size_t cells = ratios * 2 * ratios * radii * widths;  // of a face

std::size_t face_size() {
  return static_cast<std::size_t>(half.nodes() * full.nodes() * radial.nodes() * wide.nodes());
}
std::size_t place(int face, int i, int j, int k, int l) {
  return static_cast<std::size_t>(face) * face_size() +
         static_cast<std::size_t>(((i * full.nodes() + j) * radial.nodes() + k) * wide.nodes() + l);
}

// The largest one is 1: u_x (face 0), u_y (1) or turn_y (2). `some` runs from 0 to 1, `any` from -1 to 1.
std::array<double, 3> on_cube(int face, double some, double any) {
  if (face == 0) return {1, any, some};
  if (face == 1) return {some, 1, any};
  return {some, any, 1};
}

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

}  // namespace

FastsimTable::FastsimTable(FastsimGrid grid)
    : law_(grid), values_(3 * face_size()), is_known_(3 * face_size()), is_filled_(3 * cells) {}

// A node between the ends of its axes.
Lanes FastsimTable::evaluated(int face, int i, int j, int k, int l) const {
  constexpr double none = 1e-3, all = 1e4;  // rho at the ends: between these and the ends nothing changes
  const std::array<double, 3> d = on_cube(face, half.at(i), full.at(j));
  const double ratio = std::exp(wide.at(l)), r = radial.at(k),
               rho = std::clamp(r < 1.0 ? rho0 * r / (1.0 - r) : all, none, all), s = (rho + rho0) / rho;
  const ReducedForce<double> f = law_.force({rho * d[0], rho * d[1], rho * d[2] * ratio, rho * d[2]});
  return {s * f.x, s * f.y, s * f.arm_x, s * f.arm_y};
}

// One beyond the ends of b/a or of rho: by the parabola through the next three.
const Lanes& FastsimTable::node(int face, int i, int j, int k, int l) const {
  const std::size_t at = place(face, i, j, k, l);
  if (is_known_[at]) return values_[at];
  const auto beyond = [](const Lanes& a, const Lanes& b, const Lanes& c) { return Lanes(3.0) * (a - b) + c; };
  const auto inward = [](int index, const Axis& axis) { return index == 0 ? 1 : index == axis.nodes() - 1 ? -1 : 0; };
  if (const int in = inward(l, wide); in != 0)
    values_[at] = beyond(node(face, i, j, k, l + in), node(face, i, j, k, l + 2 * in), node(face, i, j, k, l + 3 * in));
  else if (const int up = inward(k, radial); up != 0)
    values_[at] = beyond(node(face, i, j, k + up, l), node(face, i, j, k + 2 * up, l), node(face, i, j, k + 3 * up, l));
  else
    values_[at] = evaluated(face, i, j, k, l);
  is_known_[at] = true;
  return values_[at];
}

void FastsimTable::need(int face, int i, int j, int k, int l) const {
  const auto cell = static_cast<std::size_t>(
      (((face * half.intervals + i) * full.intervals + j) * radial.intervals + k) * wide.intervals + l);
  if (is_filled_[cell].load(std::memory_order_acquire)) return;
  const std::lock_guard<std::mutex> one_at_a_time(filling_);
  for (int n = 0; n < 256; ++n) node(face, i + n / 64, j + n / 16 % 4, k + n / 4 % 4, l + n % 4);
  is_filled_[cell].store(true, std::memory_order_release);
}

namespace {

// Sums of nodes with weights, and with the slope of one of the weights.
struct Summed {
  Lanes value, by_some, by_any, by_radius, by_width;
};

template <bool with_slopes>
Summed sum_of(const std::vector<Lanes>& values, int face, const Weights<Dual<1>>& a, const Weights<Dual<1>>& b,
              const Weights<Dual<1>>& c, const Weights<Dual<1>>& d) {
  Summed out{};
  for (std::size_t i = 0; i < 4; ++i) {
    Lanes v_i, b_i, r_i, w_i;
    for (std::size_t j = 0; j < 4; ++j) {
      Lanes v_j, r_j, w_j;
      for (std::size_t k = 0; k < 4; ++k) {
        const Lanes* at = &values[place(face, a.begin + static_cast<int>(i), b.begin + static_cast<int>(j),
                                        c.begin + static_cast<int>(k), d.begin)];
        Lanes v, w;
        for (std::size_t l = 0; l < 4; ++l) {
          v += Lanes(d.w[l].v) * at[l];
          if constexpr (with_slopes) w += Lanes(d.w[l].d[0]) * at[l];
        }
        v_j += Lanes(c.w[k].v) * v;
        if constexpr (with_slopes) r_j += Lanes(c.w[k].d[0]) * v, w_j += Lanes(c.w[k].v) * w;
      }
      v_i += Lanes(b.w[j].v) * v_j;
      if constexpr (with_slopes)
        b_i += Lanes(b.w[j].d[0]) * v_j, r_i += Lanes(b.w[j].v) * r_j, w_i += Lanes(b.w[j].v) * w_j;
    }
    const Lanes p(a.w[i].v);
    out.value += p * v_i;
    if constexpr (with_slopes)
      out.by_some += Lanes(a.w[i].d[0]) * v_i, out.by_any += p * b_i, out.by_radius += p * r_i, out.by_width += p * w_i;
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
  const auto seeded = [](const Axis& axis, const T& q) { return weights(axis, Dual<1>::variable(value_of(q), 0)); };
  const Weights<Dual<1>> i = seeded(half, some), j = seeded(full, any), k = seeded(radial, r), l = seeded(wide, width);
  need(face, i.begin, j.begin, k.begin, l.begin);
  const Summed s = sum_of<with_slopes>(values_, face, i, j, k, l);
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

std::shared_ptr<const FastsimTable> usual_fastsim_table() {
  static const auto table = std::make_shared<const FastsimTable>();
  return table;
}

}  // namespace skyhook::element::rail
