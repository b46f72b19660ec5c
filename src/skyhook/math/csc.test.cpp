#include "skyhook/math/csc.h"

#include <doctest/doctest.h>

using namespace skyhook;

namespace {

// [1 0 2; 0 0 3], entered out of order and with a duplicate
Csc example() {
  PatternBuilder builder(2, 3);
  builder.add(1, 2);
  builder.add(0, 0);
  builder.add(0, 2);
  builder.add(1, 2);
  Csc a(std::make_shared<const Pattern>(builder.build()));
  a.value = {1, 2, 3};
  return a;
}

}  // namespace

TEST_CASE("PatternBuilder sorts rows, merges duplicates and keeps empty columns") {
  const Pattern p = *example().pattern;
  CHECK(p.rows == 2);
  CHECK(p.cols == 3);
  CHECK(p.start == std::vector<int>{0, 1, 1, 3});
  CHECK(p.row == std::vector<int>{0, 0, 1});
  CHECK(p.nonzeros() == 3);
}

TEST_CASE("Pattern finds its entries and only these") {
  const Csc a = example();
  CHECK(a.pattern->find(1, 2) == 2);
  CHECK(a.pattern->find(1, 0) == -1);
  CHECK(a.pattern->find(0, 1) == -1);
  CHECK(a.at(0, 2) == 2.0);
  CHECK(a.at(1, 1) == 0.0);
}

TEST_CASE("An empty pattern has no entries") {
  CHECK(Pattern{}.nonzeros() == 0);
  CHECK(PatternBuilder(0, 0).build().nonzeros() == 0);
}

TEST_CASE("multiply_add adds s A x") {
  const std::vector<double> x{1, 10, 100};
  std::vector<double> y{5, 6};
  multiply_add(example(), x, 2.0, y);
  CHECK(y == std::vector<double>{5 + 2 * 201, 6 + 2 * 300});
}
