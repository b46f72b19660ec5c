#include "skyhook/element/joint/free.h"

namespace skyhook::element {

namespace {

struct Direction {
  Vec3d axis;
  const char *name, *drive_field;
  Mirror mirror;
};
constexpr std::array<Direction, 3> directions{{{{1, 0, 0}, "x", "drive_x", Mirror::x},
                                               {{0, 1, 0}, "y", "drive_y", Mirror::y},
                                               {{0, 0, 1}, "z", "drive_z", Mirror::z}}};

}  // namespace

void Free::add_to(model::FieldSource& source, model::Model& model) const {
  model::Joint joint = begin_joint(*this, source, model);
  const std::array drives{drive_x, drive_y, drive_z};
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const bool driven = drives[i].has_value();  // a driven coordinate starts on its drive
    add_coordinate(joint, source,
                   {.dof = {model::Dof::Kind::prismatic, directions[i].axis, directions[i].name, directions[i].mirror},
                    .position = component(driven ? std::nullopt : displacement, k),
                    .velocity = component(driven ? std::nullopt : velocity, k),
                    .drive = drives[i],
                    .drive_field = directions[i].drive_field,
                    .position_field = "displacement",
                    .velocity_field = "velocity"});
  }
  add_rotation(joint, *this, source);
  model.joints.push_back(std::move(joint));
}

}  // namespace skyhook::element
