// What an experiment with `analysis: kinematics` moves, holds and measures: plain data.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/model/model.h"

namespace skyhook::model {

struct Kinematics {
  // Positions from the constraints alone; or the equilibrium at every point. Automatic: kinematic where the drives fix all.
  enum class Mode { automatic, kinematic, quasi_static };

  // Goes from one value to the other while all others do. Equal ones: it is held there.
  struct Range {
    double from = 0, to = 0;
    bool moves() const { return from != to; }
  };
  // Of a wheel's centre, up in the axes of the vehicle from design; or of a joint coordinate in the user's count.
  struct Travel {
    std::string name;
    Location where;
    int wheel = -1;  // among `wheels`; else
    int joint = -1, scalar = -1;
    const char* unit = "m";
    Range range = {};
  };
  // A wheel and the body that carries it. Points and axes are global at design.
  struct Carrier {
    std::string name;  // of the wheel's body
    Location where;
    int body = ground;     // that carries the wheel without its spin
    int vehicle = ground;  // against which all is measured: x forward, y left, z up
    Vec3d centre, axis{0, 1, 0};
    double radius = 0;  // m, of the wheel under load
    Wheel::Side side = Wheel::Side::left;
    bool is_front = true;
    std::optional<std::array<Vec3d, 2>> steering_axis;  // lower and upper point on the carrier
  };
  // At the contact point of the design position, in the axes of the vehicle.
  struct Load {
    enum class Direction { longitudinal, lateral, aligning };
    int wheel = 0;
    Direction direction = Direction::lateral;
    Range range;  // N, N.m
    Location where;
  };
  struct Coordinate {
    int joint, scalar;
  };

  Mode mode = Mode::automatic;
  int points = 41;
  std::vector<Carrier> wheels;
  std::vector<Travel> travel;
  std::vector<Load> loads;
  std::vector<int> hold;               // joints that stand still
  std::vector<std::string> without;    // forces that are left out
  std::optional<Coordinate> steering;  // its motion shows the steering axes of wheels that give none
  // Of the whole vehicle; absent: anti-dive and the like are not known.
  std::optional<double> wheelbase, cg_height;      // m
  std::optional<double> brake_share, drive_share;  // of the front axle
};

inline const char* name_of(Kinematics::Mode mode) {
  return mode == Kinematics::Mode::quasi_static ? "quasi_static"
         : mode == Kinematics::Mode::kinematic  ? "kinematic"
                                                : "auto";
}

inline const char* name_of(Kinematics::Load::Direction direction) {
  return direction == Kinematics::Load::Direction::longitudinal ? "longitudinal"
         : direction == Kinematics::Load::Direction::lateral    ? "lateral"
                                                                : "aligning";
}

}  // namespace skyhook::model
