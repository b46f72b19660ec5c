#include "skyhook/simulation/frame_channels.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "skyhook/math/rotation.h"
#include "skyhook/model/nodal_mesh.h"

namespace skyhook::simulation {
namespace {

using formalism::Frame;
using model::Quantity;

Vec3d own_angular_velocity(const Snapshot& s, const Frame& frame) {
  return transpose_times(axes_of(s, frame), angular_velocity_of(s, frame));
}

// Three angles about axes that follow each other: how they and their rates come from the axes.
struct Sequence {
  Vec3d (*angles)(const Mat3d&);
  Vec3d (*rates)(const Vec3d&, const Vec3d&);
};
constexpr Sequence cardan{cardan_angles, cardan_angle_rates}, iso8855{yaw_pitch_roll, yaw_pitch_roll_rates};

// Bit by bit: 0.0 and -0.0 are equal, but angles of them lie half a turn apart.
template <class X>
bool is_same(const X& a, const X& b) {
  static_assert(std::is_trivially_copyable_v<X> && sizeof(X) % sizeof(double) == 0);
  return std::memcmp(&a, &b, sizeof(X)) == 0;
}

// Channels of one frame, and formulas of them, ask for the same attitude one after the other: the last in this thread is kept.
Vec3d angles_of(const Snapshot& s, const Frame& frame, const Sequence& of) {
  struct Last {
    Vec3d (*by)(const Mat3d&) = nullptr;
    Mat3d axes;
    Vec3d angles;
  };
  static thread_local Last last;
  const Mat3d axes = axes_of(s, frame);
  if (last.by != of.angles || !is_same(last.axes, axes)) last = {of.angles, axes, of.angles(axes)};
  return last.angles;
}

Vec3d angle_rates_of(const Snapshot& s, const Frame& frame, const Sequence& of) {
  struct Last {
    Vec3d (*by)(const Vec3d&, const Vec3d&) = nullptr;
    Vec3d angles, w, rates;
  };
  static thread_local Last last;
  const Vec3d angles = angles_of(s, frame, of), w = own_angular_velocity(s, frame);
  if (last.by != of.rates || !(is_same(last.angles, angles) && is_same(last.w, w)))
    last = {of.rates, angles, w, of.rates(angles, w)};
  return last.rates;
}

void add_angles(ChannelList& list, const std::string& owner, const Frame& frame, const Sequence& of,
                const std::array<Quantity, 3>& named) {
  const int memory = list.new_memory();
  for (int k = 0; k < 3; ++k) {
    Channel& c = list.add(owner, named[static_cast<std::size_t>(k)], [=](const Snapshot& s, const Running& run) {
      const double angle = angles_of(s, frame, of)[k];
      return k == 1 ? angle : continued_angle(memory_of(run, memory), k, angle, s.t);
    });
    c.memory = memory;
    c.rate = [=](const Snapshot& s, const Running&) { return angle_rates_of(s, frame, of)[k]; };
    c.remember = [=](const Snapshot& s, LastValues& last) {
      remember_angles(last, angles_of(s, frame, of), angle_rates_of(s, frame, of), s.t);
    };
  }
}

void add_yaw_pitch_roll(ChannelList& list, const std::string& owner, const Frame& frame) {
  add_angles(list, owner, frame, iso8855,
             {{{"yaw", "rad", "first of the angles of ISO 8855: about z, to the left; counts turns"},
               {"pitch", "rad", "then about the new y, nose down positive, within ±90 deg"},
               {"roll", "rad", "then about the new x, to the right positive"}}});
  const Quantity rates[] = {{"yaw_rate", "rad/s", "rate of yaw"},
                            {"pitch_rate", "rad/s", "rate of pitch"},
                            {"roll_rate", "rad/s", "rate of roll"}};
  for (int k = 0; k < 3; ++k) {
    list.add(owner, rates[k], [=](const Snapshot& s, const Running&) { return angle_rates_of(s, frame, iso8855)[k]; });
  }
}

void add_quaternion(ChannelList& list, const std::string& owner, const Frame& frame) {
  constexpr const char* parts[] = {"qw", "qx", "qy", "qz"};
  const int memory = list.new_memory();
  for (int k = 0; k < 4; ++k) {
    const Quantity named{parts[k], "-", "unit quaternion of its axes, without jumps of sign"};
    Channel& c = list.add(owner, named, [=](const Snapshot& s, const Running& run) {
      const auto q = continued_quaternion(memory_of(run, memory), quaternion_of(axes_of(s, frame)), s.t);
      return k == 0 ? q.w : k == 1 ? q.x : k == 2 ? q.y : q.z;
    });
    c.memory = memory;
    c.remember = [=](const Snapshot& s, LastValues& last) {
      remember_quaternion(last, quaternion_of(axes_of(s, frame)), own_angular_velocity(s, frame), s.t);
    };
  }
}

constexpr double flat = 1e-12;  // its part along the ground, and it has no heading
double level_of(const Vec3d& n) { return std::sqrt(n.x * n.x + n.y * n.y); }

// The axis of a wheel, on its own body and on that of the vehicle.
struct WheelPlace {
  Frame frame;
  Vec3d axis;  // global at design
  Frame vehicle;
};

Vec3d axis_of(const Snapshot& s, const WheelPlace& wheel) { return turn_of(s, wheel.frame) * wheel.axis; }

WheelAxis against_vehicle(const Snapshot& s, const WheelPlace& wheel) {
  const Mat3d axes = axes_of(s, wheel.vehicle);
  const Vec3d n = axis_of(s, wheel), w = angular_velocity_of(s, wheel.frame) - angular_velocity_of(s, wheel.vehicle);
  return {transpose_times(axes, n), transpose_times(axes, cross(w, n))};
}

WheelAxis against_ground(const Snapshot& s, const WheelPlace& wheel) {
  const Vec3d n = axis_of(s, wheel);
  return {n, cross(angular_velocity_of(s, wheel.frame), n)};
}

// `sign`: of the steer angle in it.
void add_heading(ChannelList& list, const std::string& owner, const Quantity& named, const Quantity& rate, double sign,
                 int memory, const WheelPlace& wheel) {
  Channel& c = list.add(owner, named, [=](const Snapshot& s, const Running& run) {
    return sign * continued_angle(memory_of(run, memory), 0, against_vehicle(s, wheel).steer(), s.t) + 0.0;  // no -0
  });
  c.memory = memory;
  c.rate = [=](const Snapshot& s, const Running&) { return sign * against_vehicle(s, wheel).steer_rate(); };
  c.remember = [=](const Snapshot& s, LastValues& last) {
    const WheelAxis axis = against_vehicle(s, wheel);
    remember_angle(last, axis.steer(), axis.steer_rate(), s.t);
  };
  const ChannelValue steer_rate = c.rate;
  list.add(owner, rate, steer_rate);
}

// Signs after ISO 8855. On the left a wheel whose top leans to the right leans inwards, and one that steers to the left
// points outwards.
void add_wheel(ChannelList& list, const std::string& owner, const model::Wheel& given, const WheelPlace& wheel) {
  const int memory = list.new_memory();
  add_heading(list, owner, {"steer", "rad", "heading of the wheel plane against the vehicle's x, to the left positive"},
              {"steer_rate", "rad/s", "rate of steer"}, 1.0, memory, wheel);
  list.add(owner, {"inclination", "rad", "lean of the wheel plane against the global z, to the right positive"},
           [=](const Snapshot& s, const Running&) { return against_ground(s, wheel).inclination(); });
  list.add(owner, {"spin", "rad/s", "speed about its axis against the level line in the wheel plane, forward positive"},
           [=](const Snapshot& s, const Running&) {
             const Vec3d n = axis_of(s, wheel);
             return dot(angular_velocity_of(s, wheel.frame), n) - against_ground(s, wheel).steer_rate() * n.z;
           });
  if (given.side == model::Wheel::Side::middle) return;  // neither inwards nor outwards
  const double inwards = given.side == model::Wheel::Side::left ? -1.0 : 1.0;
  add_heading(list, owner, {"toe", "rad", "steer angle with the front inwards positive"},
              {"toe_rate", "rad/s", "rate of toe"}, inwards, memory, wheel);
  const auto camber_rate = [=](const Snapshot& s, const Running&) {
    return inwards * against_vehicle(s, wheel).inclination_rate();
  };
  list.add(owner, {"camber", "rad", "lean of the wheel plane against the vehicle's z, top outwards positive"},
           [=](const Snapshot& s, const Running&) { return inwards * against_vehicle(s, wheel).inclination() + 0.0; })
      .rate = camber_rate;
  list.add(owner, {"camber_rate", "rad/s", "rate of camber"}, camber_rate);
}

}  // namespace

double WheelAxis::steer() const { return level_of(n) < flat ? 0.0 : std::atan2(-n.x, n.y); }
double WheelAxis::inclination() const { return std::atan2(n.z, level_of(n)); }
double WheelAxis::steer_rate() const {
  return level_of(n) < flat ? 0.0 : (n.x * n_rate.y - n.y * n_rate.x) / (n.x * n.x + n.y * n.y);
}
double WheelAxis::inclination_rate() const { return level_of(n) < flat ? 0.0 : n_rate.z / level_of(n); }

void add_frame(ChannelList& list, const std::string& name, const Frame& frame) {
  const auto velocity = [=](const Snapshot& s) { return motion_of(s, frame).v; };
  const auto acceleration = [=](const Snapshot& s) { return motion_of(s, frame).a; };
  list.add_vector(
      name, "", "m", "position of its point, global", [=](const Snapshot& s) { return motion_of(s, frame).p; },
      velocity, acceleration);
  list.add_vector(name, "v", "m/s", "velocity of its point, global", velocity, acceleration);
  for (int k = 0; k < 3; ++k)
    list.add_acceleration(name,
                          {std::string("a") + ChannelList::axis_names[k], "m/s^2", "acceleration of its point, global"},
                          [=](const Snapshot& s, const Running&) { return motion_of(s, frame).a[k]; });
  add_angles(list, name, frame, cardan,
             {{{"angle_x", "rad", "first Cardan angle of its axes: about x"},
               {"angle_y", "rad", "second Cardan angle: about the new y, within ±90 deg"},
               {"angle_z", "rad", "third Cardan angle: about the new z"}}});
  add_yaw_pitch_roll(list, name, frame);
  add_quaternion(list, name, frame);
}

void add_body(ChannelList& list, const Equations& eq, int index) {
  const model::Body& body = eq.model().bodies[static_cast<std::size_t>(index)];
  if (model::mesh_of(body)) return;  // it has no frame: add_nodes()
  const Frame frame = frame_of(eq, index, body.at, body.axes);
  add_frame(list, body.name, frame);
  list.add_vector(
      body.name, "w", "rad/s", "angular velocity, global axes",
      [=](const Snapshot& s) { return angular_velocity_of(s, frame); },
      [=](const Snapshot& s) { return angular_acceleration_of(s, frame); });
  if (!body.wheel) return;
  const int vehicle = body.wheel->vehicle;
  const Mat3d level =
      vehicle == model::ground ? Mat3d::identity() : eq.model().bodies[static_cast<std::size_t>(vehicle)].axes;
  add_wheel(list, body.name, *body.wheel, {frame, body.wheel->axis, frame_of(eq, vehicle, {}, level)});
}

// The frame `in` may turn: the rates are those of the components as they are recorded.
void add_sensor(ChannelList& list, const Equations& eq, const model::Sensor& sensor) {
  const Frame from = frame_of(eq, sensor.from), to = frame_of(eq, sensor.to), in = frame_of(eq, sensor.in);
  const auto apart = [=](const Snapshot& s) { return motion_of(s, to).p - motion_of(s, from).p; };
  const auto moving = [=](const Snapshot& s) { return motion_of(s, to).v - motion_of(s, from).v; };
  list.add_vector(sensor.name, "", "m", "position of `to` from `from`, axes of `in`",
                  [=](const Snapshot& s) { return transpose_times(axes_of(s, in), apart(s)); });
  list.add_vector(sensor.name, "v", "m/s", "rate of the position in the axes of `in`, which may turn",
                  [=](const Snapshot& s) {
                    const Vec3d carried = cross(angular_velocity_of(s, in), apart(s));
                    return transpose_times(axes_of(s, in), moving(s) - carried);
                  });
  list.add_vector(sensor.name, "w", "rad/s", "angular velocity of `to` relative to `from`, axes of `in`",
                  [=](const Snapshot& s) {
                    return transpose_times(axes_of(s, in), angular_velocity_of(s, to) - angular_velocity_of(s, from));
                  });
  const auto distance_rate = [=](const Snapshot& s, const Running&) {
    const Vec3d r = apart(s);
    return norm(r) > 0 ? dot(r, moving(s)) / norm(r) : 0.0;
  };
  list.add(sensor.name, {"distance", "m", "distance of the two points"},
           [=](const Snapshot& s, const Running&) { return norm(apart(s)); })
      .rate = distance_rate;
  list.add(sensor.name, {"distance_rate", "m/s", "rate of the distance; 0 where it is zero"}, distance_rate);
}

}  // namespace skyhook::simulation
