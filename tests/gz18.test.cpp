// The metro car GZ18. References: the wheel load that its source states, and its arms: where the boxes go with the wheelset, and turn with the frame.
#include <cmath>

#include "run_model.testing.h"

using namespace skyhook;

TEST_CASE("GZ18: wheel loads are those of its source, on even track and on class 5") {
  std::vector<std::string> loads;
  for (const char* axle : {"front.front", "front.rear", "rear.front", "rear.rear"}) {
    for (const char* side : {"left", "right"}) loads.push_back(std::string("metro.") + axle + "." + side + ".Q");
  }
  const auto r = testing::run("rail/gz18", {.set = {{"creep", "polach"}}, .until = 2.5, .output_step = 0.01, .outputs = loads});
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
