#include "skyhook/element/rail/elastic_contact.h"

#include <doctest/doctest.h>

#include <random>

#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/rail/contact_geometry.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::rail;
using test::exponential;

namespace {

WheelOnRail s1002_on_uic60(double side) {
  WheelOnRail of;
  of.wheel = built_in("s1002"), of.rail = inclined(*built_in("uic60"), std::atan(1.0 / 40));
  of.side = side, of.radius = 0.46, of.half = 0.75;
  of.rail_y = 1.435 / 2 - of.rail->gauge_face(0.014);
  return of;
}

ElasticOptions options_of(const WheelOnRail& place, const char* creep, bool several = false) {
  ElasticOptions out;
  out.place = place, out.has_several = several;
  out.rolling.creep = make_creep_law({.law = creep});
  return out;
}

model::Wrench<double> loads_of(const model::ContributionLaw& law, const model::Relative<double>& m) {
  model::Wrench<double> out{};
  law.loads({m, {}, {}, {}}, {out, {}, {}});
  return out;
}

// A wheelset at 20 m/s, shifted, turned, and pressed by about `press`.
model::Relative<double> at_speed(double shift, double roll, double yaw, double press) {
  model::Relative<double> m{};
  m.r = {0.0, shift, 0.46 - press};
  m.R = exponential({0, 0, yaw}) * exponential({roll, 0, 0});
  m.v = {20.0, 0.01, 0.002};
  m.w = m.R * Vec3d{0.01, 20.0 / 0.46 * 1.0005, 0.02};
  return m;
}

double quantity(const model::ContributionLaw& law, const model::Relative<double>& m, const std::string& name) {
  std::vector<double> out;
  const model::Wrench<double> w{};
  law.measure({m, {}, {}, {}}, {w, {}}, out);
  const auto all = law.quantities();
  REQUIRE(out.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return out[i];
  }
  FAIL("no such quantity");
  return 0.0;
}

// Let down until the bodies overlap by that much.
model::Relative<double> pressed(const model::ContributionLaw& law, model::Relative<double> m, double by) {
  for (int k = 0; k < 8; ++k) m.r.z += quantity(law, m, "approach") - by;
  return m;
}

std::array<double, 6> numbers(const model::Wrench<double>& w) { return {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z}; }

}  // namespace

TEST_CASE("Elastic wheel-rail contact: a cone on a circle is Hertz's patch in closed form") {
  WheelOnRail of;
  of.wheel = conical(0.0), of.rail = circular(0.3), of.radius = 0.46;  // a cylinder on a circle, at their middles
  ElasticOptions options = options_of(of, "fastsim");
  options.damping = 0;
  const auto law = elastic_contact(options);
  model::Relative<double> m{};
  m.R = Mat3d::identity();
  for (double p : {1e-5, 1e-4}) {
    m.r = {0, 0, 0.46 - p};
    const HertzPatch<double> patch = patch_of_approach(hertz_shape(0.5 / 0.46, 0.5 / 0.3, Elastic{}), p);
    // the wheel's point is p/2 in the rail and profiles are splines: 1e-4
    CHECK(loads_of(*law, m).f.z == doctest::Approx(patch.load).epsilon(3e-4));
  }
  m.r.z = 0.46 + 1e-6;
  CHECK(loads_of(*law, m).f.z == 0.0);
}

TEST_CASE("Elastic wheel-rail contact: exact derivatives against differences") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (bool several : {false, true}) {
    for (double side : {1.0, -1.0}) {
      const auto law = elastic_contact(options_of(s1002_on_uic60(side), "fastsim", several));
      int compared = 0;
      for (int k = 0; k < 40; ++k) {
        const model::Relative<double> m =
            pressed(*law, at_speed(5e-3 * unit(random), 2e-4 * unit(random), 4e-3 * unit(random), 0),
                    6e-5 + 5e-5 * unit(random));
        const model::Wrench<double> here = loads_of(*law, m);
        const model::Relative<model::Local> x = test::seeded(m);
        model::Wrench<model::Local> exact{};
        law->loads({x, {}, {}, {}}, {exact, {}, {}});
        const std::array<const model::Local*, 6> rows{&exact.f.x, &exact.f.y, &exact.f.z,
                                                      &exact.n.x, &exact.n.y, &exact.n.z};
        // lengths of the patch, angles, velocities: what moves the force by about its own size
        const double h[4] = {1e-9, 1e-9, 1e-7, 1e-7}, usual[4] = {1e-4, 1e-4, 1e-2, 1e-2};
        for (std::size_t j = 0; j < 12; ++j) {
          const auto moved = [&](double by) {
            model::Relative<double> n = m;
            const int axis = static_cast<int>(j % 3);
            Vec3d d{};
            d[axis] = by;
            if (j < 3)
              n.r = n.r + d;
            else if (j < 6)
              n.R = exponential(d) * n.R;
            else if (j < 9)
              n.v = n.v + d;
            else
              n.w = n.w + d;
            return numbers(loads_of(*law, n));
          };
          const double step = h[j / 3];
          const auto up = moved(step), down = moved(-step);
          for (std::size_t i = 0; i < 6; ++i) {
            const double slope = (up[i] - down[i]) / (2 * step), size = norm(here.f) + 0.75 * norm(here.f);
            CAPTURE(several);
            CAPTURE(i);
            CAPTURE(j);
            CHECK(std::abs(slope - rows[i]->d[j]) * usual[j / 3] < 3e-5 * size);
          }
        }
        ++compared;
      }
      CHECK(compared > 25);
    }
  }
}

TEST_CASE("Elastic wheel-rail contact: left and right are mirror images") {
  const auto left = elastic_contact(options_of(s1002_on_uic60(1), "fastsim")),
             right = elastic_contact(options_of(s1002_on_uic60(-1), "fastsim"));
  const model::Relative<double> m = pressed(*left, at_speed(2e-3, 1e-4, 3e-3, 0), 6e-5);
  model::Relative<double> n = m;
  const Mat3d flip = Mat3d::columns({1, 0, 0}, {0, -1, 0}, {0, 0, 1});
  n.r = flip * m.r, n.v = flip * m.v, n.w = -1.0 * (flip * m.w), n.R = flip * m.R * flip;
  const model::Wrench<double> a = loads_of(*left, m), b = loads_of(*right, n);
  CHECK(a.f.z > 1e4);
  CHECK(norm(flip * a.f - b.f) < 1e-9 * norm(a.f));
  CHECK(norm(flip * a.n + b.n) < 1e-9 * norm(a.n));
}

TEST_CASE("Elastic wheel-rail contact: a track that leads elsewhere is the same track") {
  // a straight line that begins somewhere and points to the left by 0.7 rad
  model::TrackPiece straight;
  straight.length = 1000;
  ElasticOptions options = options_of(s1002_on_uic60(1), "fastsim");
  const auto plain = elastic_contact(options);
  options.line = std::make_shared<const model::TrackLine>(std::vector<model::TrackPiece>{straight},
                                                          model::TrackBegin{{3, 4, 1}, 0.7});
  const auto turned = elastic_contact(options);
  model::Relative<double> m = pressed(*plain, at_speed(2e-3, 1e-4, 3e-3, 0), 6e-5), n = m;
  m.r.x = 50;
  const Mat3d turn = exponential({0, 0, 0.7});
  n.r = turn * m.r + Vec3d{3, 4, 1}, n.R = turn * m.R, n.v = turn * m.v, n.w = turn * m.w;
  const model::Wrench<double> a = loads_of(*plain, m), b = loads_of(*turned, n);
  CHECK(norm(turn * a.f - b.f) < 1e-7 * norm(a.f));
  CHECK(norm(turn * a.n - b.n) < 1e-7 * norm(a.n));
}

TEST_CASE("Multi-Hertz: a flange patch beside that of the tread, and no jump where they come and go") {
  const auto several = elastic_contact(options_of(s1002_on_uic60(1), "fastsim", true));
  // Pressed by 60 um at the deepest place while it shifts to the left, from the tread to the flange: the load must have no jump.
  const WheelOnRail of = s1002_on_uic60(1);
  const OverlapSearch search(of);
  const auto at = [&](double shift) {
    model::Relative<double> m = at_speed(shift, 0, 0, 0);
    for (int k = 0; k < 6; ++k) {
      const Overlaps all = search.find(axle_of(of, m.r, m.R), 5e-3);
      double least = 1;
      for (int i = 0; i < all.count; ++i) least = std::min(least, all.least[static_cast<std::size_t>(i)].distance);
      REQUIRE(least < 1);
      m.r.z -= least + 6e-5;
    }
    return m;
  };
  int most = 0;
  double before = 0, largest = 0, size = 0, where = 0;
  const int n = 1200;
  for (int i = 0; i <= n; ++i) {
    const model::Relative<double> m = at(6.5e-3 * i / n);
    const double f = loads_of(*several, m).f.z;
    most = std::max(most, static_cast<int>(quantity(*several, m, "patches")));
    if (i > 0 && std::abs(f - before) > largest) largest = std::abs(f - before), where = m.r.y;
    size = std::max(size, f), before = f;
  }
  CHECK(most >= 2);
  INFO("largest change ", largest, " of ", size, " at ", where);
  CHECK(largest < 0.03 * size);  // per 5 um of shift
}

// From tread to flange, at the heights at which both overlap: the force across turns within a tenth of the approach, and the sum of forces has no jump.
TEST_CASE("Hertz: the contact passes smoothly from the tread to the flange") {
  const WheelOnRail of = s1002_on_uic60(1);
  ElasticOptions options = options_of(of, "fastsim");
  options.damping = 0;
  const auto law = elastic_contact(options);
  const OverlapSearch search(of);
  double before = 0, largest = 0, jump = 0, two = 0;
  for (double shift = 4e-3; shift < 6.8e-3; shift += 2e-7) {
    model::Relative<double> m = at_speed(shift, 0, 0, 0);
    m.r.z = 0.46 - 1e-4;
    const Vec3d f = loads_of(*law, m).f;
    if (search.find(axle_of(of, m.r, m.R), 0).count > 1) two = shift;
    if (largest > 0) jump = std::max(jump, std::abs(f.y - before));
    before = f.y, largest = std::max(largest, norm(f));
  }
  CHECK(two > 0);  // both do overlap on the way
  MESSAGE("largest change of the force across, per 0.2 um: ", jump, " of ", largest, " N");
  CHECK(jump < 0.02 * largest);
  // with exact derivatives on the way
  double where = 0;
  for (double shift = 4e-3; shift < 6.8e-3; shift += 1e-6) {
    model::Relative<double> m = at_speed(shift, 0, 0, 0);
    m.r.z = 0.46 - 1e-4;
    const Overlaps all = search.find(axle_of(of, m.r, m.R), 0);
    if (all.count == 2 && std::abs(all.least[0].distance / all.least[1].distance - 1) < 0.1) where = shift;
  }
  REQUIRE(where > 0);
  model::Relative<double> m = at_speed(where, 0, 0, 0);
  m.r.z = 0.46 - 1e-4;
  model::Wrench<model::Local> exact{};
  law->loads({test::seeded(m), {}, {}, {}}, {exact, {}, {}});
  const auto at = [&](double by) {
    model::Relative<double> n = m;
    n.r.y += by;
    return loads_of(*law, n).f.y;
  };
  CHECK(exact.f.y.d[1] == doctest::Approx((at(1e-9) - at(-1e-9)) / 2e-9).epsilon(1e-4));
}

TEST_CASE("Elastic wheel-rail contact: a wheel beside its rail is refused with a word") {
  const auto law = elastic_contact(options_of(s1002_on_uic60(1), "fastsim"));
  const auto why = [&](const Vec3d& r) { return law->refuses({r, Mat3d::identity()}, {}); };
  CHECK(why({0, 0, 0.46}).empty());
  CHECK(why({0, 0, 0.50}).empty());  // in the air
  CHECK(why({0, -0.2, 0.46}).find("between the rails") != std::string::npos);
  CHECK(why({0, 0.2, 0.46}).find("derailed") != std::string::npos);
  CHECK(why({0, 0, 0.40}).find("below the top") != std::string::npos);
}

// Curvatures of the gap with the skew, by eigenvalues (16.8).
TEST_CASE("Elastic wheel-rail contact: on a flange that yaws the ellipse has the curvatures of the skew gap") {
  const WheelOnRail of = s1002_on_uic60(-1);
  const RailPair pair(of.wheel, of.rail, of.half, of.radius, of.rail_y);
  ElasticOptions options = options_of(of, "fastsim");
  options.damping = 0, options.rolling.creep = nullptr;
  const auto law = elastic_contact(options);
  for (const double yaw : {0.0, 0.009, 0.018}) {
    const AxlePlace at{-7.5e-3, 0.007642, yaw};  // as row 16 of the Manchester benchmark has it
    const RailContact contact = pair.find(at.mirrored()).contact();
    model::Relative<double> m{};
    m.r = {0, at.y, contact.height}, m.R = exponential({0, 0, yaw}) * exponential({at.roll, 0, 0});
    m = pressed(*law, m, 2e-5);
    const RelativeCurvatures k = relative_curvatures(contact);
    const double expected = patch_of_approach(hertz_shape(k.A, k.B, Elastic{}), quantity(*law, m, "approach")).load;
    MESSAGE("yaw ", yaw, ": normal force ", quantity(*law, m, "normal"), " N, by eigenvalues ", expected);
    CHECK(quantity(*law, m, "normal") == doctest::Approx(expected).epsilon(2e-3));
  }
}

// The wheel is held at one height and moved to the field side: the flange goes ever deeper into the rail, far beyond what steel would bear. Reference: it always presses, by no more than the bound of 2 MN a patch and
// never by much less than before. Where flange root and rail corner, both of 13 mm, cease to have parallel tangents, the ellipse changes: without the bound the force falls from 5.8 to 2.4 MN there.
TEST_CASE("Elastic wheel-rail contact: a flange that is forced into its rail stays in contact") {
  for (const bool several : {false, true}) {
    ElasticOptions options = options_of(s1002_on_uic60(1), "fastsim", several);
    options.damping = 0, options.rolling.creep = nullptr;
    const auto law = elastic_contact(options);
    double largest = 0, size = 0, least = 1;
    for (double shift = 6.5e-3; shift < 12e-3; shift += 5e-5) {
      CAPTURE(several);
      CAPTURE(shift);
      const Vec3d force = loads_of(*law, at_speed(shift, 0, 0, 0)).f;
      least = std::min(least, norm(force) / std::max(size, 1.0));
      size = std::max(size, norm(force));
      CHECK(-force.y > 0.4 * largest);
      largest = std::max(largest, -force.y);
      CHECK(norm(force) < (several ? 3 : 1) * 2e6);
    }
    MESSAGE((several ? 3 : 1), " patches at most: the force is at least ", least, " of the largest before; largest ",
            size, " N");
    CHECK(least > 0.8);
    CHECK(largest > 1e6);
  }
}

TEST_CASE("Elastic wheel-rail contact: exact derivatives where a flange is forced deep into its rail") {
  ElasticOptions options = options_of(s1002_on_uic60(1), "fastsim");
  options.damping = 0, options.rolling.creep = nullptr;
  const auto law = elastic_contact(options);
  for (const double shift : {8e-3, 9e-3, 10.3e-3, 11.1e-3}) {
    const model::Relative<double> m = at_speed(shift, 1e-4, 2e-3, 0);
    model::Wrench<model::Local> exact{};
    law->loads({test::seeded(m), {}, {}, {}}, {exact, {}, {}});
    const auto at = [&](double by) {
      model::Relative<double> n = m;
      n.r.y += by;
      return loads_of(*law, n).f.y;
    };
    CAPTURE(shift);
    CHECK(exact.f.y.v < -1e5);
    CHECK(exact.f.y.d[1] == doctest::Approx((at(1e-9) - at(-1e-9)) / 2e-9).epsilon(1e-4));
  }
}
