#include "skyhook/simulation/kept_channels.h"

#include <doctest/doctest.h>

#include "skyhook/formalism/plane_linkage.testing.h"
#include "skyhook/simulation/prepare.h"

using namespace skyhook;
using namespace skyhook::simulation;

TEST_CASE("Channels are built once, and anew for other equations") {
  const auto p = prepare(formalism::testing::four_bar().model, {});
  const KeptChannels::List first = p.channels();
  CHECK(first->size() == all_channels(*p.active).size());
  CHECK(p.channels() == first);
  const Prepared copy = p;
  CHECK(copy.channels() == first);
  Prepared others = p;
  others.active = std::make_shared<const Equations>(p.model, p.topology);
  const KeptChannels::List second = others.channels();
  CHECK(second != first);
  CHECK(second->size() == first->size());
}
