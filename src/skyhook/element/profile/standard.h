// A profile of a standard, changed.
#pragma once
#include "skyhook/element/profile_kind.h"

namespace skyhook::element {

struct StandardProfile : ProfileKind {
  std::string profile;

  static constexpr auto fields = std::tuple_cat(
      describe(
          field(&StandardProfile::profile, "profile", "-", any(),
                "built-in or other profile that this one comes from: s1002, en15302_wheel_a, en15302_rail_a, uic60, "
                "uic60_1in20, uic60_1in40, or one above it")
              .required()),
      ProfileKind::fields);
  static constexpr const char* summary = "a known profile, leant or worn";
  void add_to(model::FieldSource& source, model::Model& model) const;
};

}  // namespace skyhook::element
