#include "skyhook/io/random/random_mechanism.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyhook::io::testing {
namespace {

using formalism::testing::Random;

Value number(double x) { return {.text = fmt::format("{}", x)}; }
Value words(const std::string& text) { return {.text = text}; }
Value point(const Vec3d& p) { return {.kind = Value::Kind::vector, .vector = p}; }
Value axes(const Mat3d& R) { return {.kind = Value::Kind::axes, .axes = R}; }

// Plane mechanisms turn about y and hang in the x-z plane.
constexpr Vec3d y_axis{0, 1, 0};

class Builder {
 public:
  explicit Builder(unsigned seed) : random_(seed) { out_.seed = seed; }

  RandomMechanism build() {
    out_.until = chance(0.5) ? 1 : 3;
    skeleton();
    for (int k = random_.integer(0, 1); k > 0; --k) hang(random_.integer(0, static_cast<int>(out_.bodies.size()) - 1));
    springs();
    for (int k = random_.integer(1, 3); k > 0; --k) decorate();
    return out_;
  }

 private:
  struct Coordinate {
    std::string joint, name;  // "j0", "angle"
    bool turns, driven;
    bool free;  // no constraint and no drive knows it: it takes initial rates of its own
    std::size_t entry;
  };

  void note(const std::string& feature) {
    if (!out_.has(feature)) out_.features.push_back(feature);
  }
  bool chance(double p) { return random_(0, 1) < p; }
  std::string fresh(const char* prefix) { return fmt::format("{}{}", prefix, count_++); }

  // A link between two points, or a lump at the end of an arm.
  std::string body(const Vec3d& at, const Vec3d& com) {
    const std::string name = fresh("b");
    const double mass = random_(0.5, 3), i = mass * random_(0.004, 0.05);
    const auto inertia = fmt::format("[{}, {}, {}]", i, i * random_(1, 1.4), i * random_(0.8, 1.3));
    out_.bodies.push_back(
        {name, {{"mass", number(mass)}, {"inertia", words(inertia)}, {"at", point(at)}, {"com", point(com)}}});
    // The axes of a body do not matter, and mirrors and other axes must not make a difference to that.
    out_.bodies.back().fields.push_back(
        {"orientation", axes(chance(0.3) ? axis_rotation(random_.unit(), random_(-2, 2)) : Mat3d::identity())});
    ends_.push_back(com + (com - at));
    return name;
  }

  std::string joint(const std::string& type, const std::string& from, const std::string& to, const Vec3d& at,
                    const Vec3d& axis = y_axis) {
    const std::string name = fresh("j");
    Entry e{name, {{"type", words(type)}, {"from", words(from)}, {"to", words(to)}, {"at", point(at)}}};
    if (type == "revolute" || type == "prismatic" || type == "cylindrical") e.fields.push_back({"axis", point(axis)});
    out_.joints.push_back(e);
    return name;
  }

  void add(std::size_t entry, const std::string& key, const Value& value) {
    out_.joints[entry].fields.push_back({key, value});
  }

  void coordinate(const std::string& joint, const std::string& name, bool turns, bool free) {
    coordinates_.push_back({joint, name, turns, false, free, out_.joints.size() - 1});
  }

  // ---- what the mechanism is

  void skeleton() {
    switch (random_.integer(0, 6)) {
      case 0: return plane_loop(random_.integer(3, 4));
      case 1: return plane_loop(3);
      case 2: return spatial_loop();
      case 3: return cranks(random_.integer(2, 3));
      case 4: return slider_crank();
      case 5: return gears();
      default: return tree();
    }
  }

  // n links between two points of the ground: n - 2 degrees of freedom, and three conditions too many in space.
  void plane_loop(int links) {
    note("loop"), note("redundant");
    std::vector<std::string> loop;
    const double width = random_(0.6, 1.1) * links / 3;
    Vec3d from{};
    std::string before = "ground";
    for (int k = 0; k < links; ++k) {
      const double part = (k + 1.0) / links;
      const Vec3d to = k + 1 == links
                           ? Vec3d{width, 0, random_(-0.1, 0.1)}
                           : Vec3d{width * part + random_(-0.1, 0.1), 0, (chance(0.5) ? -1 : 1) * random_(0.2, 0.5)};
      const std::string link = body(from, 0.5 * (from + to));
      loop.push_back(joint("revolute", before, link, from));
      coordinate(loop.back(), "angle", true, false);
      before = link, from = to;
    }
    loop.push_back(joint("revolute", before, "ground", from));
    add(out_.joints.size() - 1, "cut", words("true"));
    if (links == 3) start_with_rate(coordinates_.size() - 3, 8);
    if (links == 4 && chance(0.5)) drive(coordinates_.size() - 4);
    out_.loops.push_back(loop);
  }

  // Crank, coupler on two balls, rocker. The coupler may also turn about itself.
  void spatial_loop() {
    note("loop"), note("quaternion");
    const Vec3d a{0.05, random_(-0.1, 0.1), random_(0.15, 0.25)};
    const Vec3d b{random_(0.7, 0.9), random_(0.2, 0.4), random_(0.35, 0.5)}, d{0.9, 0.3, 0};
    const std::string crank = body({}, 0.5 * a), coupler = body(a, 0.5 * (a + b)), rocker = body(d, 0.5 * (b + d));
    joint("revolute", "ground", crank, {});
    coordinate(out_.joints.back().name, "angle", true, false);
    joint("revolute", "ground", rocker, d, normalized(Vec3d{0.3, 1, 0.1}));
    coordinate(out_.joints.back().name, "angle", true, false);
    const std::string left = joint("spherical", crank, coupler, a);
    const std::string right = joint("spherical", coupler, rocker, b);
    add(out_.joints.size() - 1, "cut", words("true"));
    out_.loops.push_back({left, right});
  }

  // Equal parallel cranks under a beam: with three of them the loops are redundant in the plane, too.
  void cranks(int n) {
    note("loop"), note("redundant");
    const double length = random_(0.2, 0.4), angle = random_(-0.6, 0.6), speed = random_(-2, 2);
    const Vec3d arm = -length * Vec3d{std::sin(angle), 0, std::cos(angle)};
    const std::string beam = body(arm, arm + Vec3d{random_(0.2, 0.5), 0, 0});
    for (int k = 0; k < n; ++k) {
      const Vec3d foot{k * random_(0.35, 0.5), 0, 0};
      const std::string crank = body(foot, foot + 0.5 * arm);
      const std::string pivot = joint("revolute", "ground", crank, foot);
      coordinate(pivot, "angle", true, false);
      add(out_.joints.size() - 1, "rate", number(speed));
      const std::string pin = joint("revolute", crank, beam, foot + arm);
      if (k == 0) {
        coordinate(pin, "angle", true, false);
        add(out_.joints.size() - 1, "rate", number(-speed));
      } else {
        add(out_.joints.size() - 1, "cut", words("true"));
        out_.loops.push_back({pin});
      }
    }
  }

  void slider_crank() {
    note("loop"), note("redundant");
    const double r = random_(0.1, 0.25), l = r * random_(1.6, 3), angle = random_(-2.5, 2.5);
    const Vec3d a{r * std::cos(angle), 0, r * std::sin(angle)};
    const Vec3d b{a.x + std::sqrt(l * l - a.z * a.z), 0, 0};
    const std::string crank = body({}, 0.5 * a), rod = body(a, 0.5 * (a + b)), slider = body(b, b);
    std::vector<std::string> loop{joint("revolute", "ground", crank, {})};
    coordinate(loop.back(), "angle", true, false);
    const std::size_t main = coordinates_.size() - 1;
    loop.push_back(joint("revolute", crank, rod, a));
    loop.push_back(joint("prismatic", "ground", slider, b, {1, 0, 0}));
    coordinate(loop.back(), "displacement", false, false);
    loop.push_back(joint("revolute", rod, slider, b));
    add(out_.joints.size() - 1, "cut", words("true"));
    start_with_rate(main, 8);
    out_.loops.push_back({loop[1], loop[3]});
  }

  // Wheels on parallel axes, one with a lump of mass beside its axis; two stages where there are three wheels.
  void gears() {
    note("gear");
    std::string before;
    double speed = random_(-4, 4);
    for (int k = random_.integer(2, 3); k > 0; --k) {
      const Vec3d centre{0.3 * k, 0, random_(-0.1, 0.1)};
      const std::string wheel = body(centre, centre + random_(0, 0.15) * Vec3d{1, 0, 0});
      const std::string hinge = joint("revolute", "ground", wheel, centre);
      coordinate(hinge, "angle", true, false);
      const std::size_t entry = out_.joints.size() - 1;
      if (!before.empty()) {
        const double ratio = (chance(0.5) ? -1 : 1) * random_(0.5, 2);
        const Entry gear{
            fresh("g"),
            {{"type", words("gear")}, {"joint_1", words(hinge)}, {"joint_2", words(before)}, {"ratio", number(ratio)}}};
        out_.joints.push_back(gear);
        speed *= ratio;
      }
      out_.joints[entry].fields.push_back({"rate", number(speed)});
      before = hinge;
    }
  }

  void tree() {
    for (int k = random_.integer(1, 3); k > 0; --k) hang(static_cast<int>(out_.bodies.size()) - 1);
    if (!coordinates_.empty() && chance(0.6)) drive(random_.integer(0, static_cast<int>(coordinates_.size()) - 1));
  }

  // A body more, on the k-th or, for -1, on the ground.
  void hang(int k) {
    const std::string from = k < 0 ? "ground" : out_.bodies[static_cast<std::size_t>(k)].name;
    const Vec3d at = k < 0 ? Vec3d{} : ends_[static_cast<std::size_t>(k)];
    const Vec3d arm{random_(-0.3, 0.3), random_(-0.2, 0.2), -random_(0.1, 0.3)};
    const std::string to = body(at, at + arm);
    switch (random_.integer(0, 4)) {
      case 0:
        joint("spherical", from, to, at);
        note("quaternion");
        add(out_.joints.size() - 1, "angular_velocity", point(random_.vector(2)));
        return;
      case 1:
        joint("free", from, to, at);
        note("quaternion");
        add(out_.joints.size() - 1, "velocity", point(random_.vector(0.5)));
        add(out_.joints.size() - 1, "angular_velocity", point(random_.vector(1)));
        return mount(from, to, at);
      case 2:
        joint("prismatic", from, to, at, random_.unit());
        coordinate(out_.joints.back().name, "displacement", false, true);
        return rate(0.5);
      default:
        joint("revolute", from, to, at, random_.unit());
        coordinate(out_.joints.back().name, "angle", true, true);
        return rate(4);
    }
  }

  void rate(double size) { add(coordinates_.back().entry, "rate", number(random_(-size, size))); }
  void start_with_rate(std::size_t k, double size) { add(coordinates_[k].entry, "rate", number(random_(-size, size))); }

  void drive(std::size_t k) {
    if (coordinates_[k].driven) return;
    note("drive");
    coordinates_[k].driven = true, coordinates_[k].free = false;
    auto& fields = out_.joints[coordinates_[k].entry].fields;
    std::erase_if(fields, [](const auto& f) { return f.first == "rate"; });
    const char* unit = coordinates_[k].turns ? "" : "[m]";
    // It begins at rest: which rates the others begin with is then no question.
    fields.push_back(
        {"drive", words(fmt::format("\"={}{}*(1 - cos({}[1/s]*t))\"", random_(0.05, 0.3), unit, random_(2, 8)))});
  }

  // ---- what acts

  void force(const std::string& type, std::vector<std::pair<std::string, Value>> fields) {
    fields.insert(fields.begin(), {"type", words(type)});
    out_.forces.push_back({fresh("f"), std::move(fields)});
  }

  void mount(const std::string& from, const std::string& to, const Vec3d& at) {
    for (const Vec3d& off : {Vec3d{0.3, 0, 0.3}, Vec3d{-0.2, 0.25, 0.3}, Vec3d{-0.2, -0.25, 0.3}}) {
      force("spring_damper", {{"from", words(from)},
                              {"to", words(to)},
                              {"from_at", point(at + off)},
                              {"to_at", point(at + 0.2 * off)},
                              {"stiffness", number(random_(100, 600))},
                              {"damping", number(random_(1, 10))}});
    }
  }

  void springs() {
    for (const Coordinate& c : coordinates_) {
      if (c.driven || chance(0.7)) continue;
      const std::string angular = c.turns ? "angular_" : "";
      force("spring_damper", {{"joint", words(c.joint)},
                              {angular + "stiffness", number(c.turns ? random_(1, 8) : random_(50, 300))},
                              {angular + "damping", number(c.turns ? random_(0.05, 0.8) : random_(1, 10))}});
    }
    if (chance(0.5))
      line("spring_damper", {{"stiffness", number(random_(50, 400))}, {"damping", number(random_(1, 8))}});
  }

  std::size_t some_body() {
    return static_cast<std::size_t>(random_.integer(0, static_cast<int>(out_.bodies.size()) - 1));
  }

  // Between a point of the ground well away and the end of a body.
  void line(const std::string& type, std::vector<std::pair<std::string, Value>> fields) {
    const std::size_t b = some_body();
    const Vec3d from = ends_[b] + Vec3d{random_(-0.3, 0.3), random_(0.3, 0.5), random_(0.2, 0.5)};
    fields.insert(fields.begin(), {{"from", words("ground")},
                                   {"to", words(out_.bodies[b].name)},
                                   {"from_at", point(from)},
                                   {"to_at", point(ends_[b])}});
    force(type, std::move(fields));
  }

  // A coordinate that is a state; none where all are driven.
  const Coordinate* some_coordinate() {
    std::vector<const Coordinate*> list;
    for (const Coordinate& c : coordinates_) {
      if (!c.driven) list.push_back(&c);
    }
    return list.empty() ? nullptr
                        : list[static_cast<std::size_t>(random_.integer(0, static_cast<int>(list.size()) - 1))];
  }

  void decorate() {
    const int what = random_.integer(0, 10);
    const Coordinate* c = some_coordinate();
    if (what == 0) return floor("rigid_contact", {{"restitution", number(random_(0.2, 0.9))}});
    if (what == 1)
      return floor("contact", {{"stiffness", number(random_(5e3, 5e4))},
                               {"damping", number(random_(0.1, 0.6))},
                               {"friction", number(random_(0, 0.3))},
                               {"slip_speed", number(0.05)}});
    if (what == 2) {
      note("inner state");
      return line("maxwell", {{"stiffness", number(random_(100, 800))},
                              {"damping", number(random_(5, 40))},
                              {"parallel_stiffness", number(random_(20, 100))}});
    }
    if (!c) return;
    switch (what) {
      case 3: return lag(*c);
      case 4: return dry(*c, "coulomb");
      case 5: return dry(*c, "stick_slip");
      case 6: return control(*c);
      case 7: return sampled_formula(*c);
      case 8: return kick(*c);
      case 9: return crossing(*c);
      default: return parameter_event(*c);
    }
  }

  // A floor a little below a body's end. The normal is the z axis of a marker, so that it turns with the model.
  void floor(const std::string& type, std::vector<std::pair<std::string, Value>> fields) {
    note(type == "contact" ? "smooth contact" : "contact");
    const std::size_t b = some_body();
    const std::string marker = fresh("m");
    const Mat3d tilt = axis_rotation(y_axis, random_(-0.2, 0.2));
    out_.markers.push_back({marker,
                            {{"body", words("ground")},
                             {"at", point(ends_[b] - Vec3d{0, 0, random_(0.06, 0.15)})},
                             {"orientation", axes(tilt)}}});
    fields.insert(fields.begin(), {{"from", words(marker)},
                                   {"to", words(out_.bodies[b].name)},
                                   {"to_at", point(ends_[b])},
                                   {"radius", number(0.02)}});
    force(type, std::move(fields));
  }

  void lag(const Coordinate& c) {
    note("inner state");
    force("lag_actuator",
          {{"joint", words(c.joint)},
           {"time_constant", number(random_(0.01, 0.1))},
           {c.turns ? "moment" : "force",
            words(fmt::format("\"={}[{}]*sin({}[1/s]*t)\"", random_(0.2, 2), c.turns ? "N.m" : "N", random_(3, 12)))}});
  }

  void dry(const Coordinate& c, const std::string& type) {
    note("friction");
    if (type == "coulomb")
      return force(type, {{"joint", words(c.joint)},
                          {c.turns ? "sliding_moment" : "sliding_force", number(random_(0.1, 1))},
                          {c.turns ? "angular_slip_speed" : "slip_speed", number(random_(0.02, 0.1))}});
    const double slide = random_(0.1, 1);
    force(type, {{"joint", words(c.joint)},
                 {c.turns ? "angular_hold" : "hold", number(slide * random_(1, 1.5))},
                 {c.turns ? "angular_slide" : "slide", number(slide)}});
  }

  void control(const Coordinate& c) {
    note("controller");
    const std::string name = fresh("c");
    out_.controllers.push_back({name,
                                {{"type", words("pid")},
                                 {"sample_time", number(0.01 * random_.integer(1, 5))},
                                 {"input", words(c.joint + "." + c.name)},
                                 {"setpoint", number(random_(-0.3, 0.3))},
                                 {"kp", number(random_(1, 8))},
                                 {"kd", number(random_(0.02, 0.2))},
                                 {"derivative_filter", number(0.02)},
                                 {"ki", number(random_(0, 5))}}});
    force("actuator", {{"joint", words(c.joint)}, {"signal", words(name)}});
  }

  void sampled_formula(const Coordinate& c) {
    note("controller");
    const std::string name = fresh("c");
    out_.controllers.push_back({name,
                                {{"type", words("expression")},
                                 {"sample_time", number(0.01 * random_.integer(2, 8))},
                                 {"delay", number(chance(0.5) ? 0.005 : 0.0)},
                                 {"inputs", words(fmt::format("{{w: {}.{}_rate}}", c.joint, c.name))},
                                 {"memory", words("{low: 0}")},
                                 {"next", words("{low: \"=low + 0.3*(w - low)\"}")},
                                 {"outputs", words(fmt::format("{{u: \"=-{}*low\"}}", random_(0.05, 0.5)))}}});
    force("actuator", {{"joint", words(c.joint)}, {"signal", words(name)}});
  }

  std::string kicked(const Coordinate& c, double size) {
    return fmt::format("{{state: {{{}.{}_rate: \"=w + {}\"}}}}", c.joint, c.name, size);
  }
  Value inputs(const Coordinate& c) { return words(fmt::format("{{x: {0}.{1}, w: {0}.{1}_rate}}", c.joint, c.name)); }

  void kick(const Coordinate& c) {
    note("event");
    out_.events.push_back({fresh("e"),
                           {{"inputs", words(fmt::format("{{w: {}.{}_rate}}", c.joint, c.name))},
                            {"at", number(random_(0.2, 0.7))},
                            {"do", words(kicked(c, random_(-1, 1)))}}});
  }

  void crossing(const Coordinate& c) {
    note("event");
    out_.events.push_back({fresh("e"),
                           {{"inputs", inputs(c)},
                            {"when", words(fmt::format("\"=x - {}\"", random_(-0.2, 0.2)))},
                            {"direction", words(chance(0.5) ? "rising" : "falling")},
                            {"do", words(kicked(c, random_(-0.5, 0.5)))}}});
  }

  void parameter_event(const Coordinate& c) {
    note("event");
    const std::string name = fresh("p");
    out_.parameters.push_back({name, {{"", number(random_(0.5, 1))}}});
    const std::string unit = c.turns ? "[N.m/rad]" : "[N/m]";
    force("spring_damper",
          {{"joint", words(c.joint)},
           {c.turns ? "angular_stiffness" : "stiffness", words(fmt::format("\"=5{}*{}\"", unit, name))}});
    out_.events.push_back(
        {fresh("e"),
         {{"at", number(random_(0.2, 0.8))}, {"do", words(fmt::format("{{set: {{{}: {}}}}}", name, random_(1, 4)))}}});
  }

  Random random_;
  RandomMechanism out_;
  std::vector<Vec3d> ends_;  // of the bodies, where others hang on
  std::vector<Coordinate> coordinates_;
  int count_ = 0;
};

}  // namespace

bool RandomMechanism::has(const std::string& feature) const {
  return std::ranges::find(features, feature) != features.end();
}

RandomMechanism random_mechanism(unsigned seed) { return Builder(seed).build(); }

}  // namespace skyhook::io::testing
