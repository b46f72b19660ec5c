#include "skyhook/element/joint/coupler.h"

#include <fmt/format.h>

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"

namespace skyhook::element {

namespace {

model::Motion constant_motion(double value, const Location& where) {
  return model::Motion(expression::Expression::compile(fmt::format("{}", value), {}, where));
}

void add_term(model::Coupler& coupler, const model::CoordinateRef& ref, double ratio, const char* ratio_field,
              const model::FieldSource& source) {
  if (ratio == 0.0) {
    fail(source, ratio_field, std::string(ratio_field) + " is 0, so its coordinate plays no part.",
         "Give another ratio, or remove the coordinate.");
  }
  coupler.terms.push_back({ref.joint, ref.dof, ratio});
}

}  // namespace

void Coupler::add_to(model::FieldSource& source, model::Model& model) const {
  dof_of(coordinate_1, model, source, "coordinate_1");  // refuses balls
  dof_of(coordinate_2, model, source, "coordinate_2");
  if (coordinate_3) dof_of(*coordinate_3, model, source, "coordinate_3");
  if (offset && drive) {
    fail(source, "offset", "both `offset` and `drive` are given.",
         "Remove `offset`: the drive is its value over time.");
  }
  model::Coupler coupler{source.name(), source.where(""), {}, drive};
  add_term(coupler, coordinate_1, ratio_1, "ratio_1", source);
  add_term(coupler, coordinate_2, ratio_2, "ratio_2", source);
  if (coordinate_3) add_term(coupler, *coordinate_3, ratio_3, "ratio_3", source);
  if (offset) coupler.drive = constant_motion(*offset, source.where("offset"));
  model.couplers.push_back(std::move(coupler));
}

}  // namespace skyhook::element
