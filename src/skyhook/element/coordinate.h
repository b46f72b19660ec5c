// Looking at a joint coordinate that a force or a coupler refers to.
#pragma once
#include "skyhook/model/field_source.h"

namespace skyhook::element {

// The Dof that the scalar coordinate belongs to. ModelError for one of a ball: its three are no angles.
const model::Dof& dof_of(const model::CoordinateRef& ref, const model::Model& model, const model::FieldSource& source,
                         const char* field);

// What the coordinate is called at the design position.
double reference_of(const model::CoordinateRef& ref, const model::Model& model);

}  // namespace skyhook::element
