// The metro car GZ18. References: the wheel load that its source states, and its arms: where the boxes go with the wheelset, and turn with the frame.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

// The law of its source and its table: two routes to the same forces.
TEST_CASE("GZ18: on class 5 by FASTSIM and by its table") {
  testing::Wish wish{.tolerance = 1e-3,
                     .until = 1.5,
                     .output_step = 0.05,
                     .outputs = {"metro.front.front.way.lateral", "metro.rear.rear.way.lateral"}};
  const auto marched = testing::run("rail/gz18", wish);
  wish.set = {{"creep", "fastsim_table"}};
  const auto looked_up = testing::run("rail/gz18", wish);
  double most = 0;
  for (std::size_t k = 0; k < marched.sink.time.size(); ++k)
    most = std::max(most, std::abs(marched.at(k, wish.outputs[0])));
  CHECK(most > 0.5e-3);  // the track is felt
  for (std::size_t k = 0; k < marched.sink.time.size(); ++k) {
    for (const std::string& lateral : wish.outputs)
      CHECK(std::abs(marched.at(k, lateral) - looked_up.at(k, lateral)) < 0.05 * most);
  }
}

TEST_CASE("GZ18: wheel loads are those of its source, on even track and on class 5") {
  std::vector<std::string> loads;
  for (const char* axle : {"front.front", "front.rear", "rear.front", "rear.rear"}) {
    for (const char* side : {"left", "right"}) loads.push_back(std::string("metro.") + axle + "." + side + ".Q");
  }
  const auto r =
      testing::run("rail/gz18", {.set = {{"creep", "polach"}}, .until = 2.5, .output_step = 0.01, .outputs = loads});
  CHECK(r.prepared.active->nv() == 49);
  for (const std::string& q : loads) {
    CHECK(r.at(0, q) == doctest::Approx(68296).epsilon(1e-3));
    double sum = 0, most = 0, least = 1e9;
    for (std::size_t k = 180; k < r.sink.time.size(); ++k) {  // behind the fade, at 30 to 42 m
      sum += r.at(k, q), most = std::max(most, r.at(k, q)), least = std::min(least, r.at(k, q));
    }
    CHECK(sum / static_cast<double>(r.sink.time.size() - 180) == doctest::Approx(68296).epsilon(0.1));
    CHECK(least > 20e3);
    CHECK(most < 140e3);
    CHECK(most - least > 1e3);  // the track is felt
  }
}
