// Reference: the coordinates from which formalism/joint_motion makes the pose, as the tree would have them.
#include "skyhook/formalism/recursive/measured_coordinate.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/joint_motion.h"
#include "skyhook/formalism/random_model.testing.h"
#include "skyhook/model/local_conditions.h"

using namespace skyhook;
using namespace skyhook::formalism;
using formalism::testing::Random;
using recursive::MeasuredCoordinate;

namespace {

struct Given {
  model::Joint joint;
  std::vector<double> x, rates;
  MeasuredCoordinate::Angles near{};
  JointMotion motion;

  // Angles of all turns; the middle one of three stays away from 90 deg, on either side of it.
  Given(const std::string& type, unsigned seed) {
    Random random(seed);
    joint = formalism::testing::make_joint("j", type, 0, 1, {}, random);
    int hinge = 0;
    for (const model::Dof& dof : joint.shape.dofs) {
      const bool turns = dof.kind == model::Dof::Kind::revolute;
      double value = turns ? random(-20, 20) : random();
      if (turns && type.find("cardan") != std::string::npos && hinge == 1)
        value = random(-1.2, 1.2) + (random.integer(0, 1) ? 3.141592653589793 : 0.0);
      x.push_back(value), rates.push_back(random(-2, 2));
      if (turns) near[static_cast<std::size_t>(hinge++)] = value + random(-0.3, 0.3);
    }
    motion = motion_of(joint, x, rates);
  }
};

const std::vector<std::string> types{"revolute", "prismatic",        "cylindrical", "universal",
                                     "planar",   "spherical_cardan", "free_cardan"};

}  // namespace

TEST_CASE("Coordinates of cut joints are those that the pose was made from, on any turn") {
  for (const std::string& type : types) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      const Given g(type, seed);
      for (int k = 0; k < static_cast<int>(g.x.size()); ++k) {
        const MeasuredCoordinate c(g.joint, k);
        CHECK(c.value(g.motion.r, g.motion.R, g.near) == doctest::Approx(g.x[k]).epsilon(1e-12));
        const Vec3d unit = c.unit(g.motion.R, g.near);
        CHECK(dot(unit, c.turns() ? g.motion.w : g.motion.v) == doctest::Approx(g.rates[k]).epsilon(1e-10));
      }
    }
  }
}

// A force along `unit` does the work of the coordinate: on the constraints it is the gradient.
TEST_CASE("The unit of a measured coordinate is its gradient where the joint's constraints hold") {
  for (const std::string& type : types) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      const Given g(type, seed);
      for (int k = 0; k < static_cast<int>(g.x.size()); ++k) {
        const MeasuredCoordinate c(g.joint, k);
        model::LocalConditions found;
        take_contact(c, {}, found);
        REQUIRE(evaluate_rows(c, {g.motion.r, g.motion.R}, found));
        const double sign = c.turns() ? c.turn(g.motion.R, g.near).sign : 1.0;
        const Vec3d gradient = sign * (c.turns() ? found.moment(0) : found.force(0));
        CHECK(norm(gradient - c.unit(g.motion.R, g.near)) < 1e-11 * (1 + norm(gradient)));
        CHECK(norm(c.turns() ? found.force(0) : found.moment(0)) == 0.0);
      }
    }
  }
}
