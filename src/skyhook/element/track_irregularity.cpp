#include "skyhook/element/track_irregularity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "skyhook/element/random_road.h"
#include "skyhook/element/smooth_step.h"
#include "skyhook/element/track_spectrum.h"
#include "skyhook/math/spline.h"
#include "skyhook/model/grain.h"

namespace skyhook::element {
namespace {

using model::Deviations, model::IrregularityChoice;
using Derivatives = Deviations::Derivatives;
using ReliefPtr = std::shared_ptr<const model::Relief>;

// A formula, or the smooth curve with two continuous derivatives through the rows of a table.
class Measured {
 public:
  explicit Measured(const model::Curve& given) : curve_(given) {
    const MonotoneCubic* rows = given.table();
    if (!rows) return;
    std::vector<double> x, y;
    for (int k = 1; k < rows->pieces(); ++k) x.push_back(rows->begin_of(k)), y.push_back((*rows)(x.back()));
    spline_.emplace(x, y, SplineEnd::natural, Continued::level);
  }
  Derivatives at(double s) const {
    using Two = Dual<1, Dual<1>>;
    Two x(Dual<1>::variable(s, 0));
    x.d[0] = Dual<1>(1.0);
    const Two y = spline_ ? spline_->evaluate(x) : curve_.at(x);
    return {y.v.v, y.v.d[0], y.d[0].d[0]};
  }
  double grain() const { return model::grain_of(curve_, grain_of_formulas); }
  static constexpr double grain_of_formulas = 0.1;  // m

 private:
  model::Curve curve_;
  std::optional<CubicSpline> spline_;
};

struct Signal {
  ReliefPtr random;
  std::optional<Measured> measured;
  double factor = 1;

  Derivatives at(double s, const SmoothStep& w, double fade) const {
    Derivatives f{};
    if (random) {
      const model::Bend h = random->at(s, 0);
      f = {h.value, h.x, h.xx};
    }
    if (measured) {
      const Derivatives m = measured->at(s);
      for (std::size_t i = 0; i < 3; ++i) f[i] += m[i];
    }
    const double w1 = w.slope / fade, w2 = w.curvature / (fade * fade);
    return {factor * w.value * f[0], factor * (w.value * f[1] + w1 * f[0]),
            factor * (w.value * f[2] + 2 * w1 * f[1] + w2 * f[0])};
  }
};

struct Unevenness final : model::Irregularity {
  std::array<Signal, 4> signals;  // in the order of Deviation
  double begin = 0, fade = 1;
  double shortest = std::numeric_limits<double>::infinity();  // random wave

  double grain() const override {
    double out = std::min(fade, shortest / 2) / 8;
    for (const Signal& signal : signals) {
      if (signal.measured) out = std::min(out, signal.measured->grain());
    }
    return out;
  }

  Deviations at(double s) const override {
    const SmoothStep w = smooth_step((s - begin) / fade);
    if (w.value == 0) return {};
    const auto of = [&](Deviation which) { return signals[static_cast<std::size_t>(which)].at(s, w, fade); };
    return {of(Deviation::gauge), of(Deviation::alignment), of(Deviation::level), of(Deviation::cross_level)};
  }
};

void check(const IrregularityChoice& c) {
  const auto refuse = [&](const std::string& what, const char* advice) { throw ModelError(c.where, what, advice); };
  if (c.spectrum.empty() && !c.gauge && !c.alignment && !c.level && !c.cross_level)
    refuse("irregularities are given, but none are said.", "Give a spectrum: erri_low, or tables: level: {file: ...}.");
  if (c.wavelengths.size() != 2 || !(c.wavelengths[0] < c.wavelengths[1]))
    refuse("irregularities: wavelengths is no range.", "Write [shortest, longest].");
  if (!c.spectrum.empty() && c.wavelengths[1] > c.length)
    refuse("irregularities: they repeat before their longest wave ends.", "Give a greater length, or shorter waves.");
  if (!c.spectrum.empty() && c.length / c.wavelengths[0] > most_waves)
    refuse("irregularities: more than half a million waves of the shortest length stand one behind the other.",
           "Give a shorter length, after which they repeat, or a longer shortest wave.");
}

}  // namespace

std::shared_ptr<const model::Irregularity> make_irregularity(const IrregularityChoice& c, double side) {
  check(c);
  if (c.scale == 0) return nullptr;  // an even track, which costs less
  auto out = std::make_shared<Unevenness>();
  out->begin = c.begin, out->fade = c.fade;
  if (!c.spectrum.empty()) out->shortest = c.wavelengths[0];
  const std::optional<model::Curve>* measured[] = {&c.gauge, &c.alignment, &c.level, &c.cross_level};
  for (const Deviation which : all_deviations) {
    const auto i = static_cast<std::size_t>(which);
    Signal& signal = out->signals[i];
    const bool is_odd = which == Deviation::alignment || which == Deviation::cross_level;
    signal.factor = c.scale * (is_odd ? side : 1);
    if (*measured[i]) signal.measured.emplace(**measured[i]);
    if (c.spectrum.empty()) continue;
    const TrackSpectrum spectrum(c.spectrum);
    signal.random = random_waves([&](double n) { return spectrum.at(which, n); },
                                 {1 / c.wavelengths[1], 1 / c.wavelengths[0]}, c.length,
                                 4 * static_cast<std::uint64_t>(c.seed) + i);
  }
  return out;
}

}  // namespace skyhook::element
