// What stands on bodies, and where.
#pragma once
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::io::model_file {

struct Attached {
  std::string what;
  Location where;
  int body;
  Vec3d at;
};

std::vector<Attached> attached_in(const model::Model& m);

}  // namespace skyhook::io::model_file
