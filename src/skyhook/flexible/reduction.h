// A few shapes that stand for all motions of a part: vibrations, deformations under forces at its places, responses to them at a frequency.
#pragma once
#include <numbers>
#include <optional>

#include "skyhook/flexible/compliance.h"
#include "skyhook/flexible/rigid_motion.h"

namespace skyhook::flexible {

inline constexpr double two_pi = 2 * std::numbers::pi;

struct ReductionOptions {
  Location where;
  // Vibrations: of the part free, or held at its places (Craig-Bampton) or where the frame is.
  enum class Boundary { free, held };
  Boundary boundary = Boundary::held;
  int modes = 10;
  std::optional<double> up_to, from;  // Hz: those in this range instead, as many as there are
  bool with_static = true;          // deformations under unit displacements (held) or unit forces (free) at the places
  std::vector<double> response_at;  // Hz: responses to unit forces at the places
  double least_participation =
      0;  // vibrations that carry less of the mass in every direction are left out; of held ones
  std::optional<double> drop_above;  // Hz: of the shapes as they come out, those above it
};

struct Reduced {
  Dense shapes;          // dofs x modes; no rigid part, orthogonal over mass and stiffness
  Column mass, squares;  // of each: shape^T M shape, omega^2
  FrameConditions frame;
  int vibrations = 0, statics = 0, responses = 0;  // that went in
  std::vector<std::string> notes;                  // what was left out, and why
};

Reduced reduce(const FeModel& part, const std::vector<Place>& places, const FrameConditions& frame,
               const ReductionOptions& options);

// Share of the mass, and of the moments of inertia about the origin, that each shape moves along and about the axes: (r^T M x)^2 / (x^T M x) / (r^T M r).
Dense effective_masses(const FeModel& part, const Dense& shapes);  // modes x 6

}  // namespace skyhook::flexible
