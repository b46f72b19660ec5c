// What all profiles of the section `profiles` have: wear and lean, and how they get into the model.
#pragma once
#include <vector>

#include "skyhook/element/rail/profile.h"
#include "skyhook/model/field_source.h"

namespace skyhook::element {

struct ProfileKind {
  double inclination = 0;
  std::vector<double> worn_flat;

  static constexpr auto fields =
      describe(field(&ProfileKind::inclination, "inclination", "-", between(-0.5, 0.5),
                     "of a rail: how it leans to the inside of the track, 1/40 or 1/20; about its origin"),
               field(&ProfileKind::worn_flat, "worn_flat", "m", any(),
                     "[from, to]: worn flat between these y: the chord takes the place of what is there"));

  void put(rail::ProfilePtr profile, const model::FieldSource& source, model::Model& model) const;
};

namespace rail {
// The profile that a field names: one of the section `profiles`, else a built-in one. ModelError with all names.
ProfilePtr profile_named(const std::string& name, const model::Model& model, const model::FieldSource& source,
                         const char* field);
}  // namespace rail

}  // namespace skyhook::element
