// Changes of a model file that must not change the motion, on random models: `make bench` does this with 300 of them. What was found
// there stands below as a small model of its own. same_motion.test.cpp asks the same of published mechanisms, reactions
// included.
#include <fmt/format.h>

#include "run_model.testing.h"
#include "skyhook/io/random/same_motion.testing.h"

using namespace skyhook;

TEST_CASE("Random models: order of lines, cuts, axes, templates, mirrors and samples do not matter") {
  int skipped = 0, from_the_middle = 0;
  for (unsigned seed = 301; seed <= 316; ++seed) {
    CAPTURE(seed);
    const auto trial = io::testing::try_changes(io::testing::random_mechanism(seed));
    skipped += !trial.skipped.empty();
    for (const auto& r : trial.results) {
      CHECK_MESSAGE(r.is_same(), r.change << ": another motion, by " << r.difference << " m, allowed " << r.allowed
                                          << ". " << r.problem);
      from_the_middle += r.change == "from the middle";
    }
  }
  CHECK(skipped <= 2);
  CHECK(from_the_middle >= 1);
}

// A four-bar that hits a stop, in its own plane and in an oblique one. Three of the five conditions of its loop hold by themselves in a
// plane: in global axes their rows are zeros, in others nearly so. Impacts made the rows of one length first and took
// rounding for constraints: the contact "came to rest", with velocities that opened the loop by 0.5 m/s.
TEST_CASE("An impact of a redundant loop does not depend on the axes of the model") {
  const auto speeds = [](const Mat3d& R) {
    const auto at = [&](double x, double z) {
      const Vec3d p = R * Vec3d{x, 0, z};
      return fmt::format("[{}, {}, {}]", p.x, p.y, p.z);
    };
    const Vec3d y = R * Vec3d{0, 1, 0}, x = R * Vec3d{1, 0, 0};
    const std::string axis = fmt::format("[{}, {}, {}]", y.x, y.y, y.z);
    const auto joint = [&](const char* name, const char* from, const char* to, const std::string& point) {
      return fmt::format("  {}: {{type: revolute, from: {}, to: {}, at: {}, axis: {}{}}}\n", name, from, to, point,
                         axis, std::string(name) == "j0" ? ", rate: 2" : "");
    };
    const std::string text =
        "skyhook: 1\ngravity: off\nbodies:\n" +
        fmt::format("  a: {{mass: 1, inertia: [0.02, 0.02, 0.02], at: {}}}\n", at(0.1, 0.15)) +
        fmt::format("  b: {{mass: 2, inertia: [0.03, 0.03, 0.03], at: {}}}\n", at(0.4, 0.35)) +
        fmt::format("  c: {{mass: 1, inertia: [0.01, 0.01, 0.01], at: {}}}\n", at(0.65, 0.2)) + "joints:\n" +
        joint("j0", "ground", "a", at(0, 0)) + joint("j1", "a", "b", at(0.2, 0.3)) +
        joint("j2", "b", "c", at(0.6, 0.4)) + joint("j3", "c", "ground", at(0.7, 0)) + "forces:\n" +
        fmt::format(
            "  stop: {{type: rigid_contact, from: {{body: ground, at: {}, orientation: {{x: {}, y: {}}}}}, to: b, "
            "restitution: 0.6}}\n",
            at(0, 0.33), fmt::format("[{}, {}, {}]", x.x, x.y, x.z), axis) +
        "outputs: [j0.angle_rate, constraints.velocity]\nexperiments: {run: {until: 0.3, tolerance: 1e-9, solver: "
        "radau5}}\n";
    const auto r = testing::run_text(text);
    CHECK(std::ranges::count(r.sink.events, "impact", &simulation::EventRecord::name) == 1);
    CHECK(r.sink.summary.velocity_residual < 1e-7);
    return r.last("j0.angle_rate");
  };
  const double plain = speeds(Mat3d::identity());
  for (const double angle : {0.3, 1.1, 2.0}) {
    const Mat3d R = axis_rotation(normalized(Vec3d{0.3, -0.7, 0.5}), angle);
    CHECK(std::abs(speeds(R) - plain) < 1e-7);  // at tolerance 1e-9
  }
}
