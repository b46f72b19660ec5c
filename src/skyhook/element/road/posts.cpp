#include "skyhook/element/road/posts.h"

#include "skyhook/element/finding.h"

namespace skyhook::element {

void Posts::add_to(model::FieldSource& source, model::Model& model) const {
  if (!(front > rear)) fail(source, "front", "the front posts are not in front of the rear ones.", "Let front > rear.");
  const model::Motion still(CubicSpline(std::vector<double>{0, 1}, std::vector<double>{0, 0}));
  model::Surface::Parts parts;
  const double side = 0.5 * track;
  parts.posts = {{front, side, front_left.value_or(still)},
                 {front, -side, front_right.value_or(still)},
                 {rear, side, rear_left.value_or(still)},
                 {rear, -side, rear_right.value_or(still)}};
  put(std::move(parts), source, model);
}

}  // namespace skyhook::element
