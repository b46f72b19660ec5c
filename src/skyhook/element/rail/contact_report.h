// What contacts by constraint say of themselves, rigid or quasi-elastic: channels, doubts, and why they end.
#pragma once
#include "skyhook/element/rail/rigid_contact.h"

namespace skyhook::element::rail {

std::vector<model::Quantity> contact_quantities(bool creeps);
// As the wheel rolls there, in axes of the rail, under the normal force `load`.
void measure_contact(const ConstraintOptions& with, const Rolling<double>& at, const HertzShape<double>& shape,
                     double load, std::vector<double>& out);
// Behind all others: where it touches and how it stands, from what measure_contact has put at `first`.
std::vector<model::Quantity> place_quantities(const WheelOnRail& of);
// `seen`: from its rail, which is at the way `along` the line.
void measure_place(const ConstraintOptions& with, const model::Relative<double>& seen, double along, double s,
                   std::size_t first, std::vector<double>& out);
std::string lifts_off(double multiplier);
// "the contact has reached the end of the wheel's profile ..."; empty: it has not.
std::string off_profiles(const WheelOnRail& of, const Axle<double>& axle, double s);
// The wheel is beside its rail: derailed, or between the rails. Empty: it is above it.
std::string beside_rail(const WheelOnRail& of, const Axle<double>& axle);
// Above it, but no point touches.
std::string no_point(const Axle<double>& axle);

}  // namespace skyhook::element::rail
