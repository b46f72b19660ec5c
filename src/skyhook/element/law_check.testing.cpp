#include "skyhook/element/law_check.testing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skyhook::element::test {
namespace {

Relative<double> moved(Relative<double> m, int k, double by) {
  Vec3d e;
  e[k % 3] = by;
  if (k / 3 == 0) m.r += e;
  if (k / 3 == 1) m.R = exponential(e) * m.R;
  if (k / 3 == 2) m.v += e;
  if (k / 3 == 3) m.w += e;
  return m;
}

std::array<double, 6> values(const Wrench<double>& w) { return {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z}; }

bool is_finite(const Wrench<Local>& w) {
  bool ok = true;
  for (const Local& x : {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z}) {
    ok = ok && std::isfinite(x.v);
    for (const double d : x.d) ok = ok && std::isfinite(d);
  }
  return ok;
}

}  // namespace

Vec3d random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  return {number(random), number(random), number(random)};
}

Mat3d exponential(const Vec3d& phi) {
  const double angle = norm(phi);
  return angle > 0.0 ? axis_rotation((1.0 / angle) * phi, angle) : Mat3d::identity();
}

Relative<double> random_motion(std::mt19937& random) {
  return {0.3, random_vector(random, 1.0), exponential(random_vector(random, 1.5)), random_vector(random, 2.0),
          random_vector(random, 2.0)};
}

Relative<Local> seeded(const Relative<double>& m) {
  const auto variable = [](const Vec3d& a, int k) {
    return Vec3<Local>{Local::variable(a.x, k), Local::variable(a.y, k + 1), Local::variable(a.z, k + 2)};
  };
  const Mat3<Local> turn = Mat3<Local>::identity() + skew(variable({}, 3));
  return {Local(m.t), variable(m.r, 0), turn * Mat3<Local>(m.R), variable(m.v, 6), variable(m.w, 9), m.set};
}

Wrench<double> wrench_of(const model::WrenchElement& element, const Relative<double>& m) {
  Wrench<double> out;
  element.wrench(m, out);
  return out;
}

void check_derivative(const model::WrenchElement& element, const Relative<double>& m) {
  Wrench<Local> exact;
  element.wrench(seeded(m), exact);
  const std::array<Local, 6> e{exact.f.x, exact.f.y, exact.f.z, exact.n.x, exact.n.y, exact.n.z};
  const std::array<double, 6> plain = values(wrench_of(element, m));
  double scale = 1.0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (const double d : e[i].d) scale = std::fmax(scale, std::abs(d));
  }
  const double h = 1e-5;
  for (int k = 0; k < 12; ++k) {
    const auto plus = values(wrench_of(element, moved(m, k, h))), minus = values(wrench_of(element, moved(m, k, -h)));
    for (std::size_t i = 0; i < 6; ++i) {
      CAPTURE(k);
      CAPTURE(i);
      CHECK(std::abs(e[i].d[static_cast<std::size_t>(k)] - (plus[i] - minus[i]) / (2 * h)) < 1e-7 * scale);
      CHECK(std::abs(e[i].v - plain[i]) <= 1e-13 * scale);
    }
  }
}

double power(const model::WrenchElement& element, const Relative<double>& m) {
  const Wrench<double> w = wrench_of(element, m);
  return dot(w.f, m.v) + dot(w.n, m.w);
}

void check_power(const model::WrenchElement& element, const Relative<double>& m) {
  const auto at = [&](double t) {
    Relative<double> later = m;
    later.r += t * m.v;
    later.R = exponential(t * m.w) * m.R;
    return element.energy(later);
  };
  const double h = 1e-5, rate = (at(h) - at(-h)) / (2 * h), p = power(element, m);
  CHECK(std::abs(p + rate) < 1e-6 * (1.0 + std::abs(p)));
}

void check_law(const model::WrenchElement& element, bool conservative,
               const std::function<bool(const Relative<double>&)>& wanted) {
  std::mt19937 random(7);
  for (int i = 0; i < 50; ++i) {
    const Relative<double> m = random_motion(random);
    if (wanted && !wanted(m)) continue;
    check_derivative(element, m);
    if (conservative) check_power(element, m);
  }
}

void check_modes(const model::WrenchElement& element, const std::vector<int>& modes,
                 const std::function<bool(const Relative<double>&)>& wanted) {
  const auto& switching = dynamic_cast<const model::Switching&>(element);
  std::mt19937 random(9);
  for (int i = 0; i < 50; ++i) {
    Relative<double> m = random_motion(random);
    if (wanted && !wanted(m)) continue;
    const Wrench<double> alone = wrench_of(element, m);
    const int first = switching.first_mode(m);
    CHECK(std::find(modes.begin(), modes.end(), first) != modes.end());
    for (const int mode : modes) {
      CAPTURE(mode);
      m.set.mode = mode;
      CHECK((switching.watch(m) > 0.0) == (mode == first));
      check_derivative(element, m);
    }
    m.set.mode = first;
    CHECK(values(wrench_of(element, m)) == values(alone));
  }
}

void check_zero_length(const model::WrenchElement& element) {
  Relative<double> m{0.0, {}, Mat3d::identity(), {1, 2, 3}, {1, 0, 0}};
  Wrench<Local> out;
  element.wrench(seeded(m), out);
  CHECK(is_finite(out));
  CHECK(norm(wrench_of(element, m).f) == 0.0);
  std::vector<double> measured;
  element.measure(m, wrench_of(element, m), measured);
  for (const double x : measured) CHECK(std::isfinite(x));
}

void check_coordinate_law(const model::CoordinateElement& element, double x, double v, bool conservative,
                          const model::Setting& set) {
  const double h = 1e-5, t = 0.3;
  const auto f = [&](double a, double b) { return element.force(a, b, t, set); };
  const Dual<2> exact = element.force(Dual<2>::variable(x, 0), Dual<2>::variable(v, 1), t, set);
  const double scale = 1.0 + std::abs(exact.d[0]) + std::abs(exact.d[1]);
  CHECK(exact.v == doctest::Approx(f(x, v)).epsilon(1e-13));
  CHECK(std::abs(exact.d[0] - (f(x + h, v) - f(x - h, v)) / (2 * h)) < 1e-7 * scale);
  CHECK(std::abs(exact.d[1] - (f(x, v + h) - f(x, v - h)) / (2 * h)) < 1e-7 * scale);
  if (conservative) {
    CHECK(std::abs(f(x, v) + (element.energy(x + h) - element.energy(x - h)) / (2 * h)) < 1e-7 * scale);
  }
}

void check_state_law(const model::StateElement& element, const model::Stroke<double>& stroke,
                     const std::vector<double>& c) {
  using model::Inner;
  const auto states = element.states();
  REQUIRE(states.size() == c.size());
  REQUIRE(c.size() <= static_cast<std::size_t>(model::most_inner_states));
  std::vector<double> at{stroke.x, stroke.v}, size{1, 1};
  at.insert(at.end(), c.begin(), c.end());
  for (const auto& state : states) size.push_back(state.nominal);
  const auto all = [&](const std::vector<double>& y) {  // the force, then the rates
    std::vector<double> out(1 + c.size());
    const model::Stroke<double> s{y[0], y[1], stroke.t, stroke.set};
    out[0] = element.evaluate(s, std::span(y).subspan(2), std::span(out).subspan(1));
    return out;
  };
  std::vector<Inner> seeds, exact(1 + c.size());
  for (std::size_t k = 0; k < at.size(); ++k) seeds.push_back(Inner::variable(at[k], static_cast<int>(k)));
  exact[0] = element.evaluate(model::Stroke<Inner>{seeds[0], seeds[1], stroke.t, stroke.set},
                              std::span<const Inner>(seeds).subspan(2), std::span(exact).subspan(1));
  const std::vector<double> plain = all(at);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    double scale = 1e-3 * (std::abs(plain[i]) + 1e-300);
    for (std::size_t k = 0; k < at.size(); ++k) scale = std::fmax(scale, std::abs(exact[i].d[k]) * size[k]);
    CHECK(std::abs(exact[i].v - plain[i]) < 1e-12 * (std::abs(plain[i]) + scale));
    for (std::size_t k = 0; k < at.size(); ++k) {
      std::vector<double> moved = at;
      const double h = 1e-5 * size[k];
      moved[k] = at[k] + h;
      const double plus = all(moved)[i];
      moved[k] = at[k] - h;
      CAPTURE(i);
      CAPTURE(k);
      CHECK(std::abs(exact[i].d[k] * size[k] - (plus - all(moved)[i]) / 2e-5) < 1e-6 * scale);
    }
  }
}

}  // namespace skyhook::element::test
