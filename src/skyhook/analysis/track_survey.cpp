#include "skyhook/analysis/track_survey.h"

#include <cmath>

#include "skyhook/analysis/spectra.h"
#include "skyhook/model/track_line.h"

namespace skyhook::analysis {
namespace {

TrackRow row_at(const model::Track& track, double s) {
  const auto layout = track.line->layout(s);
  const model::Deviations d = track.line->deviations(s);
  return {.s = s,
          .curvature = layout.curvature,
          .cant = 0.0 - track.base * layout.tilt,  // no -0
          .gradient = layout.climb / std::sqrt(1 - layout.climb * layout.climb),
          .at = track.line->place(s).position,
          .heading = layout.heading,
          .gauge = d.gauge[0],
          .alignment = d.alignment[0],
          .level = d.level[0],
          .cross_level = d.cross_level[0]};
}

struct Named {
  const char* name;
  double TrackRow::*value;
};
constexpr Named signals[] = {{"gauge", &TrackRow::gauge},
                             {"alignment", &TrackRow::alignment},
                             {"level", &TrackRow::level},
                             {"cross_level", &TrackRow::cross_level}};

std::vector<TrackRow> rows_of(const model::Track& track, double first, double last, double step) {
  std::vector<TrackRow> rows;
  const auto count = static_cast<std::size_t>((last - first) / step * (1 + 1e-12)) + 1;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(row_at(track, first + step * static_cast<double>(i)));
  return rows;
}

}  // namespace

TrackSurvey survey(const model::Track& track, const TrackRange& range) {
  TrackSurvey out;
  out.rows = rows_of(track, range.first, range.last, range.step);
  const std::vector<TrackRow> fine = rows_of(track, range.first, range.last, range.fine);
  for (const Named& signal : signals) {
    std::vector<double> z;
    for (const TrackRow& row : fine) z.push_back(row.*signal.value);
    double squares = 0;
    for (const double x : levelled(z)) squares += x * x;
    const double rms = std::sqrt(squares / static_cast<double>(z.size()));
    if (rms > 1e-9) out.signals.push_back({signal.name, rms, density_of(z, range.fine)});
  }
  return out;
}

}  // namespace skyhook::analysis
