#include "skyhook/element/translation.h"

#include <array>

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

void add_translation(model::Joint& joint, const TranslationFields& given, const model::FieldSource& source) {
  const std::array drives{given.drive_x, given.drive_y, given.drive_z};
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const bool driven = drives[i].has_value();
    add_coordinate(joint, source,
                   {.dof = {model::Dof::Kind::prismatic, directions[i].axis, directions[i].name, directions[i].mirror},
                    .position = component(driven ? std::nullopt : given.displacement, k),
                    .velocity = component(driven ? std::nullopt : given.velocity, k),
                    .drive = drives[i],
                    .drive_field = directions[i].drive_field,
                    .position_field = "displacement",
                    .velocity_field = "velocity"});
  }
}

}  // namespace skyhook::element
