// References: by hand.
#include "skyhook/element/controller/input.h"

#include <doctest/doctest.h>

#include "skyhook/element/source.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

TEST_CASE("An input is a signal that no controller says, in SI units") {
  model::Model model = two_bodies();
  TestSource source;
  Input input;
  input.unit = "N", input.value = 3000;
  input.add_to(source, model);
  CHECK(model.controllers.empty());
  REQUIRE(model.signals.size() == 1);
  CHECK(model.signals[0].start == 3000);
  CHECK(parse_unit(model.signals[0].unit).dimension == parse_unit("N").dimension);
  CHECK(parse_unit(model.signals[0].unit).factor == 1.0);
}

TEST_CASE("An input in a unit that is none is refused") {
  model::Model model = two_bodies();
  TestSource source;
  Input input;
  for (const char* unit : {"newtons per apple", "kN"}) {
    input.unit = unit;
    CHECK_THROWS_AS(input.add_to(source, model), ModelError);
  }
}
