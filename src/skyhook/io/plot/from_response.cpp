#include "skyhook/io/plot/from_response.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skyhook::io::plot {
namespace {

const Axis frequency{.label = "frequency", .unit = "Hz", .logarithmic = true, .tight = true};

// The colour of an output is the same in all panels.
Curve curve_of(const ResponseCurve& response, std::size_t number, std::vector<double> y) {
  Curve curve{.label = response.name, .y = std::move(y), .colour = number};
  for (const auto& band : response.bands) curve.x.push_back(band.frequency);
  return curve;
}

std::vector<double> gains(const ResponseCurve& response) {
  std::vector<double> out;
  for (const auto& band : response.bands) out.push_back(std::abs(band.response));
  return out;
}

std::vector<double> degrees(const ResponseCurve& response) {
  std::vector<double> out = analysis::phases(response.bands);
  for (double& phase : out) phase *= 180 / std::numbers::pi;
  return out;
}

std::vector<double> coherences(const ResponseCurve& response) {
  std::vector<double> out;
  for (const auto& band : response.bands) out.push_back(band.coherence);
  return out;
}

void add_gain(const ResponseCurve& response, std::size_t number, std::vector<Panel>& panels) {
  const auto is_of_unit = [&](const Panel& p) { return p.y.unit == response.unit; };
  auto panel = std::find_if(panels.begin(), panels.end(), is_of_unit);
  if (panel == panels.end())
    panel = panels.insert(panel, {.x = frequency, .y = {.label = "gain", .unit = response.unit, .logarithmic = true}});
  panel->curves.push_back(curve_of(response, number, gains(response)));
}

}  // namespace

Figure figure_of(const std::vector<ResponseCurve>& responses, const std::string& title) {
  Figure figure{title, {}};
  for (std::size_t k = 0; k < responses.size(); ++k) add_gain(responses[k], k, figure.panels);
  Panel phase{.x = frequency, .y = {.label = "phase", .unit = "deg"}};
  Panel coherence{.x = frequency, .y = {.label = "coherence", .low = 0.0, .high = 1.0}};
  for (std::size_t k = 0; k < responses.size(); ++k) {
    phase.curves.push_back(curve_of(responses[k], k, degrees(responses[k])));
    coherence.curves.push_back(curve_of(responses[k], k, coherences(responses[k])));
    phase.curves.back().label.clear(), coherence.curves.back().label.clear();
  }
  figure.panels.push_back(std::move(phase)), figure.panels.push_back(std::move(coherence));
  return figure;
}

}  // namespace skyhook::io::plot
