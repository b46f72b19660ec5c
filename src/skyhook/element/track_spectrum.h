// Spectra of track irregularities: one-sided densities over waves per metre. With Omega = 2 pi n, and S(Omega) in m^2/(rad/m) as the
// sources have it, the density is 2 pi S(2 pi n), in m^3.
//
// ERRI B176, of good track (low) and bad (high):
//
//   level, alignment   A Oc^2 / ((O^2 + Or^2) (O^2 + Oc^2))
//   gauge              A Oc^2 O^2 / ((O^2 + Or^2) (O^2 + Oc^2) (O^2 + Os^2));  cross-level the same with 4 A of the level: it is the angle
//                      of the track, whose A is that over the square of half of the base, times the base
//
// The classes 1 to 6 of the Federal Railroad Administration, with k = 1/4:
//
//   level, alignment   k A Oc^2 / (O^2 (O^2 + Oc^2))
//   cross-level, gauge 4 k A Oc^2 / ((O^2 + Oc^2) (O^2 + Os^2)),  A of the level
#pragma once
#include <string>

namespace skyhook::element {

enum class Deviation { gauge, alignment, level, cross_level };
constexpr Deviation all_deviations[] = {Deviation::gauge, Deviation::alignment, Deviation::level,
                                        Deviation::cross_level};
const char* name_of(Deviation which);

class TrackSpectrum {
 public:
  explicit TrackSpectrum(const std::string& name);  // erri_low, fra_5
  double at(Deviation which, double n) const;       // m^3

 private:
  double over_omega(Deviation which, double omega) const;
  bool is_erri_;
  double gauge_, alignment_, level_;  // A, m^2 rad/m
  double cut_, rise_ = 0, slope_;     // Oc, Or, Os in rad/m
};

}  // namespace skyhook::element
