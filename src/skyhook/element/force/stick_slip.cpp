#include "skyhook/element/force/stick_slip.h"

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {
namespace {

// A law that is constant in each mode. Without a watcher there is none: a steep curve in its place would creep.
struct SlipForce final : model::CoordinateElement {
  explicit SlipForce(double force) : slide(force) {}
  double of(int mode) const {
    using Mode = model::Stick::Mode;
    return mode == Mode::slips_up ? -slide : mode == Mode::slips_down ? slide : 0.0;
  }
  double force(double, double, double, const model::Setting& set) const override { return of(set.mode); }
  Dual<2> force(const Dual<2>&, const Dual<2>&, double, const model::Setting& set) const override {
    return Dual<2>(of(set.mode));
  }
  double slide;
};

struct Limits {
  double hold, slide;
};

Limits limits_of(const StickSlip& s, bool is_angle, const model::FieldSource& source) {
  const char* const hold = is_angle ? "angular_hold" : "hold";
  const char* const slide = is_angle ? "angular_slide" : "slide";
  if (is_angle ? s.hold || s.slide : s.angular_hold || s.angular_slide)
    fail(source, is_angle ? "hold" : "angular_hold",
         std::string("the coordinate is ") + (is_angle ? "an angle" : "a length") + ".",
         std::string("Give ") + hold + " and " + slide + " instead.");
  const std::optional<double>&most = is_angle ? s.angular_hold : s.hold, &slips = is_angle ? s.angular_slide : s.slide;
  if (!most) fail(source, hold, "it is not said how much it holds.", std::string("Give ") + hold + ".");
  const Limits out{*most, slips.value_or(*most)};
  if (out.slide > out.hold)
    fail(source, slide, std::string(slide) + " is above " + hold + ": it would slip and stick at once.",
         "Give at most that.");
  return out;
}

}  // namespace

void StickSlip::add_to(model::FieldSource& source, model::Model& model) const {
  const model::Dof& dof = dof_of(joint, model, source, "joint");
  const Limits limits = limits_of(*this, dof.is_angle(), source);
  const model::Joint& at = model.joints.at(static_cast<std::size_t>(joint.joint));
  if (at.drive.at(static_cast<std::size_t>(joint.dof)))
    fail(source, "joint", "a drive moves this coordinate: it can neither stick nor slip.",
         "Remove the drive of \"" + at.name + "\", or this element.");
  model::Contribution added = begin_contribution(joint, source);
  added.coordinate = std::make_shared<SlipForce>(limits.slide);
  added.row = {.kind = model::Row::Kind::sum,
               .holds = model::Row::Holds::stuck,
               .terms = {{joint.joint, joint.dof, 1.0}},
               .hold = limits.hold};
  model.contributions.push_back(std::move(added));
}

}  // namespace skyhook::element
