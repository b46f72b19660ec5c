// Quasi-elastic contact by sums over nodes known beforehand. References: the integral itself over true distances in small steps; differences; on curved and uneven tracks the
// same wheel on a straight one, and differences.
#include "skyhook/element/rail/smoothed_gap.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/rail/rigid_contact.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/local_conditions.h"
#include "skyhook/model/sloped_loads.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::rail;

namespace {

WheelOnRail s1002_on_uic60(double side) {
  static const ProfilePtr wheel = built_in("s1002"), rail = built_in("uic60_1in40");
  return {wheel, rail, side, 0.46, 0.75, 1.435 / 2 - rail->gauge_face(0.014)};
}

Mat3d turned(double roll, double yaw, double spin = 0.3) {
  return axis_rotation(Vec3d{0, 0, 1}, yaw) * axis_rotation(Vec3d{1, 0, 0}, roll) * axis_rotation(Vec3d{0, 1, 0}, spin);
}

// (18.8) with distances along the rail's normal, in steps of 5 um.
struct Direct {
  double g, s;
};
Direct direct(const WheelOnRail& of, const Axle<double>& axle, double nu) {
  constexpr double step = 5e-6;
  std::vector<double> distances, places;
  for (double s = -0.06; s < 0.045; s += step) {
    const auto wheel = silhouette_point(of, axle, s);
    if (wheel.at.y < of.rail->first_y() + 1e-3 || wheel.at.y > of.rail->last_y() - 1e-3) continue;
    const double d = distance_of(wheel, foot_on_rail(*of.rail, wheel.at.y, wheel.at.z));
    if (std::isfinite(d)) distances.push_back(d), places.push_back(s);
  }
  const double least = *std::ranges::min_element(distances);
  double sum = 0, moment = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double w = std::exp((least - distances[k]) / nu);
    sum += w, moment += w * places[k];
  }
  return {least - nu * std::log(sum * step / (of.wheel->last() - of.wheel->first())), moment / sum};
}

struct Waves final : model::Irregularity {
  model::Deviations at(double s) const override {
    const auto wave = [&](double size, double number, double phase) {
      const double a = number * s + phase;
      return model::Deviations::Derivatives{size * std::sin(a), size * number * std::cos(a),
                                            -size * number * number * std::sin(a)};
    };
    return {wave(1e-3, 0.7, 0.1), wave(2e-3, 0.5, 0.4), wave(1e-3, 0.9, 1.0), wave(1e-3, 0.8, 2.0)};
  }
  Lanes values(double s) const override {
    const model::Deviations d = at(s);
    return {d.gauge[0], d.alignment[0], d.level[0], d.cross_level[0]};
  }
  double grain() const override { return 0.5; }
};

LinePtr bent(bool uneven) {
  model::TrackPiece piece;
  piece.length = 200;
  piece.curvature.c[0] = 1.0 / 300, piece.curvature.c[1] = 1e-5, piece.climb.c[0] = 0.01, piece.tilt.c[0] = -0.06,
  piece.tilt.c[1] = 1e-4;
  return std::make_shared<const model::TrackLine>(std::vector{piece}, model::TrackBegin{{3, -2, 1}, 0.7},
                                                  uneven ? std::make_shared<const Waves>() : nullptr);
}

struct Place {
  Vec3d r;
  Mat3d R;
};
Place moved(Place x, int direction, double by) {
  if (direction < 3) return x.r[direction] += by, x;
  Vec3d axis;
  axis[direction - 3] = 1;
  x.R = axis_rotation(axis, by) * x.R;
  return x;
}

model::LocalConditions rows_at(const model::ContributionLaw& law, const Place& x, std::span<const double> begin = {}) {
  model::LocalConditions c;
  const model::Pose<double> pose{x.r, x.R, {}};
  REQUIRE(find_contact(law, pose, begin, c));
  REQUIRE(evaluate_row_changes(law, pose, c));
  return c;
}

}  // namespace

TEST_CASE("Smoothed gap: the sum over nodes is the integral over true distances") {
  const WheelOnRail of = s1002_on_uic60(1);
  std::array<double, 2> worst{}, worst_s{};  // of tread, of flange
  for (const double nu : {5e-6, 2e-5}) {
    const SmoothedGap gap(of, nu);
    for (const double y : {-6e-3, -3e-3, 0.0, 1.9e-4, 2e-4, 3e-3, 5.5e-3,
                           6.5e-3}) {  // about 0.2 mm the rigid point jumps; then comes the flange
      for (const double yaw : {0.0, 0.015}) {
        double z = 0.46;
        SmoothedGap::Answer found;
        for (int pass = 0; pass < 6; ++pass) {  // let down until it touches
          const Axle<double> axle = axle_of(of, Vec3d{0.3, y, z}, turned(0.0007, yaw));
          found = gap.at(gap_place(axle.centre, axle.axis));
          REQUIRE(found.is_there);
          if (pass < 5) z -= found.g / found.g_u[1];
        }
        const Direct exact = direct(of, axle_of(of, Vec3d{0.3, y, z}, turned(0.0007, yaw)), nu);
        const std::size_t part = y > 5e-3;
        worst[part] = std::max(worst[part], std::abs(found.g - exact.g) / nu),
        worst_s[part] = std::max(worst_s[part], std::abs(found.s - exact.s));
      }
    }
  }
  // A point the height v above a rail of slope f' and curvature k is v c (1 - v f'^2 k c / 2) from it, c being the cosine: v is five nu. On the tread f' is 0.1, on the flange 2.7
  // and k there 1/13 mm.
  MESSAGE("off the integral over true distances by at most ", worst[0], " nu in g and ", worst_s[0],
          " m in s on the tread, ", worst[1], " nu and ", worst_s[1], " m on the flange");
  CHECK(worst[0] < 2e-3);
  CHECK(worst_s[0] < 5e-6);
  CHECK(worst[1] < 0.15);
  CHECK(worst_s[1] < 5e-5);
}

TEST_CASE("Smoothed gap: derivatives against differences") {
  const WheelOnRail of = s1002_on_uic60(1);
  const SmoothedGap gap(of, 1e-5);
  for (const double y : {-4e-3, 2e-4, 4e-3}) {
    const Axle<double> axle = axle_of(of, Vec3d{0, y, 0.46}, turned(0.001, 0.01));
    const GapPlace u = gap_place(axle.centre, axle.axis);
    const SmoothedGap::Answer f = gap.at(u);
    const GapPlace s_u = gap.slopes_of_s(u);
    const SmoothedGap::Bends g_uu = gap.bends(u);
    const double h[] = {1e-8, 1e-8, 1e-8, 1e-8};
    for (std::size_t j = 0; j < 4; ++j) {
      const auto by = [&](double step) {
        GapPlace v = u;
        v[j] += step;
        return gap.at(v);
      };
      const SmoothedGap::Answer ahead = by(h[j]), behind = by(-h[j]);
      CHECK(std::abs((ahead.g - behind.g) / (2 * h[j]) - f.g_u[j]) < 1e-6);
      CHECK((ahead.s - behind.s) / (2 * h[j]) == doctest::Approx(s_u[j]).epsilon(1e-4).scale(1));
      for (std::size_t i = 0; i < 4; ++i)
        CHECK((ahead.g_u[i] - behind.g_u[i]) / (2 * h[j]) == doctest::Approx(g_uu[i][j]).epsilon(1e-4).scale(10));
    }
  }
}

// The same integrand in steps of 10 um. What is left is the cut at 20 nu and, at few places, that profiles are no bells: their curvature changes within a peak.
TEST_CASE("Smoothed gap: as many nodes as its peaks weigh") {
  const WheelOnRail of = s1002_on_uic60(1);
  const double nu = 5e-6;
  const SmoothedGap gap(of, nu);
  const RailHeight rail(*of.rail);
  std::vector<double> g_errors, slope_errors;
  for (double y = -6e-3; y < 6.5e-3; y += 2e-4) {
    double z = 0.46;
    for (int pass = 0; pass < 5; ++pass) {
      const Axle<double> axle = axle_of(of, Vec3d{0.3, y, z}, turned(0.0007, 0.002));
      const SmoothedGap::Answer& f = gap.at(gap_place(axle.centre, axle.axis));
      z -= f.g / f.g_u[1];
    }
    const Axle<double> axle = axle_of(of, Vec3d{0.3, y, z}, turned(0.0007, 0.002));
    const SmoothedGap::Answer found = gap.at(gap_place(axle.centre, axle.axis));
    constexpr double step = 1e-5;
    double all = 0, across = 0, up = 0;
    for (double s = of.wheel->first(); s < of.wheel->last(); s += step) {
      const auto wheel = silhouette_point(of, axle, s);
      if (!rail.contains(wheel.at.y)) continue;
      const auto f = rail.jet(wheel.at.y);
      const double c = 1 / std::hypot(1.0, f[1]), above = wheel.at.z - f[0],
                   weight = std::exp((found.g - above * c) / nu);
      if (!std::isfinite(weight)) continue;
      all += weight, up += weight * c, across += weight * (-above * f[1] * f[2] * c * c * c - f[1] * c);
    }
    g_errors.push_back(std::abs(nu * std::log(all * step / (of.wheel->last() - of.wheel->first()))));
    slope_errors.push_back(std::max(std::abs(found.g_u[0] - across / all), std::abs(found.g_u[1] - up / all)));
  }
  for (auto* list : {&g_errors, &slope_errors}) std::ranges::sort(*list);
  const std::size_t half = g_errors.size() / 2;
  MESSAGE("off by ", g_errors[half], " m at half of ", g_errors.size(), " places, ", g_errors.back(),
          " m at the worst; slopes by ", slope_errors[half], " and ", slope_errors.back());
  CHECK(g_errors[half] < 2e-12);
  CHECK(g_errors.back() < 4e-9);
  CHECK(slope_errors[half] < 4e-8);
  CHECK(slope_errors.back() < 5e-5);
}

// Two routes: all second derivatives, and the one in a direction.
TEST_CASE("Smoothed gap: how it bends along a direction, and what was asked for before does not show") {
  const WheelOnRail of = s1002_on_uic60(1);
  const SmoothedGap gap(of, 1e-5), other(of, 1e-5);
  for (const double y : {-4e-3, 2e-4, 4e-3}) {
    const Axle<double> axle = axle_of(of, Vec3d{0, y, 0.46}, turned(0.001, 0.01));
    const GapPlace u = gap_place(axle.centre, axle.axis), rate{0.02, -0.003, 0.004, 0.0007};
    const SmoothedGap::Bends bends = gap.bends(u);
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        sum += rate[i] * bends[i][j] * rate[j], size += std::abs(rate[i] * bends[i][j] * rate[j]);
    }
    CHECK(std::abs(gap.bend_along(u, rate) - sum) < 1e-10 * size);
    CHECK(other.bend_along(u, rate) == gap.bend_along(u, rate));  // nobody has asked for anything else there
  }
}

// First derivatives of the gradient against second ones of the row, by nested dual numbers.
void check_gradients(const model::GradientLaw& law, const model::Pose<double>& x,
                     const model::LocalConditions& nested) {
  model::LocalConditions plain = nested, c = nested;
  plain.G = c.G = {}, c.G_change = c.G_partial = {};
  evaluate_rows(law, x, plain), evaluate_row_changes(law, x, c);
  CHECK((plain.g[0] == nested.g[0] && c.g[0] == nested.g[0]));
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK((std::abs(plain.G[0][i] - nested.G[0][i]) < 1e-14 &&
           std::abs(c.G[0][i] - nested.G[0][i]) < 1e-14));  // numbers of 1
    for (std::size_t j = 0; j < 6; ++j) {
      CHECK(std::abs(c.G_change[0][i][j] - nested.G_change[0][i][j]) < 1e-11);  // numbers of 1e3
      CHECK(c.G_partial[0][i][j] == c.G_change[0][i][j]);
    }
  }
}

TEST_CASE(
    "Contact by constraint on a curved track: rows are those of a straight one, G and its changes those of "
    "differences") {
  for (const double side : {1.0, -1.0}) {
    const WheelOnRail of = s1002_on_uic60(side);
    for (const bool uneven : {false, true}) {
      const LinePtr line = bent(uneven);
      const model::TrackPlace<double> at = line->place(60.0);
      const Vec3d r{0, 0.002, 0.46};  // in axes of the track
      const Mat3d R = turned(0.0006, 0.008);
      const Place x{at.position + at.axes * r, at.axes * R};
      const auto make = [&](bool rigid, LinePtr on) {
        const ConstraintOptions options{.place = of, .nu = 1e-5, .line = std::move(on)};
        return rigid ? rigid_contact(options) : quasi_elastic_contact(options);
      };
      for (const bool rigid : {true, false}) {
        CAPTURE(rigid);
        const auto law = make(rigid, line);
        const model::LocalConditions c = rows_at(*law, x);
        model::LocalConditions rows;  // by another route than that of their changes
        REQUIRE((find_contact(*law, model::Pose<double>{x.r, x.R, {}}, {}, rows) &&
                 evaluate_rows(*law, model::Pose<double>{x.r, x.R, {}}, rows)));
        for (std::size_t i = 0; i < 6; ++i) CHECK(rows.G[0][i] == doctest::Approx(c.G[0][i]).epsilon(1e-9).scale(1));
        if (const auto* known = dynamic_cast<const model::GradientLaw*>(law.get()))
          check_gradients(*known, {x.r, x.R, {}}, c);
        if (!uneven) {  // the foot is that of the wheel's centre, 6 mm along the track by the yaw: the cant has changed by 6e-7 there
          const double straight = rows_at(*make(rigid, {}), {r, R}).g[0];
          CHECK(c.g[0] == doctest::Approx(straight).epsilon(2e-2));
          CHECK(std::abs(c.g[0] - straight) < 2e-6);
        }
        const double h = 6e-8;
        for (int j = 0; j < 6; ++j) {
          const auto begin = std::span<const double>(c.s).first(static_cast<std::size_t>(c.variables));
          const auto G = [&](double by) { return rows_at(*law, moved(x, j, by), begin); };
          const model::LocalConditions ahead = G(h), behind = G(-h), far = G(2 * h), back = G(-2 * h);
          CHECK(std::abs((ahead.g[0] - behind.g[0]) / (2 * h) - c.G[0][j]) < 1e-5);
          for (int i = 0; i < 6; ++i) {
            const double near = (ahead.G[0][i] - behind.G[0][i]) / (2 * h),
                         wide = (far.G[0][i] - back.G[0][i]) / (4 * h);
            CHECK(std::abs((4 * near - wide) / 3 - c.G_change[0][i][j]) < 2e-2);  // entries of 1e3
          }
        }
      }
    }
  }
}

// All at once, against the motion and the multiplier by themselves.
void check_loads(const model::SlopedLoads& sloped, const model::ContributionLaw& law, const model::Relative<double>& m,
                 double lambda, const model::Wrench<model::Local>& by_motion) {
  const std::array<double, 1> load{lambda};
  std::array<double, 6 * 13> slopes;
  model::Wrench<double> w{};
  sloped.loads_and_slopes(test::seeded(m), {m, {}, {}, {}, {}, {}, load}, {w, {}, {}}, slopes);
  model::Relative<model::Local> still;
  still.t = model::Local(m.t), still.set = m.set, still.R = Mat3<model::Local>(m.R);
  still.r = Vec3<model::Local>(m.r), still.v = Vec3<model::Local>(m.v), still.w = Vec3<model::Local>(m.w);
  const std::array<model::Local, 1> variable{model::Local::variable(lambda, 0)};
  model::Wrench<model::Local> by_load{};
  law.loads({still, {}, {}, {}, {}, {}, variable}, {by_load, {}, {}});
  for (std::size_t i = 0; i < 6; ++i) {
    const auto of = [&](const auto& wrench) {
      return i < 3 ? wrench.f[static_cast<int>(i)] : wrench.n[static_cast<int>(i - 3)];
    };
    CHECK(of(w) == doctest::Approx(of(by_motion).v).epsilon(1e-13).scale(1));
    CHECK(slopes[13 * i + 12] == doctest::Approx(of(by_load).d[0]).epsilon(1e-12).scale(1e-3));
    for (std::size_t k = 0; k < 12; ++k)
      CHECK(slopes[13 * i + k] == doctest::Approx(of(by_motion).d[k]).epsilon(1e-12).scale(1e2));  // entries of 1e6
  }
}

TEST_CASE("Contact by constraint: creep forces and their derivatives, on a curved track too") {
  for (const bool rigid : {false, true}) {
    for (const LinePtr& line : {LinePtr{}, bent(true)}) {
      RollingOptions rolling;
      rolling.creep = make_creep_law({.law = "polach"});
      const ConstraintOptions options{.place = s1002_on_uic60(-1), .rolling = rolling, .nu = 1e-5, .line = line};
      const auto law = rigid ? rigid_contact(options) : quasi_elastic_contact(options);
      model::Relative<double> m{};
      const model::TrackPlace<double> at =
          line ? line->place(60.0) : model::TrackPlace<double>{{60, 0, 0}, Mat3d::identity()};
      m.r = at.position + at.axes * Vec3d{0, 0.002, 0.46}, m.R = at.axes * turned(0.0005, 0.004);
      m.v = at.axes * Vec3d{20, 0.03, 0.01}, m.w = at.axes * Vec3d{0.01, 43.5, 0.05};
      const model::LocalConditions c = rows_at(*law, {m.r, m.R});
      const double lambda = -8e4;
      std::array<double, 1> load{lambda};
      const auto loads = [&](const model::Relative<double>& n) {
        // contact variables follow the pose in a rigid contact: held here, as the law has them for itself
        model::Wrench<double> w{};
        law->loads({n, {}, {}, std::span<const double>(c.s).first(static_cast<std::size_t>(c.variables)), {}, {}, load},
                   {w, {}, {}});
        return w;
      };
      const model::Relative<model::Local> x = test::seeded(m);
      const std::array<model::Local, 1> dual_load{model::Local(lambda)};
      std::array<model::Local, model::most_contact_variables> s;
      for (int k = 0; k < c.variables; ++k)
        s[static_cast<std::size_t>(k)] = model::Local(c.s[static_cast<std::size_t>(k)]);
      model::Wrench<model::Local> exact{};
      law->loads(
          {x, {}, {}, std::span<const model::Local>(s).first(static_cast<std::size_t>(c.variables)), {}, {}, dual_load},
          {exact, {}, {}});
      const model::Wrench<double> here = loads(m);
      CHECK(norm(here.f) > 1e3);
      if (const auto* sloped = dynamic_cast<const model::SlopedLoads*>(law.get()))
        check_loads(*sloped, *law, m, lambda, exact);
      CHECK(exact.f.y.v == doctest::Approx(here.f.y).epsilon(1e-9));
      for (int j = 0; j < 12; ++j) {
        const double h = j < 6 ? 1e-8 : 1e-6;
        const auto by = [&](double step) {
          model::Relative<double> n = m;
          const int axis = j % 3;
          Vec3d e;
          e[axis] = 1;
          if (j < 3) n.r[axis] += step;
          if (j >= 3 && j < 6) n.R = axis_rotation(e, step) * n.R;
          if (j >= 6 && j < 9) n.v[axis] += step;
          if (j >= 9) n.w[axis] += step;
          return loads(n);
        };
        const model::Wrench<double> ahead = by(h), behind = by(-h);
        const double scale = j < 6 ? 1e8 : 1e6;  // N/m, N.s/m
        for (int i = 0; i < 3; ++i) {
          CHECK(std::abs((ahead.f[i] - behind.f[i]) / (2 * h) - exact.f[i].d[static_cast<std::size_t>(j)]) <
                1e-5 * scale);
          CHECK(std::abs((ahead.n[i] - behind.n[i]) / (2 * h) - exact.n[i].d[static_cast<std::size_t>(j)]) <
                1e-5 * scale);
        }
      }
    }
  }
}
