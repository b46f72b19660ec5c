#include "skyhook/io/plot/from_track.h"

namespace skyhook::io::plot {
namespace {

using analysis::TrackRow;

Curve curve_of(const NamedTrack& track, const std::string& label, double TrackRow::*value, double factor) {
  Curve curve{.label = label};
  for (const TrackRow& row : track.survey.rows) curve.x.push_back(row.s), curve.y.push_back(factor * row.*value);
  return curve;
}

struct Shown {
  const char *title, *unit;
  double TrackRow::*value;
  double factor;
};
constexpr Shown layout[] = {{"curvature", "1/km", &TrackRow::curvature, 1e3},
                            {"cant", "mm", &TrackRow::cant, 1e3},
                            {"gradient", "1/1000", &TrackRow::gradient, 1e3}};
constexpr Shown deviations[] = {{"gauge", "mm", &TrackRow::gauge, 1e3},
                                {"alignment", "mm", &TrackRow::alignment, 1e3},
                                {"level", "mm", &TrackRow::level, 1e3},
                                {"cross-level", "mm", &TrackRow::cross_level, 1e3}};

bool is_uneven(const std::vector<NamedTrack>& tracks) {
  for (const NamedTrack& t : tracks) {
    if (!t.survey.signals.empty()) return true;
  }
  return false;
}

const Axis way{"way", "m", false, {}, {}, true};

}  // namespace

Figure figure_of(const std::vector<NamedTrack>& tracks) {
  Figure figure{.title = "Track"};
  for (const Shown& s : layout) {
    Panel panel{.title = s.title, .x = way, .y = {s.title, s.unit}};
    for (const NamedTrack& t : tracks) panel.curves.push_back(curve_of(t, t.name, s.value, s.factor));
    figure.panels.push_back(std::move(panel));
  }
  if (!is_uneven(tracks)) return figure;
  Panel uneven{.title = "deviations", .x = way, .y = {"deviation", "mm"}};
  Panel spectra{.title = "spectra", .x = {"waves per metre", "1/m", true}, .y = {"spectral density", "m^3", true}};
  for (const NamedTrack& t : tracks) {
    const std::string prefix = tracks.size() > 1 ? t.name + ", " : "";
    if (t.survey.signals.empty()) continue;
    for (const Shown& s : deviations) uneven.curves.push_back(curve_of(t, prefix + s.title, s.value, s.factor));
    for (const auto& s : t.survey.signals)
      spectra.curves.push_back({.label = prefix + s.name, .x = s.density.n, .y = s.density.value});
  }
  figure.panels.push_back(std::move(uneven));
  figure.panels.push_back(std::move(spectra));
  return figure;
}

}  // namespace skyhook::io::plot
