// Repeated instances: `link[i=1..N]` stands for link[1], link[2], ... link[N]. Both ends are expressions of parameters,
// the last is included, and an end below the start gives none.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "skyhook/io/model_file/scalar.h"

namespace skyhook::io::model_file {

constexpr long most_repeats = 100'000;

struct Instance {
  std::string name;
  Scope scope;  // of the place, with its index
};

// Without a repeat: the one instance, index expressions evaluated. Reports and gives none where something is wrong.
std::vector<Instance> instances_of(const Node& name, const ScalarReader& scalars, const std::string& what);

}  // namespace skyhook::io::model_file
