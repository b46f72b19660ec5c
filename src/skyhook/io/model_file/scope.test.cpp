// References: the list by itself; names whose marks are the same, found by trying all pairs of letters and digits.
#include "skyhook/io/model_file/scope.h"

#include <doctest/doctest.h>

#include <map>

using namespace skyhook;
using namespace skyhook::io::model_file;

TEST_CASE("The last local of a name wins, and copies do not see what is added later") {
  Locals first;
  CHECK(first.find("mass") == nullptr);
  first.push_back({"mass", {1.0, {}}});
  Locals second = first;
  second.push_back({"mass", {2.0, {}}});
  CHECK(first.find("mass")->value.value == 1.0);
  CHECK(second.find("mass")->value.value == 2.0);
  CHECK(second.find("mas") == nullptr);
  CHECK(second.find("mass2") == nullptr);
}

TEST_CASE("A point of a part is found by its name where points are asked for") {
  Locals locals;
  for (const char* name : {"ball", "ball.x", "ball.y", "arm.x", "arm"}) locals.push_back({name, {3.0, {}}});
  CHECK(locals.find("ball")->name == "ball");
  CHECK(locals.find_with_points("ball")->name == "ball.x");  // which stands behind it
  CHECK(locals.find_with_points("arm")->name == "arm");
  CHECK(locals.find_with_points("ball.y")->name == "ball.y");
  CHECK(locals.find_with_points("bal") == nullptr);
  CHECK(locals.find("arm.z") == nullptr);
}

TEST_CASE("Names with the same mark are told apart") {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::map<Locals::Mark, std::string> seen;
  std::string one, other;
  for (std::size_t i = 0; i < letters.size() * letters.size() * letters.size() * letters.size() && other.empty(); ++i) {
    std::string name;
    for (std::size_t k = 0, rest = i; k < 4; ++k, rest /= letters.size()) name += letters[rest % letters.size()];
    const auto [at, is_new] = seen.emplace(Locals::mark_of(name), name);
    if (!is_new) one = at->second, other = name;
  }
  REQUIRE_FALSE(other.empty());
  Locals locals;
  locals.push_back({one, {1.0, {}}});
  CHECK(locals.find(other) == nullptr);
  locals.push_back({other, {2.0, {}}});
  CHECK(locals.find(one)->value.value == 1.0);
  CHECK(locals.find(other)->value.value == 2.0);
}
