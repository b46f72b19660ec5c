#include "skyhook/element/profile/standard.h"

namespace skyhook::element {

void StandardProfile::add_to(model::FieldSource& source, model::Model& model) const {
  put(rail::profile_named(profile, model, source, "profile"), source, model);
}

}  // namespace skyhook::element
