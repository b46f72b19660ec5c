#include "skyhook/element/joint/coupler.h"

#include <fmt/format.h>

#include "skyhook/element/coordinate.h"
#include "skyhook/element/finding.h"
#include "skyhook/element/pair_fields.h"

namespace skyhook::element {

namespace {

model::Motion constant_motion(double value, const Location& where) {
  return model::Motion(expression::Expression::compile(fmt::format("{}", value), {}, where));
}

void add_term(model::Row& row, const model::CoordinateRef& ref, double ratio, const char* ratio_field,
              const model::FieldSource& source) {
  if (ratio == 0.0) {
    fail(source, ratio_field, std::string(ratio_field) + " is 0, so its coordinate plays no part.",
         "Give another ratio, or remove the coordinate.");
  }
  row.terms.push_back({ref.joint, ref.dof, ratio});
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
  model::Row sum{.kind = model::Row::Kind::sum, .drive = drive};
  add_term(sum, coordinate_1, ratio_1, "ratio_1", source);
  add_term(sum, coordinate_2, ratio_2, "ratio_2", source);
  if (coordinate_3) add_term(sum, *coordinate_3, ratio_3, "ratio_3", source);
  if (offset) sum.drive = constant_motion(*offset, source.where("offset"));
  model::Contribution coupler = begin_contribution(Pair{}, source);
  coupler.row = std::move(sum);
  model.contributions.push_back(std::move(coupler));
}

}  // namespace skyhook::element
