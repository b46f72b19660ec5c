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

// Lanes in the order of Deviation.
struct Unevenness final : model::Irregularity {
  std::optional<FourWaves> random;
  std::array<std::optional<Measured>, 4> measured;
  Lanes factor;
  double begin = 0, fade = 1;
  double shortest = std::numeric_limits<double>::infinity();  // random wave

  double grain() const override {
    double out = std::min(fade, shortest / 2) / 8;
    for (const auto& each : measured) {
      if (each) out = std::min(out, each->grain());
    }
    return out;
  }

  bool is_measured() const {
    return std::ranges::any_of(measured, [](const auto& each) { return each.has_value(); });
  }
  FourWaves::Bend unfaded(double s) const {
    FourWaves::Bend f = random ? random->at(s) : FourWaves::Bend{};
    for (int i = 0; i < Lanes::count; ++i) {
      const std::optional<Measured>& each = measured[static_cast<std::size_t>(i)];
      if (!each) continue;
      const Derivatives m = each->at(s);
      f.value.set(i, f.value[i] + m[0]), f.slope.set(i, f.slope[i] + m[1]), f.curvature.set(i, f.curvature[i] + m[2]);
    }
    return f;
  }
  Lanes values(double s) const override {
    const SmoothStep w = smooth_step((s - begin) / fade);
    if (w.value == 0) return {};
    return factor * Lanes(w.value) * (is_measured() ? unfaded(s).value : random->value(s));
  }
  Deviations at(double s) const override {
    const SmoothStep w = smooth_step((s - begin) / fade);
    if (w.value == 0) return {};
    const FourWaves::Bend f = unfaded(s);
    const Lanes w0(w.value), w1(w.slope / fade), w2(w.curvature / (fade * fade));
    const Lanes value = factor * w0 * f.value, slope = factor * (w0 * f.slope + w1 * f.value),
                curvature = factor * (w0 * f.curvature + Lanes(2.0) * w1 * f.slope + w2 * f.value);
    const auto of = [&](Deviation which) {
      const int i = static_cast<int>(which);
      return Derivatives{value[i], slope[i], curvature[i]};
    };
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
    const bool is_odd = which == Deviation::alignment || which == Deviation::cross_level;
    out->factor.set(static_cast<int>(i), c.scale * (is_odd ? side : 1));
    if (*measured[i]) out->measured[i].emplace(**measured[i]);
  }
  if (c.spectrum.empty()) return out;
  const TrackSpectrum spectrum(c.spectrum);
  out->random =
      random_waves([&](int which, double n) { return spectrum.at(all_deviations[which], n); },
                   {1 / c.wavelengths[1], 1 / c.wavelengths[0]}, c.length, 4 * static_cast<std::uint64_t>(c.seed));
  return out;
}

}  // namespace skyhook::element
