// References: the spectra that roads are drawn from, with the scatter of their estimates; waves whose power is known.
#include "skyhook/analysis/road_survey.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "skyhook/element/random_road.h"

using namespace skyhook;
using namespace skyhook::analysis;
using doctest::Approx;

namespace {

model::Surface random_road(double roughness, double waviness, unsigned seed) {
  const element::RoadSpectrum spectrum{.roughness = roughness, .waviness = waviness, .first = 0.005, .last = 5};
  return model::Surface({.reliefs = {element::random_tracks(spectrum, 2000, 0, seed).left}});
}

}  // namespace

// Some 25 third octaves, the lowest of few degrees of freedom: their mean logarithm scatters by some 5 %.
TEST_CASE("The class, roughness and waviness of a random road are found again") {
  for (const char degree : {'A', 'C', 'E', 'H'}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const double roughness = element::roughness_of(degree);
      const RoadTrack t = survey(random_road(roughness, 2, seed), {.first = 0, .last = 2000}).tracks[0];
      CHECK(t.degree == degree);
      CHECK(std::abs(std::log(*t.roughness / roughness)) < 0.25);
      CHECK(*t.waviness == Approx(2).epsilon(0.06));
    }
  }
  const RoadTrack t = survey(random_road(1e-4, 2.5, 5), {.first = 0, .last = 2000}).tracks[0];
  CHECK(*t.waviness == Approx(2.5).epsilon(0.06));
}

TEST_CASE("The density of a sine wave holds its power, half the square of its amplitude") {
  std::vector<double> z;
  for (int i = 0; i < 8000; ++i) z.push_back(3 + 0.01 * i + 0.02 * std::sin(2 * std::numbers::pi * 0.4 * 0.05 * i));
  const Density d = density_of(z, 0.05);
  double power = 0;
  for (std::size_t i = 0; i < d.n.size(); ++i) {
    if (d.n[i] < 0.25 || d.n[i] > 0.6) continue;
    power += d.value[i] * d.n[i] * (std::pow(2.0, 1.0 / 6) - std::pow(2.0, -1.0 / 6));
  }
  CHECK(power == Approx(0.5 * 0.02 * 0.02).epsilon(0.1));  // edges of bands fall between lines
}

TEST_CASE("Heights, slopes and friction are those of the surface; a plane has no class") {
  const model::Surface s(
      {.stairs = {{10, 0.1}}, .friction = 0.9, .patches = {{.x_first = 20, .x_last = 30, .friction = 0.2}}});
  const RoadSurvey r = survey(s, {.first = 0, .last = 40, .step = 0.1, .y = {0.5, -0.5}});
  REQUIRE(r.tracks.size() == 2);
  CHECK(r.tracks[0].lowest == 0.0);
  CHECK(r.tracks[0].highest == Approx(0.1));
  CHECK(r.least_friction == Approx(0.2));
  CHECK(r.largest_friction == Approx(0.9));
  CHECK(survey(model::Surface(), {}).tracks[0].degree == '-');
  CHECK(survey(model::Surface(), {}).tracks[0].rms == 0.0);
}

TEST_CASE("Classes meet at twice their means") {
  CHECK(degree_of(1e-6) == 'A');
  CHECK(degree_of(31e-6) == 'A');
  CHECK(degree_of(33e-6) == 'B');
  CHECK(degree_of(256e-6) == 'C');
  CHECK(degree_of(1.0) == 'H');
}
