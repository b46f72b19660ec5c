// References: straight lines by hand; monotone: MonotoneCubic, which has tests of its own.
#include "skyhook/element/controller/lookup.h"

#include "skyhook/element/controllers.testing.h"
#include "skyhook/math/spline.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

Lookup three_rows() {
  Lookup l;
  l.sample_time = 1;
  l.input.channel = "body.vz";
  l.table = {{-1, 30}, {0, 10}, {2, 20}};
  return l;
}

}  // namespace

TEST_CASE("Between the rows a table is straight, beyond them it holds") {
  SampledRun run(three_rows());
  CHECK(run({-5})[0] == 30);
  CHECK(run({-0.5})[0] == 20);
  CHECK(run({0})[0] == 10);
  CHECK(run({1})[0] == 15);
  CHECK(run({2})[0] == 20);
  CHECK(run({7})[0] == 20);
}

TEST_CASE("A monotone table is the C1 curve, and holds beyond its ends") {
  Lookup l = three_rows();
  l.interpolation = "monotone";
  l.table.push_back({3, 50});
  SampledRun run(l);
  const MonotoneCubic curve(std::vector<double>{-1, 0, 2, 3}, std::vector<double>{30, 10, 20, 50});
  for (const double x : {-0.7, 0.3, 1.9, 2.5}) CHECK(run({x})[0] == curve(x));
  CHECK(run({4})[0] == 50);
}

TEST_CASE("A schedule goes from column to column") {
  Lookup l = three_rows();
  l.schedule.channel = "body.vx";
  l.schedule_at = {10, 20};
  l.table = {{0, 1, 3}, {1, 2, 8}};
  SampledRun run(l);
  CHECK(run({0.5, 0})[0] == 1.5);
  CHECK(run({0.5, 30})[0] == 5.5);
  CHECK(run({0.5, 15})[0] == 3.5);
  CHECK(run.controller().inputs[1].channel == "body.vx");
}

TEST_CASE("Tables that are none are refused") {
  Lookup l = three_rows();
  l.table = {{0, 1}};
  CHECK(refused_field(l) == "table");
  l.table = {{0, 1}, {0, 2}};
  CHECK(refused_field(l) == "table");
  l.table = {{0, 1}, {1, 2, 3}};
  CHECK(refused_field(l) == "table");
  l = three_rows();
  l.schedule_at = {1, 2};
  CHECK(refused_field(l) == "schedule_at");
  l.schedule.channel = "body.vx";
  CHECK(refused_field(l) == "table");
  l.schedule_at = {2, 1};
  CHECK(refused_field(l) == "schedule_at");
}
