// For tests of profiles: what a kind puts into the model.
#pragma once
#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"
#include "skyhook/model/profile.h"

namespace skyhook::element::test {

template <class Kind>
model::ProfilePtr profile_of(const Kind& kind) {
  TestSource source;
  model::Model model;
  kind.add_to(source, model);
  REQUIRE(model.profiles.size() == 1);
  CHECK(model.profiles[0].name == "part");
  CHECK(model.profiles[0].profile->name() == "part");
  return model.profiles[0].profile;
}

template <class Kind>
std::string refusal_of(const Kind& kind) {
  TestSource source;
  model::Model model;
  try {
    kind.add_to(source, model);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

}  // namespace skyhook::element::test
