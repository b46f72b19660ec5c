// Rigid, quasi-elastic and elastic contact of one wheel go to each other on smooth profiles. Rates by hand: the approach of Hertz (17.4) is (N/k)^(2/3) with k in proportion to the shear modulus G, so
// that an elastic wheel stands deeper than a rigid one like G^(-2/3); a quasi-elastic one like nu ln(1/nu) (18.9).
#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/rail/elastic_contact.h"
#include "skyhook/element/rail/rigid_contact.h"
#include "skyhook/math/rotation.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::rail;

namespace {

struct Case {
  const char* name;
  WheelOnRail of;
  double shift, roll, yaw;
};

Mat3d turned(const Case& c) { return axis_rotation(Vec3d{0, 0, 1}, c.yaw) * axis_rotation(Vec3d{1, 0, 0}, c.roll); }

struct Stand {
  double height, on_wheel;  // of the wheel's frame; where it touches on its profile
};

double quantity(const model::ContributionLaw& law, const model::Relative<double>& m, const char* name,
                std::span<const double> s = {}) {
  std::vector<double> out;
  const model::Wrench<double> none{};
  const std::array<double, 1> pressed{-8e4};
  law.measure({m, {}, {}, s}, {none, pressed}, out);
  const auto all = law.quantities();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return out[i];
  }
  FAIL("no such quantity");
  return 0;
}

model::Relative<double> at(const Case& c, double z) {
  model::Relative<double> m{};
  m.r = {0, c.shift, z}, m.R = turned(c);
  return m;
}

Stand by_constraint(const Case& c, const model::ContributionLaw& law) {
  double z = c.of.radius;
  model::LocalConditions found;
  for (int pass = 0; pass < 30; ++pass) {
    const model::Pose<double> pose{{0, c.shift, z}, turned(c), {}};
    REQUIRE(find_contact(law, pose, {}, found));
    REQUIRE(evaluate_rows(law, pose, found));
    z -= found.g[0] / found.G[0][2];
  }
  return {z, found.variables > 0 ? c.of.wheel->at(found.s[0]).y : c.of.wheel->at(quantity(law, at(c, z), "s")).y};
}

// Under the normal force N: by halving.
Stand elastic(const Case& c, double shear, double N) {
  ElasticOptions options;
  options.place = c.of, options.damping = 0, options.rolling.material.shear = shear;
  const auto law = elastic_contact(options);
  double low = c.of.radius - 5e-3, high = c.of.radius + 5e-3;
  for (int k = 0; k < 60; ++k) {
    const double z = 0.5 * (low + high);
    (quantity(*law, at(c, z), "normal") > N ? low : high) = z;
  }
  return {low, quantity(*law, at(c, low), "on_wheel")};
}

}  // namespace

TEST_CASE("Elastic contact goes to rigid contact like G^(-2/3), quasi-elastic like nu ln(1/nu)") {
  const ProfilePtr wheel = built_in("s1002"), rail = built_in("uic60_1in40");
  const WheelOnRail cone{conical(0.05), circular(0.3), 1, 0.46, 0.75, 0.75};
  const WheelOnRail real{wheel, rail, 1, 0.46, 0.75, 1.435 / 2 - rail->gauge_face(0.014)};
  for (const Case& c :
       {Case{"cone on a circle", cone, 2e-3, 0.001, 0.005}, Case{"S1002 on UIC 60", real, -3e-3, 0.0005, 0.003}}) {
    CAPTURE(c.name);
    const Stand rigid = by_constraint(c, *rigid_contact({.place = c.of}));
    double before = 0, point_before = 0;
    for (int k = 0; k <= 4; ++k) {
      const double shear = 82e9 * std::pow(8.0, k);
      const Stand e = elastic(c, shear, 8e4);
      const double deeper = rigid.height - e.height, beside = std::abs(e.on_wheel - rigid.on_wheel);
      const double rate = before > 0 ? std::log(deeper / before) / std::log(8.0) : 0;
      MESSAGE(std::string(c.name), ", G ", shear, " Pa: deeper by ", deeper, " m, beside by ", beside,
              " m, power of G ", rate);
      if (before > 0) CHECK(rate == doctest::Approx(-2.0 / 3).epsilon(k > 1 ? 0.01 : 0.03));
      if (point_before > 0 && k > 1) CHECK(beside < 0.3 * point_before + 1e-9);
      before = deeper, point_before = beside;
    }
    for (const double nu : {1e-5, 1e-6, 1e-7}) {
      const Stand q = by_constraint(c, *quasi_elastic_contact({.place = c.of, .nu = nu}));
      const double deeper = rigid.height - q.height, share = deeper / (nu * std::log(1 / nu));
      MESSAGE(std::string(c.name), ", nu ", nu, " m: deeper by ", deeper, " m, ", share, " of nu ln(1/nu); beside by ",
              std::abs(q.on_wheel - rigid.on_wheel), " m");
      CHECK(share > 0.25);
      CHECK(share < 0.55);
    }
  }
}
