#include "skyhook/io/plot/from_road.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/random_road.h"

namespace skyhook::io::plot {
namespace {

// The borders between the classes, from 0.011 to 2.83 waves per metre.
Curve border_above(char degree) {
  const element::RoadSpectrum border{.roughness = 2 * element::roughness_of(degree), .first = 0, .last = 10};
  Curve line{.label = fmt::format("{}/{}", degree, static_cast<char>(degree + 1)), .dash = Dash::dotted};
  for (const double n : {0.011, 2.83}) line.x.push_back(n), line.y.push_back(border.at(n));
  return line;
}

}  // namespace

Figure figure_of(const std::vector<NamedSurvey>& roads) {
  Panel heights{.title = "heights", .x = {"x", "m", false, {}, {}, true}, .y = {"height", "m"}};
  Panel spectra{.title = "spectra", .x = {"waves per metre", "1/m", true}, .y = {"spectral density", "m^3", true}};
  for (const auto& [name, survey] : roads) {
    for (const analysis::RoadTrack& t : survey.tracks) {
      const std::string label = survey.tracks.size() > 1 ? fmt::format("{}, y = {:g} m", name, t.y) : name;
      heights.curves.push_back({.label = label, .x = t.x, .y = t.z});
      if (t.rms > 1e-9) spectra.curves.push_back({.label = label, .x = t.n, .y = t.density});
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
