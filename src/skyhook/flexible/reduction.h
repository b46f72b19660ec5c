// A few shapes that stand for all motions of a part: vibrations, deformations under forces at its places or under heat, responses at a frequency.
#pragma once
#include <cmath>
#include <numbers>
#include <optional>

#include "skyhook/flexible/compliance.h"
#include "skyhook/flexible/rigid_motion.h"

namespace skyhook::flexible {

inline constexpr double two_pi = 2 * std::numbers::pi;

// How far one place moves when a force or moment acts on another: numbers of places, directions 0 to 5 (x, y, z, about x, y, z).
struct Channel {
  int from = 0, from_direction = 0, to = 0, to_direction = 0;
};

struct PlaceDirection {
  int place = 0, direction = 0;
};

struct ReductionOptions {
  Location where;
  // Vibrations: of the part free, or held at its places (Craig-Bampton) or where the frame is.
  enum class Boundary { free, held };
  Boundary boundary = Boundary::held;
  int modes = 10;
  std::optional<double> up_to, from;  // Hz: those in this range instead, as many as there are
  bool with_static = true;  // deformations under unit displacements (held) or unit forces (free) at the places
  std::vector<PlaceDirection> static_at;  // of free parts: only under these forces and moments; empty: all
  std::vector<double> response_at;        // Hz: responses to unit forces at the places
  double least_participation =
      0;  // vibrations that carry less of the mass in every direction are left out; of held ones
  // Free vibrations that contribute less to all of these are left out: |x_to x_from| / omega^2, over the sum of all vibrations found.
  std::vector<Channel> channels;
  double least_contribution = 0;
  // Also deformations under heat: of beams and plates by their names, warm all over; name.y and name.z: warmer on one side (thermal response modes).
  std::vector<std::string> thermal;
  Dense given;                       // dofs x any: displacements from elsewhere, as shapes too
  std::optional<double> drop_above;  // Hz: of the shapes as they come out, those above it
};

struct Reduced {
  Dense shapes;          // dofs x modes; no rigid part, orthogonal over mass and stiffness
  Column mass, squares;  // of each: shape^T M shape, omega^2
  FrameConditions frame;
  double buckling_factor = INFINITY;  // of a preload: how many times it the shapes bear
  int vibrations = 0, statics = 0, responses = 0, thermals = 0, given = 0;  // that went in
  std::vector<std::string> notes;                                           // what was left out, and why
};

Reduced reduce(const FeModel& part, const std::vector<Place>& places, const FrameConditions& frame,
               const ReductionOptions& options);

// Adds a stiffness of the shapes (modes x modes) to that of the part, which makes other shapes of them. Throws ModelError where no stiffness is left: the part buckles.
void stiffen(const FeModel& part, const Dense& by_preload, const Location& where, Reduced& reduced);

// Shares of the vibrations in the static answer of each channel: |x_to x_from| / omega^2 over their sum; vibrations x channels.
Dense contributions(const Vibrations& v, const std::vector<Place>& places, const std::vector<Channel>& channels);

// Share of the mass, and of the moments of inertia about the origin, that each shape moves along and about the axes: (r^T M x)^2 / (x^T M x) / (r^T M r).
Dense effective_masses(const FeModel& part, const Dense& shapes);  // modes x 6

}  // namespace skyhook::flexible
