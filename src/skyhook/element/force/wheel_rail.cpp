#include "skyhook/element/force/wheel_rail.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/finding.h"
#include "skyhook/element/profile_kind.h"
#include "skyhook/element/rail/elastic_contact.h"
#include "skyhook/element/rail/rigid_contact.h"
#include "skyhook/element/rail/varied_contact.h"
#include "skyhook/model/track_line.h"

namespace skyhook::element {
namespace {

using namespace rail;

constexpr double gauge_depth = 0.014;  // m below the top of the rail, where the gauge is measured

CreepOptions creep_options(const WheelRail& of, const model::FieldSource& source) {
  CreepOptions out{.law = of.creep,
                   .material = {of.shear_modulus, of.poisson},
                   .adhesion = of.adhesion,
                   .slip = of.slip,
                   .flexibilities = of.flexibilities == "3"   ? Flexibility::three
                                    : of.flexibilities == "1" ? Flexibility::one
                                                              : Flexibility::blended};
  if (of.slip > of.adhesion) fail(source, "slip", "slip is above adhesion.", "Give no more than `adhesion`.");
  if (!of.slices.empty()) {
    if (of.slices.size() != 2)
      fail(source, "slices", "slices are two numbers.", "Write [across, along], such as [24, 16].");
    out.across = static_cast<int>(of.slices[0]), out.along = static_cast<int>(of.slices[1]);
  }
  if (!of.coefficients.empty()) {
    if (of.coefficients.size() != 3) fail(source, "coefficients", "these are three numbers.", "Write [C11, C22, C23].");
    out.coefficients = FixedCoefficients{of.coefficients[0], of.coefficients[1], of.coefficients[2]};
  }
  return out;
}

RollingOptions rolling_options(const WheelRail& of, const model::FieldSource& source) {
  RollingOptions out;
  if (of.creep != "none") out.creep = make_creep_law(creep_options(of, source));
  out.material = {of.shear_modulus, of.poisson};
  out.friction = {of.friction, of.friction_far, of.friction_decay};
  out.slowest = of.low_speed;
  return out;
}

TrackBed bed_of(const WheelRail& of, const model::FieldSource& source) {
  TrackBed out{of.track_mass.value_or(0.0)};
  if (out.mass == 0) {
    if (!of.track_mass && !(of.track_stiffness.empty() && of.track_damping.empty()))
      fail(source, of.track_stiffness.empty() ? "track_damping" : "track_stiffness",
           "the track is fixed: it has no mass.", "Give `track_mass`, such as 200 kg.");
    return out;
  }
  if (of.contact == "rigid" || of.contact == "quasi_elastic")
    fail(source, "track_mass", "contact by constraint knows no track that gives way.", "Use hertz or multi_hertz.");
  if (of.track_stiffness.size() != 2)
    fail(source, "track_stiffness", "the bed of the track has two stiffnesses.",
         "Write [across, up], such as [30 MN/m, 75 MN/m].");
  if (!of.track_damping.empty() && of.track_damping.size() != 2)
    fail(source, "track_damping", "these are two numbers.", "Write [across, up].");
  for (std::size_t i = 0; i < 2; ++i)
    out.stiffness[i] = of.track_stiffness[i], out.damping[i] = of.track_damping.empty() ? 0.0 : of.track_damping[i];
  return out;
}

// Of the last rail that was asked for: the wheels of a vehicle stand on one.
double gauge_face_of(const ProfilePtr& rail) {
  static thread_local std::weak_ptr<const Profile> last;
  static thread_local double face = 0;
  if (last.lock() != rail) last = rail, face = rail->gauge_face(gauge_depth);
  return face;
}

WheelOnRail place_of(const WheelRail& of, const model::Track& track, const std::string& rail,
                     const model::FieldSource& source, const model::Model& model) {
  WheelOnRail out;
  out.wheel = profile_named(of.wheel, model, source, "wheel");
  out.rail = profile_named(rail, model, source, "track");
  if (track.inclination != 0.0) out.rail = leant(out.rail, std::atan(track.inclination));
  out.side = (of.side == "left" ? 1.0 : -1.0) * (of.across < 0 ? -1.0 : 1.0);
  out.radius = of.radius, out.static_load = of.static_load;
  out.half = of.half.value_or(of.flange_back / 2 + of.tape_circle);
  out.rail_y = of.rail_half ? *of.rail_half : track.gauge / 2 - gauge_face_of(out.rail);
  return out;
}

}  // namespace

void WheelRail::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Track& on = model.tracks[static_cast<std::size_t>(track.index)];
  if (along < 0)  // its axle would point to the right of a track that runs back
    fail(source, "track", "a wheel on a rail cannot stand in a part that is mirrored at x.",
         "Mirror it at y, or place it as it is.");
  PairFields fields_of_pair;
  fields_of_pair.from = on.from, fields_of_pair.to = to;
  const Pair pair = fields_of_pair.place(source);
  const WheelOnRail place = place_of(*this, on, on.rail, source, model);
  RollingOptions rolling = rolling_options(*this, source);
  if (creepages == "simplified") rolling = simplified(rolling, place);
  const TrackBed bed = bed_of(*this, source);
  const std::vector<model::RailChange> changes = on.line ? on.line->rail_changes() : std::vector<model::RailChange>{};
  if (contact == "hertz" || contact == "multi_hertz") {
    const auto law_on = [&](const WheelOnRail& at) {
      return elastic_contact({at, rolling, contact == "multi_hertz", damping, on.line, bed});
    };
    std::vector<Stretch> stretches{{0, 0, law_on(place)}};
    for (const model::RailChange& change : changes)
      stretches.push_back({change.begin, change.over, law_on(place_of(*this, on, change.rail, source, model))});
    model.contributions.push_back(contribution(
        pair, source, changes.empty() ? stretches.front().law : varied_contact(place, on.line, std::move(stretches))));
    return;
  }
  if (!changes.empty())
    fail(source, "contact", "contact by constraint knows no rails that change along the line.",
         "Use hertz or multi_hertz, or leave `rails` of the track out.");
  const ConstraintOptions options{place, rolling, variables, smoothing, on.line};
  model.contributions.push_back(
      contribution(pair, source, contact == "rigid" ? rigid_contact(options) : quasi_elastic_contact(options)));
}

}  // namespace skyhook::element
