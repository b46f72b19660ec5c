// References: sequences by hand.
#include "skyhook/element/controller/expression.h"

#include "skyhook/element/controllers.testing.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

constexpr const char* variables = "t:s v:- old:- older:-";

// y = v - older of two samples ago
ExpressionController two_samples() {
  ExpressionController c;
  c.sample_time = 1;
  c.inputs = {{"v", "body.vx", {}}};
  c.memory = {{"old", "10", 10, {}, {}}, {"older", "20", 20, {}, {}}};
  c.next = {{"old", formula("v", variables)}, {"older", formula("old", variables)}};
  c.outputs = {{"difference", formula("v - older", variables)}, {"time", formula("t", variables)}};
  return c;
}

}  // namespace

TEST_CASE("Formulas see the memory as it was when the sample began") {
  SampledRun run(two_samples());
  CHECK(run({1}, 0)[0] == 1 - 20);
  CHECK(run({2}, 1)[0] == 2 - 10);
  CHECK(run({4}, 2)[0] == 4 - 1);
  CHECK(run({8}, 3)[0] == 8 - 2);
  CHECK(run.outputs[1] == 3);
  CHECK(run.model.signals[0].name == "part.difference");
  CHECK(run.controller().law->feeds_through());
}

TEST_CASE("Outputs without inputs do not feed through; what has no next stays") {
  ExpressionController c = two_samples();
  c.outputs = {{"only", formula("old + older*t/1[s]", variables)}};
  c.next.pop_back();
  SampledRun run(c);
  CHECK(!run.controller().law->feeds_through());
  CHECK(run.model.signals[0].name == "part");
  CHECK(run({3}, 1)[0] == 30);
  CHECK(run({4}, 1)[0] == 23);
}

TEST_CASE("Names that no formula could use are refused") {
  ExpressionController c = two_samples();
  c.next.push_back({"oldest", formula("v", variables)});
  CHECK(refused_field(c) == "next");
  c = two_samples();
  c.inputs[0].name = "old";
  CHECK(refused_field(c) == "memory");
  c.inputs[0].name = "t";
  CHECK(refused_field(c) == "inputs");
  c.inputs[0].name = "";  // a list
  CHECK(refused_field(c) == "inputs");
  c = two_samples();
  c.outputs.clear();
  CHECK(refused_field(c) == "outputs");
  c = two_samples();
  c.inputs.resize(70);
  for (std::size_t k = 0; k < 70; ++k) c.inputs[k].name = "v" + std::to_string(k);
  CHECK(refused_field(c) == "inputs");
}
