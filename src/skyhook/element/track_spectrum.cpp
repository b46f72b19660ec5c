#include "skyhook/element/track_spectrum.h"

#include <numbers>

namespace skyhook::element {
namespace {

struct Class {
  double level, alignment, slope;  // cm^2 rad/m, cm^2 rad/m, rad/m
};
// Of 5 and 6 the report of the US Department of Transportation (dot/9617) has them; those of 1 to 4 are as usually quoted.
constexpr Class classes[] = {{1.2107, 3.3634, 0.6046}, {1.0181, 1.2107, 0.9308}, {0.6816, 0.4128, 0.8520},
                             {0.5376, 0.3027, 1.1312}, {0.2095, 0.0762, 0.8209}, {0.0339, 0.0339, 0.4380}};

}  // namespace

const char* name_of(Deviation which) {
  switch (which) {
    case Deviation::gauge: return "gauge";
    case Deviation::alignment: return "alignment";
    case Deviation::level: return "level";
    case Deviation::cross_level: return "cross_level";
  }
  return "";
}

TrackSpectrum::TrackSpectrum(const std::string& name) : is_erri_(name.starts_with("erri")) {
  if (is_erri_) {
    const bool low = name == "erri_low";
    gauge_ = low ? 5.32e-8 : 1.032e-7, alignment_ = low ? 2.119e-7 : 6.125e-7, level_ = low ? 4.032e-7 : 1.080e-6;
    cut_ = 0.8246, rise_ = 0.0206, slope_ = 0.4380;
    return;
  }
  const Class& c = classes[name.back() - '1'];
  level_ = 1e-4 * c.level, alignment_ = 1e-4 * c.alignment, gauge_ = level_;
  cut_ = 0.8245, slope_ = c.slope;
}

double TrackSpectrum::over_omega(Deviation which, double omega) const {
  const double o = omega * omega, c = cut_ * cut_, falls = c / ((o + rise_ * rise_) * (o + c)),
               rises = o / (o + slope_ * slope_);
  switch (which) {
    case Deviation::alignment: return (is_erri_ ? alignment_ : 0.25 * alignment_) * falls;
    case Deviation::level: return (is_erri_ ? level_ : 0.25 * level_) * falls;
    case Deviation::gauge: return gauge_ * falls * rises;
    case Deviation::cross_level: return (is_erri_ ? 4 * level_ : level_) * falls * rises;
  }
  return 0;
}

double TrackSpectrum::at(Deviation which, double n) const {
  return 2 * std::numbers::pi * over_omega(which, 2 * std::numbers::pi * n);
}

}  // namespace skyhook::element
