#include "skyhook/element/profile_kind.h"

#include <fmt/format.h>

#include <cmath>

#include "skyhook/element/finding.h"

namespace skyhook::element {

void ProfileKind::put(rail::ProfilePtr profile, const model::FieldSource& source, model::Model& model) const {
  if (!worn_flat.empty()) {
    if (worn_flat.size() != 2 || !(worn_flat[0] < worn_flat[1]))
      fail(source, "worn_flat", "worn_flat is no range.", "Write [from, to], from below to.");
    if (worn_flat[0] < profile->first_y() || worn_flat[1] > profile->last_y())
      fail(source, "worn_flat",
           fmt::format("the profile reaches from y = {:.4g} mm to {:.4g} mm.", 1e3 * profile->first_y(),
                       1e3 * profile->last_y()),
           "Give a range within.");
    profile = rail::worn_flat(*profile, worn_flat[0], worn_flat[1]);
  }
  if (inclination != 0) {
    if (profile->parts().kind == model::Profile::Kind::wheel)
      fail(source, "inclination", "a wheel does not lean.", "Remove inclination: it belongs to rails.");
    profile = rail::inclined(*profile, std::atan(inclination));
  }
  model::Profile::Parts parts = profile->parts();
  parts.name = source.name();
  model.profiles.push_back({source.name(), "", std::make_shared<const model::Profile>(std::move(parts))});
}

namespace rail {

ProfilePtr profile_named(const std::string& name, const model::Model& model, const model::FieldSource& source,
                         const char* field) {
  std::vector<std::string> known;
  for (const model::NamedProfile& p : model.profiles) {
    if (p.name == name) return p.profile;
    known.push_back(p.name);
  }
  if (ProfilePtr p = built_in(name)) return p;
  for (const BuiltIn& b : built_ins()) known.push_back(b.name);
  element::fail(source, field, "the profile \"" + name + "\" is not known.", suggest(name, known, "Profiles"));
}

}  // namespace rail
}  // namespace skyhook::element
