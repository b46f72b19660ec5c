#include "skyhook/analysis/wheelrail.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/base/error.h"

namespace skyhook::analysis {

using namespace element::rail;

namespace {

[[noreturn]] void refuse_place(const WheelsetOnTrack& wheelset, double shift) {
  const WheelsetContacts c = wheelset.at({shift, 0, 0});
  const char* which = c.left.is_between && c.right.is_between ? "both wheels are"
                      : c.left.is_between                     ? "the left wheel is"
                                                              : "the right wheel is";
  throw ModelError(
      {}, fmt::format("at a shift of {:.6g} mm {} not above the rail: no contact.", 1e3 * shift, which),
      "The wheel stands between the rails or outside of them: give a smaller shift, or check gauge, flange-back "
      "distance and tape circle.");
}

}  // namespace

std::vector<WheelrailRow> shift_wheelset(const WheelsetOnTrack& wheelset, const std::vector<double>& shifts, double yaw,
                                         const WheelMotion& motion, const LoadedOptions& options) {
  const auto law = make_creep_law(options.creep);
  std::vector<WheelrailRow> rows;
  for (const double shift : shifts) {
    const auto found = wheelset.find(shift, yaw);
    if (!found) refuse_place(wheelset, shift);
    const AxlePlace place{shift, found->roll, yaw};
    rows.push_back({shift, *found, load_contact(wheelset.left(), place, found->left, motion, options, *law),
                    load_contact(wheelset.right(), place.mirrored(), found->right, motion, options, *law)});
  }
  return rows;
}

RadiusDifference radius_difference(const WheelsetOnTrack& wheelset, double most, bool rolls, double step) {
  std::vector<double> right, left;  // shifts to the left, from the middle on; and to the right
  const auto fill = [&](double sign, std::vector<double>& out) {
    for (int k = 0; k * step <= most + step / 2; ++k) {
      const double shift = sign * k * step;
      const auto found = rolls ? wheelset.find(shift) : std::optional(wheelset.at({shift, 0, 0}));
      if (!found || found->left.is_between || found->right.is_between) return;
      if (found->left.contact().is_edge || found->right.contact().is_edge) return;
      out.push_back(found->delta_r);
    }
  };
  fill(1, left);
  fill(-1, right);
  if (left.size() < 2 || right.size() < 2) refuse_place(wheelset, 0);
  std::vector<double> all(right.rbegin(), right.rend() - 1);
  all.insert(all.end(), left.begin(), left.end());
  return {-step * static_cast<double>(right.size() - 1), step, std::move(all)};
}

std::vector<ConicityRow> conicities(const RadiusDifference& delta_r, const std::vector<double>& amplitudes) {
  const double none = std::nan("");
  std::vector<ConicityRow> rows;
  for (const double a : amplitudes)
    rows.push_back({a, harmonic_conicity(delta_r, a).value_or(none), integral_conicity(delta_r, a).value_or(none)});
  return rows;
}

}  // namespace skyhook::analysis
