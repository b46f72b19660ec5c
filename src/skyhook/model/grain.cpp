#include "skyhook/model/grain.h"

#include <algorithm>
#include <limits>

namespace skyhook::model {
namespace {

constexpr double least = 0.01;  // m: what is finer is left to the steps

}  // namespace

double grain_of(const Relief& relief) {
  const auto* knows = dynamic_cast<const Grained*>(&relief);
  return knows ? knows->grain() : grain_of_formulas;
}

double grain_of(const Curve& curve, double of_formula) {
  const MonotoneCubic* table = curve.table();
  if (!table) return of_formula;
  double closest = table->last() - table->first();
  for (int k = 1; k + 1 < table->pieces(); ++k) closest = std::min(closest, table->end_of(k) - table->begin_of(k));
  return closest / 2;
}

double grain_of(const Surface& surface) {
  const Surface::Parts& parts = surface.parts();
  double out = std::numeric_limits<double>::infinity();
  if (parts.profile) out = grain_of(*parts.profile, grain_of_formulas);
  for (const auto& relief : parts.reliefs) out = std::min(out, grain_of(*relief));
  if (!parts.patches.empty()) out = std::min(out, Patch::blend / 2);
  return std::max(out, least);
}

}  // namespace skyhook::model
