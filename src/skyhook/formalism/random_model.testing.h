// Random models for tests: trees of every joint type, loops, rods, couplers, drives, contacts, and an element whose law depends on
// every local variable.
#pragma once
#include <memory>
#include <random>

#include "skyhook/math/rotation.h"
#include "skyhook/model/model.h"

namespace skyhook::formalism::recursive {
class Equations;
}

namespace skyhook::formalism::testing {

using model::Dof;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low = -1, double high = 1);
  int integer(int low, int high);
  Vec3d vector(double size = 1);
  Vec3d unit();

 private:
  std::mt19937 engine_;
};

// Of one of the ten kinds that random models have; all vectors of its coordinates have their sizes.
model::Joint make_joint(const std::string& name, const std::string& type, int from, int to, const Vec3d& at,
                        Random& random);

struct Recipe {
  int bodies = 8;
  int loops = 0;  // cut joints of random type
  int rods = 0, forces = 0, couplers = 0, drives = 0;
  int contacts = 0, stick_slips = 0;  // contacts with a plane, a profile and a sphere in turn
  bool reversed = true;
  int inner = 0;  // forces with inner states: in turn on a line, on a coordinate of the tree, on that of a cut joint
  int cut_every = 0;      // every so many joints of the tree is cut too, but for guides; 0: none, 1: all
  bool friction = false;  // of the cut hinges and sliders, depending on their load
};

std::shared_ptr<model::Model> random_model(unsigned seed, const Recipe& recipe);

// With every row active, those that switch included; coordinates stick at 0.3.
std::shared_ptr<recursive::Equations> with_every_row(std::shared_ptr<const model::Model> model);

}  // namespace skyhook::formalism::testing
