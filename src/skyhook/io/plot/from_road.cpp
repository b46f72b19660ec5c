#include "skyhook/io/plot/from_road.h"

#include <fmt/format.h>

#include "skyhook/element/random_road.h"

namespace skyhook::io::plot {
namespace {

constexpr double first_n = 0.011, last_n = 2.83;  // 1/m, that classes are said for

// The border between a class and the next.
Curve border_above(char degree) {
  const element::RoadSpectrum border{.roughness = 2 * element::roughness_of(degree), .first = 0, .last = 10};
  Curve line{.label = degree == 'A' ? "A/B, B/C, ... G/H" : "", .dash = Dash::dotted};
  for (const double n : {first_n, last_n}) line.x.push_back(n), line.y.push_back(border.at(n));
  return line;
}

// Not far beyond the classes: a road without short waves falls off steeply there.
Curve spectrum_of(const analysis::RoadTrack& track, const std::string& label) {
  Curve curve{.label = label};
  for (std::size_t i = 0; i < track.n.size(); ++i) {
    if (track.n[i] <= 1.1 * last_n) curve.x.push_back(track.n[i]), curve.y.push_back(track.density[i]);
  }
  return curve;
}

}  // namespace

Figure figure_of(const std::vector<NamedSurvey>& roads) {
  Panel heights{.title = "heights", .x = {"x", "m", false, {}, {}, true}, .y = {"height", "m"}};
  Panel spectra{.title = "spectra", .x = {"waves per metre", "1/m", true}, .y = {"spectral density", "m^3", true}};
  for (const auto& [name, survey] : roads) {
    for (const analysis::RoadTrack& t : survey.tracks) {
      const std::string label = survey.tracks.size() > 1 ? fmt::format("{}, y = {:g} m", name, t.y) : name;
      heights.curves.push_back({.label = label, .x = t.x, .y = t.z});
      if (t.rms > 1e-9) spectra.curves.push_back(spectrum_of(t, label));
    }
  }
  Figure figure{.title = "Road", .panels = {std::move(heights)}};
  if (spectra.curves.empty()) return figure;
  const std::size_t colour = spectra.curves.size();
  for (char degree = 'A'; degree < 'H'; ++degree) {
    spectra.curves.push_back(border_above(degree));
    spectra.curves.back().colour = colour;
  }
  figure.panels.push_back(std::move(spectra));
  return figure;
}

}  // namespace skyhook::io::plot
