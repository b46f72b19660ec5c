#include "skyhook/formalism/characteristic_length.h"

namespace skyhook::formalism {

double characteristic_length(const model::Model& m) {
  std::vector<Vec3d> points;
  for (const auto& j : m.joints) points.push_back(j.at_from), points.push_back(j.at_to);
  for (const auto& b : m.bodies) points.push_back(b.com);
  if (points.empty()) return 1.0;
  Vec3d mean;
  for (const Vec3d& p : points) mean += (1.0 / static_cast<double>(points.size())) * p;
  double size = 0;
  for (const Vec3d& p : points) size += norm(p - mean) / static_cast<double>(points.size());
  return size > 1e-9 ? size : 1.0;
}

}  // namespace skyhook::formalism
