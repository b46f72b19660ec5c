// Plane linkages for tests, built without a model file: rods of mass 1 kg a metre in the xy plane, hinges about z.
#pragma once
#include <memory>

#include "skyhook/formalism/random_model.testing.h"

namespace skyhook::formalism::testing {

class Linkage {
 public:
  std::shared_ptr<model::Model> model = std::make_shared<model::Model>();

  Linkage() { model->gravity = {0, -9.81, 0}; }

  // A uniform rod between two points; `density` in kg/m.
  int rod(const std::string& name, const Vec3d& from, const Vec3d& to, double density = 1);
  model::Joint& hinge(const std::string& name, int from, int to, const Vec3d& at);
  model::Joint& slide(const std::string& name, int from, int to, const Vec3d& at, const Vec3d& axis);
  model::Joint& ball(const std::string& name, int from, int to, const Vec3d& at);
  static void drive(model::Joint& joint, const std::string& of_t);
  model::Joint& joint(const std::string& name, const std::string& type, int from, int to, const Vec3d& at,
                      const Vec3d& axis);
};

// Crank A-B, coupler B-C, rocker D-C; A and D on the ground. `gap`: C of the rocker stands off C of the coupler by this.
Linkage four_bar(const Vec3d& gap = {}, double crank_density = 1, double rocker_density = 1);

}  // namespace skyhook::formalism::testing
