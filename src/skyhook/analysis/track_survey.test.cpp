// References: the layout by hand, and the spectrum that was asked for.
#include "skyhook/analysis/track_survey.h"

#include <doctest/doctest.h>

#include <cmath>

#include "skyhook/element/track_irregularity.h"
#include "skyhook/element/track_spectrum.h"
#include "skyhook/model/track_line.h"

using namespace skyhook;

TEST_CASE("A survey of a track has its layout with the signs of its page") {
  model::TrackPiece arc{.length = 100};
  arc.curvature.c[0] = 0.002, arc.tilt.c[0] = -0.04, arc.climb.c[0] = 0.6 / 61;
  model::Track track;
  track.line = std::make_shared<const model::TrackLine>(std::vector{arc});
  const auto s = analysis::survey(track, {.last = 100, .step = 10});
  REQUIRE(s.rows.size() == 11);
  CHECK(s.signals.empty());
  CHECK(s.rows[5].cant == doctest::Approx(0.06));
  CHECK(s.rows[5].curvature == doctest::Approx(0.002));
  CHECK(s.rows[5].heading == doctest::Approx(0.1));
  CHECK(s.rows[10].at.z == doctest::Approx(60 / 61.0));
  CHECK(s.rows[10].gradient == doctest::Approx(std::tan(std::asin(0.6 / 61))));
}

// Welch's means over third octaves of 4 km scatter by a fifth or less; the square roots by half of that.
TEST_CASE("The spectra of a survey are those of the track, and its deviations have their size") {
  model::IrregularityChoice c;
  c.spectrum = "erri_high", c.length = 4096, c.begin = -100;
  model::Track track;
  track.line = std::make_shared<const model::TrackLine>(std::vector<model::TrackPiece>{}, model::TrackBegin{},
                                                        element::make_irregularity(c));
  const auto s = analysis::survey(track, {.last = 4096, .step = 100});
  REQUIRE(s.signals.size() == 4);
  const element::TrackSpectrum spectrum("erri_high");
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& d = s.signals[k].density;
    CHECK(std::string(s.signals[k].name) == element::name_of(element::all_deviations[k]));
    double logs = 0, count = 0;
    for (std::size_t i = 0; i < d.n.size(); ++i) {
      if (d.n[i] < 0.02 || d.n[i] > 0.25) continue;
      logs += std::log(d.value[i] / spectrum.at(element::all_deviations[k], d.n[i])), count += 1;
    }
    CHECK(std::abs(logs / count) < 0.15);
  }
}
