#include "skyhook/base/warning.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

using namespace skyhook;

TEST_CASE("kinds of warnings stand in the order of the alphabet, each once") {
  const auto kinds = warning_kinds();
  for (std::size_t k = 1; k < kinds.size(); ++k)
    CHECK_MESSAGE(std::string_view(kinds[k - 1].name) < kinds[k].name, kinds[k].name);
}

TEST_CASE("a warning tells its place, what is wrong, what to do and its name") {
  const Warning w{"unused", {"a.yaml", 3, 5}, "parameter \"k\" is used nowhere.", "Remove it."};
  CHECK(to_string(w) == "a.yaml:3:5: parameter \"k\" is used nowhere. Remove it. [unused]");
  CHECK(to_string(w, Named::no) == "a.yaml:3:5: parameter \"k\" is used nowhere. Remove it.");
  CHECK(to_json({w, {"energy_lost", {}, "5 % are missing."}}) ==
        "[{\"name\": \"unused\", \"text\": \"parameter \\\"k\\\" is used nowhere. Remove it.\", \"file\": \"a.yaml\", "
        "\"line\": 3}, {\"name\": \"energy_lost\", \"text\": \"5 % are missing.\", \"file\": null, \"line\": null}]");
}

TEST_CASE("warnings are switched off by their names, and a wrong name is refused") {
  const std::vector<Warning> all{{"unused", {}, "a"}, {"no_mass", {}, "b"}, {"unused", {}, "c"}};
  const auto left = without(all, {"unused"});
  REQUIRE(left.size() == 1);
  CHECK(left[0].what == "b");
  CHECK_NOTHROW(require_warning_kind("unused", {}));
  CHECK_THROWS_WITH_AS(require_warning_kind("unusd", {"a.yaml", 2}), doctest::Contains("Did you mean \"unused\"?"),
                       ModelError);
}
