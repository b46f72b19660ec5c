// Makes random mechanisms (random_mechanism.testing.h): first what moves, then what acts on it.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "skyhook/io/random/random_mechanism.testing.h"

namespace skyhook::io::testing {

inline Value number(double x) { return {.text = fmt::format("{}", x)}; }
inline Value words(const std::string& text) { return {.text = text}; }
inline Value point(const Vec3d& p) { return {.kind = Value::Kind::vector, .vector = p}; }
inline Value axes(const Mat3d& R) { return {.kind = Value::Kind::axes, .axes = R}; }

// Plane mechanisms turn about y and hang in the x-z plane.
inline constexpr Vec3d y_axis{0, 1, 0};

class Builder {
 public:
  explicit Builder(unsigned seed) : random_(seed) { out_.seed = seed; }
  RandomMechanism build(const RandomWish& wish);

 private:
  using Fields = std::vector<std::pair<std::string, Value>>;
  struct Coordinate {
    std::string joint, name;  // "j0", "angle"
    bool turns;
    bool is_only;  // of its joint, whose name then stands for it
    std::size_t entry;
    bool is_same_in_mirror = true;
    bool may_rub = true;  // its joint may be cut, and what it carries is unique
    bool driven = false, rubs = false;
    bool is_state() const { return !driven && !rubs; }
    std::string reference() const { return is_only ? joint : joint + "." + name; }
    std::string channel() const { return joint + "." + name; }
  };

  void note(const std::string& feature);
  bool chance(double p) { return random_(0, 1) < p; }
  std::string fresh(const char* prefix) { return fmt::format("{}{}", prefix, count_++); }
  Value every_other() const { return words(count_ % 2 == 0 ? "on" : "off"); }  // draws nothing: models stay as they are

  // ---- what moves: random_mechanism.testing.cpp
  std::string body(const Vec3d& at, const Vec3d& com);
  std::string joint(const std::string& type, const std::string& from, const std::string& to, const Vec3d& at,
                    const Vec3d& axis = y_axis);
  void add(std::size_t entry, const std::string& key, const Value& value);
  void coordinate(const std::string& joint, const std::string& name, bool turns, bool is_only = true);
  void skeleton();
  void plane_loop(int links);
  void spatial_loop();
  void cranks(int n);
  void slider_crank();
  void rod_between_arms();
  void gears();
  void couple(const std::string& hinge, const std::vector<std::string>& before);
  void rack(const std::string& hinge);
  void tree();
  void hang(int k);
  void hang_on_two_coordinates(const std::string& from, const std::string& to, const Vec3d& at);
  void rate(double size);
  void start_with_rate(std::size_t k, double size);
  void drive(std::size_t k);
  Value motion(const std::string& unit);
  void shake();
  void rub();

  // ---- what acts: random_elements.testing.cpp
  void force(const std::string& type, Fields fields);
  void mount(const std::string& from, const std::string& to, const Vec3d& at);
  void springs();
  std::size_t some_body();
  std::string marker(const Vec3d& at);
  void line(const std::string& type, Fields fields);
  void frames(const std::string& type, Fields fields);
  const Coordinate* some_coordinate();
  void decorate();
  void decorate(const Coordinate& c);
  void floor(const std::string& type, Fields fields);
  void slab();
  void maxwell();
  void hydraulic_damper();
  void hydraulic_actuator();
  void bushing();
  void formula();
  void tyre();
  void lag(const Coordinate& c);
  void dry(const Coordinate& c, const std::string& type);
  void stop(const Coordinate& c);
  void tabulated(const Coordinate& c);
  void pid(const Coordinate& c);
  void sampled_formula(const Coordinate& c);
  void lookup(const Coordinate& c);
  void state_space(const Coordinate& c);
  void semi_active(const Coordinate& c);
  void act_on(const Coordinate& c, const std::string& signal);
  Value kicked(const Coordinate& c, double size);
  void kick(const Coordinate& c);
  void crossing(const Coordinate& c);
  void parameter_event(const Coordinate& c);

  formalism::testing::Random random_;
  RandomMechanism out_;
  std::vector<Vec3d> ends_;  // of the bodies, where others hang on
  std::vector<Coordinate> coordinates_;
  int count_ = 0;
};

}  // namespace skyhook::io::testing
