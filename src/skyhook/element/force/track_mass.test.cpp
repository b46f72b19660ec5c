// References: forces and energy by hand.
#include "skyhook/element/force/track_mass.h"

#include <array>
#include <cmath>

#include "skyhook/element/joint_check.testing.h"
#include "skyhook/model/contribution.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

TrackMass track() {
  TrackMass t;
  t.from = marker(0, {0, 0, 0});
  t.to = marker(1, {0, 0, 0.5});
  t.mass = 3, t.stiffness = 100, t.damping = 7, t.radius = 0.5;
  return t;
}

struct Loads {
  model::Wrench<double> wrench{};
  std::array<double, 1> force{};
};
Loads loads_at(const model::ContributionLaw& law, double z, double vz, double p, double rate) {
  model::Relative<double> m{};
  m.r = {4, 5, z}, m.v = {1, 2, vz}, m.R = Mat3d::identity();
  const std::array at{p}, speed{rate};
  Loads out;
  law.loads({m, {}, {}, {}, at, speed}, {out.wrench, {}, {}, out.force});
  return out;
}

}  // namespace

TEST_CASE("A track mass: the bed pushes it back, and a contact presses wheel and mass apart") {
  TrackMass t = track();
  t.contact_stiffness = 1000;
  const auto law = law_of(t);
  REQUIRE(law->declared().coordinates.size() == 1);
  CHECK(law->declared().coordinates[0].mass == 3);
  CHECK(law->declared().rows.empty());
  const Loads apart = loads_at(*law, 0.6, 0, 0.02, 0.1);
  CHECK(norm(apart.wrench.f) == 0);
  CHECK(apart.force[0] == doctest::Approx(-100 * 0.02 - 7 * 0.1));
  const Loads pressed = loads_at(*law, 0.49, 5, -0.003, 0.1);  // by 7 mm
  CHECK(pressed.wrench.f.z == doctest::Approx(7));
  CHECK(norm(pressed.wrench.n) == 0);
  CHECK(pressed.force[0] == doctest::Approx(100 * 0.003 - 7 * 0.1 - 7));
}

TEST_CASE("A track mass: exponent and damping of the contact are those of `contact`") {
  TrackMass t = track();
  t.contact_stiffness = 1000, t.contact_depth = 0.004, t.contact_exponent = 1.5, t.contact_damping = 2;
  const double speed = 0.3, z = 2 * speed;  // of compression
  const Loads pressed = loads_at(*law_of(t), 0.484, -speed, 0, 0);
  CHECK(pressed.wrench.f.z == doctest::Approx(1000 * 0.004 * std::pow(4, 1.5) * (z + std::sqrt(1 + z * z))));
}

TEST_CASE("A track mass without contact stiffness is a row that presses on both") {
  const auto law = law_of(track());
  REQUIRE(law->declared().rows.size() == 1);
  const std::array p{0.01};
  const model::Pose<double> x{{1, 2, 0.53}, Mat3d::identity(), p};
  model::LocalConditions c;
  REQUIRE(find_contact(*law, x, {}, c));
  REQUIRE(evaluate_row_changes(*law, x, c));
  CHECK(c.g[0] == doctest::Approx(0.02));
  const std::array<double, 7> G{0, 0, 1, 0, 0, 0, -1};
  for (int i = 0; i < 7; ++i) {
    CHECK(c.G[0][i] == G[static_cast<std::size_t>(i)]);
    for (int j = 0; j < 7; ++j) CHECK(c.G_change[0][i][j] == 0);
  }
}

TEST_CASE("A track mass on a body is told, and one between frames of one body is refused") {
  TestSource source;
  model::Model model = two_bodies();
  track().add_to(source, model);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].name == "track_on_body");
  TrackMass t = track();
  t.from = marker(model::ground, {0, 0, 0});
  model = two_bodies();
  t.add_to(source, model);
  CHECK(model.warnings.empty());
  t.to = marker(model::ground, {0, 0, 1});
  CHECK(refused_field(t) == "to");
}

TEST_CASE("A track mass refuses fields of a contact that is not there") {
  TrackMass t = track();
  t.contact_damping = 1;
  CHECK(refused_field(t) == "contact_damping");
  t.contact_stiffness = 1;
  CHECK(refused_field(t).empty());
  t = track(), t.contact_exponent = 1.5;
  CHECK(refused_field(t) == "contact_exponent");
}
