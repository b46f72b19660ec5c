#include "skyhook/io/random/random_mechanism.testing.h"

#include <algorithm>
#include <cmath>

#include "skyhook/io/random/random_builder.testing.h"

namespace skyhook::io::testing {

bool RandomMechanism::has(const std::string& feature) const {
  return std::ranges::find(features, feature) != features.end();
}

RandomMechanism random_mechanism(unsigned seed, const RandomWish& wish) { return Builder(seed).build(wish); }

RandomMechanism Builder::build(const RandomWish& wish) {
  out_.until = chance(0.5) ? 1 : 3;
  skeleton();
  for (Coordinate& c : coordinates_) c.may_rub = !out_.has("redundant") && !out_.has("gear") && !out_.has("coupler");
  for (int k = random_.integer(0, 1); k > 0; --k) hang(random_.integer(0, static_cast<int>(out_.bodies.size()) - 1));
  if (chance(0.4)) rub();
  springs();
  for (int k = random_.integer(1, 3); k > 0; --k) decorate();
  if (chance(0.1)) shake();
  if (wish.rests) slab();
  return out_;
}

void Builder::note(const std::string& feature) {
  if (!out_.has(feature)) out_.features.push_back(feature);
}

// A link between two points, or a lump at the end of an arm.
std::string Builder::body(const Vec3d& at, const Vec3d& com) {
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

std::string Builder::joint(const std::string& type, const std::string& from, const std::string& to, const Vec3d& at,
                           const Vec3d& axis) {
  const std::string name = fresh("j");
  Entry e{name, {{"type", words(type)}, {"from", words(from)}, {"to", words(to)}, {"at", point(at)}}};
  if (type == "revolute" || type == "prismatic" || type == "cylindrical" || type == "planar")
    e.fields.push_back({"axis", point(axis)});
  out_.joints.push_back(e);
  return name;
}

void Builder::add(std::size_t entry, const std::string& key, const Value& value) {
  out_.joints[entry].fields.push_back({key, value});
}

void Builder::coordinate(const std::string& joint, const std::string& name, bool turns, bool is_only) {
  coordinates_.push_back({joint, name, turns, is_only, out_.joints.size() - 1});
}

void Builder::skeleton() {
  switch (random_.integer(0, 7)) {
    case 0: return plane_loop(random_.integer(3, 4));
    case 1: return plane_loop(3);
    case 2: return spatial_loop();
    case 3: return cranks(random_.integer(2, 3));
    case 4: return slider_crank();
    case 5: return gears();
    case 6: return rod_between_arms();
    default: return tree();
  }
}

// n links between two points of the ground: n - 2 degrees of freedom, and three conditions too many in space.
void Builder::plane_loop(int links) {
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
    coordinate(loop.back(), "angle", true);
    before = link, from = to;
  }
  loop.push_back(joint("revolute", before, "ground", from));
  add(out_.joints.size() - 1, "cut", words("true"));
  const std::size_t crank = coordinates_.size() - static_cast<std::size_t>(links);
  if (links == 3 || chance(0.5)) start_with_rate(crank, 8);
  // Which rates the others begin with is then chosen by least kinetic energy, beside that of the drive.
  if (links == 4 && chance(0.5)) drive(crank);
  out_.loops.push_back(loop);
}

// Crank, coupler on two balls, rocker. The coupler may also turn about itself.
void Builder::spatial_loop() {
  note("loop"), note("quaternion");
  const Vec3d a{0.05, random_(-0.1, 0.1), random_(0.15, 0.25)};
  const Vec3d b{random_(0.7, 0.9), random_(0.2, 0.4), random_(0.35, 0.5)}, d{0.9, 0.3, 0};
  const std::string crank = body({}, 0.5 * a), coupler = body(a, 0.5 * (a + b)), rocker = body(d, 0.5 * (b + d));
  joint("revolute", "ground", crank, {});
  coordinate(out_.joints.back().name, "angle", true);
  if (chance(0.5)) rate(3);
  joint("revolute", "ground", rocker, d, normalized(Vec3d{0.3, 1, 0.1}));
  coordinate(out_.joints.back().name, "angle", true);
  const std::string left = joint("spherical", crank, coupler, a);
  const std::string right = joint("spherical", coupler, rocker, b);
  add(out_.joints.size() - 1, "cut", words("true"));
  out_.loops.push_back({left, right});
}

// Equal parallel cranks under a beam: with three of them the loops are redundant in the plane, too.
void Builder::cranks(int n) {
  note("loop"), note("redundant");
  const bool all_given = chance(0.5);
  const double length = random_(0.2, 0.4), angle = random_(-0.6, 0.6), speed = random_(-2, 2);
  const Vec3d arm = -length * Vec3d{std::sin(angle), 0, std::cos(angle)};
  const std::string beam = body(arm, arm + Vec3d{random_(0.2, 0.5), 0, 0});
  for (int k = 0; k < n; ++k) {
    const Vec3d foot{k * random_(0.35, 0.5), 0, 0};
    const std::string crank = body(foot, foot + 0.5 * arm);
    const std::string pivot = joint("revolute", "ground", crank, foot);
    coordinate(pivot, "angle", true);
    if (all_given || k == 0) add(out_.joints.size() - 1, "rate", number(speed));
    const std::string pin = joint("revolute", crank, beam, foot + arm);
    if (k == 0) {
      coordinate(pin, "angle", true);
      if (all_given) add(out_.joints.size() - 1, "rate", number(-speed));
    } else {
      add(out_.joints.size() - 1, "cut", words("true"));
      out_.loops.push_back({pin});
    }
  }
}

void Builder::slider_crank() {
  note("loop"), note("redundant");
  const double r = random_(0.1, 0.25), l = r * random_(1.6, 3), angle = random_(-2.5, 2.5);
  const Vec3d a{r * std::cos(angle), 0, r * std::sin(angle)};
  const Vec3d b{a.x + std::sqrt(l * l - a.z * a.z), 0, 0};
  const std::string crank = body({}, 0.5 * a), rod = body(a, 0.5 * (a + b)), slider = body(b, b);
  std::vector<std::string> loop{joint("revolute", "ground", crank, {})};
  coordinate(loop.back(), "angle", true);
  const std::size_t main = coordinates_.size() - 1;
  loop.push_back(joint("revolute", crank, rod, a));
  loop.push_back(joint("prismatic", "ground", slider, b, {1, 0, 0}));
  coordinate(loop.back(), "displacement", false);
  loop.push_back(joint("revolute", rod, slider, b));
  add(out_.joints.size() - 1, "cut", words("true"));
  start_with_rate(main, 8);
  out_.loops.push_back({loop[1], loop[3]});
}

// Two arms on oblique hinges, held together by a rod between points beside their ends.
void Builder::rod_between_arms() {
  note("loop"), note("rod");
  const Vec3d feet[2] = {{}, {random_(0.5, 0.8), random_(-0.2, 0.2), 0}};
  std::vector<std::string> arms;
  for (const Vec3d& foot : feet) {
    arms.push_back(body(foot, foot + Vec3d{random_(-0.1, 0.1), 0, random_(0.15, 0.3)}));
    joint("revolute", "ground", arms.back(), foot, normalized(Vec3d{random_(-0.3, 0.3), 1, random_(-0.3, 0.3)}));
    coordinate(out_.joints.back().name, "angle", true);
  }
  if (chance(0.5)) start_with_rate(coordinates_.size() - 2, 4);
  out_.joints.push_back({fresh("r"),
                         {{"type", words("rod")},
                          {"from", words(arms[0])},
                          {"to", words(arms[1])},
                          {"from_at", point(ends_[ends_.size() - 2] + Vec3d{0, 0.1, 0})},
                          {"to_at", point(ends_.back() + Vec3d{0, 0.05, 0.1})}}});
}

// Wheels on parallel axes, some with a lump of mass beside the axis, coupled by gears or by conditions of two or three coordinates.
// Only the first has a rate that is given; a rack may move with it.
void Builder::gears() {
  std::vector<std::string> before;
  const int wheels = random_.integer(2, 3);
  for (int k = 0; k < wheels; ++k) {
    const Vec3d centre{0.3 * k, 0, random_(-0.1, 0.1)};
    const std::string wheel = body(centre, centre + random_(0, 0.15) * Vec3d{1, 0, 0});
    const std::string hinge = joint("revolute", "ground", wheel, centre);
    coordinate(hinge, "angle", true);
    if (before.empty())
      rate(4);
    else
      couple(hinge, before);
    before.push_back(hinge);
  }
  if (chance(0.4)) rack(before.front());
}

void Builder::couple(const std::string& hinge, const std::vector<std::string>& before) {
  const double ratio = (chance(0.5) ? -1 : 1) * random_(0.5, 2);
  const std::string name = fresh("g");
  if (chance(0.5)) {
    note("gear");
    out_.joints.push_back({name,
                           {{"type", words("gear")},
                            {"joint_1", words(hinge)},
                            {"joint_2", words(before.back())},
                            {"ratio", number(ratio)}}});
    return;
  }
  note("coupler");
  out_.joints.push_back({name,
                         {{"type", words("coupler")},
                          {"coordinate_1", words(hinge)},
                          {"coordinate_2", words(before.back())},
                          {"ratio_2", number(ratio)}}});
  const std::size_t coupler = out_.joints.size() - 1;
  if (before.size() == 2)
    add(coupler, "coordinate_3", words(before.front())), add(coupler, "ratio_3", number(random_(-1, 1)));
  if (chance(0.3))
    add(coupler, "drive", words(fmt::format("\"={}*sin({}[1/s]*t)\"", random_(0.05, 0.2), random_(2, 8))));
}

void Builder::rack(const std::string& hinge) {
  note("coupler");
  const Vec3d at{0, 0.1, 0.2};
  joint("prismatic", "ground", body(at, at), at, normalized(Vec3d{1, 0, 0.3}));
  const std::string slide = out_.joints.back().name;
  coordinate(slide, "displacement", false);
  out_.joints.push_back({fresh("g"),
                         {{"type", words("coupler")},
                          {"coordinate_1", words(slide + ".displacement")},
                          {"coordinate_2", words(hinge)},
                          {"ratio_2", number(-random_(0.05, 0.15))}}});
}

void Builder::tree() {
  for (int k = random_.integer(1, 3); k > 0; --k) hang(static_cast<int>(out_.bodies.size()) - 1);
  if (!coordinates_.empty() && chance(0.6))
    drive(static_cast<std::size_t>(random_.integer(0, static_cast<int>(coordinates_.size()) - 1)));
}

// A body more, on the k-th or, for -1, on the ground.
void Builder::hang(int k) {
  const std::string from = k < 0 ? "ground" : out_.bodies[static_cast<std::size_t>(k)].name;
  const Vec3d at = k < 0 ? Vec3d{} : ends_[static_cast<std::size_t>(k)];
  const Vec3d arm{random_(-0.3, 0.3), random_(-0.2, 0.2), -random_(0.1, 0.3)};
  const std::string to = body(at, at + arm);
  switch (random_.integer(0, 7)) {
    case 0:
      joint("spherical", from, to, at);
      note("quaternion");
      return add(out_.joints.size() - 1, "angular_velocity", point(random_.vector(2)));
    case 1:
      joint("free", from, to, at);
      note("quaternion");
      add(out_.joints.size() - 1, "velocity", point(random_.vector(0.5)));
      add(out_.joints.size() - 1, "angular_velocity", point(random_.vector(1)));
      return mount(from, to, at);
    case 2:
      joint("prismatic", from, to, at, random_.unit());
      coordinate(out_.joints.back().name, "displacement", false);
      return rate(0.5);
    case 3:
    case 4: return hang_on_two_coordinates(from, to, at);
    case 5:
      if (chance(0.7)) break;
      note("fixed");
      joint("fixed", from, to, at);
      return;
    default: break;
  }
  joint("revolute", from, to, at, random_.unit());
  coordinate(out_.joints.back().name, "angle", true);
  rate(4);
}

// Two, or three in a plane. There the angle alone has a name that does not depend on the axes of the model.
void Builder::hang_on_two_coordinates(const std::string& from, const std::string& to, const Vec3d& at) {
  const int which = random_.integer(0, 2);
  const Vec3d axis = random_.unit();
  if (which == 0) {
    note("universal");
    joint("universal", from, to, at);
    const std::string name = out_.joints.back().name;
    add(out_.joints.size() - 1, "axis_1", point(axis));
    add(out_.joints.size() - 1, "axis_2", point(normalized(cross(axis, random_.unit()))));
    for (const char* angle : {"angle_1", "angle_2"}) {
      coordinate(name, angle, true, false);
      if (chance(0.5)) add(out_.joints.size() - 1, angle + std::string("_rate"), number(random_(-2, 2)));
    }
    return;
  }
  note(which == 1 ? "cylindrical" : "planar");
  const std::string name = joint(which == 1 ? "cylindrical" : "planar", from, to, at, axis);
  coordinate(name, "angle", true, false);
  add(out_.joints.size() - 1, "angle_rate", number(random_(-2, 2)));
  coordinates_.back().is_same_in_mirror = false;
  if (which == 1) coordinate(name, "displacement", false, false);
  mount(from, to, at);
}

void Builder::rate(double size) { start_with_rate(coordinates_.size() - 1, size); }
void Builder::start_with_rate(std::size_t k, double size) {
  add(coordinates_[k].entry, "rate", number(random_(-size, size)));
}

// Some begin at rest, some do not: the others then begin with the rates of least kinetic energy.
Value Builder::motion(const std::string& unit) {
  const double size = random_(0.05, 0.3), frequency = random_(2, 8);
  switch (random_.integer(0, 4)) {
    case 0: {
      note("table");
      std::string rows = "[0, 0]";
      for (int k = 1; k <= 4; ++k) rows += fmt::format(", [{}, {}]", 0.9 * k, random_(-0.3, 0.3));
      return words("{table: [" + rows + "]}");
    }
    case 1:
    case 2: return words(fmt::format("\"={}{}*(1 - cos({}[1/s]*t))\"", size, unit, frequency));
    default: return words(fmt::format("\"={}{}*sin({}[1/s]*t)\"", size, unit, frequency));
  }
}

void Builder::drive(std::size_t k) {
  Coordinate& c = coordinates_[k];
  if (!c.is_only || !c.is_state()) return;
  note("drive");
  c.driven = true;
  std::erase_if(out_.joints[c.entry].fields, [](const auto& f) { return f.first == "rate"; });
  add(c.entry, "drive", motion(c.turns ? "" : "[m]"));
}

// A body more that is driven, on some other: it shakes the rest.
void Builder::shake() {
  const std::size_t b = some_body();
  const bool turns = chance(0.5);
  const Vec3d at = ends_[b], arm{random_(-0.2, 0.2), random_(-0.1, 0.1), -random_(0.05, 0.2)};
  joint(turns ? "revolute" : "prismatic", out_.bodies[b].name, body(at, at + arm), at, random_.unit());
  coordinate(out_.joints.back().name, turns ? "angle" : "displacement", turns);
  drive(coordinates_.size() - 1);
}

// A hinge or slider with friction under load. It is cut then, so its coordinate is no state.
void Builder::rub() {
  std::vector<Coordinate*> list;
  for (Coordinate& c : coordinates_) {
    if (c.is_only && c.may_rub && !c.driven) list.push_back(&c);
  }
  if (list.empty()) return;
  Coordinate& c = *list[static_cast<std::size_t>(random_.integer(0, static_cast<int>(list.size()) - 1))];
  note("joint friction");
  c.rubs = true;
  Fields fields{{"joint", words(c.joint)},
                {"coefficient", number(random_(0.05, 0.25))},
                {"stick_speed", number(random_(0.005, 0.02))},
                {"smooth_load", number(0.1)}};
  if (c.turns) fields.push_back({"radius", number(random_(0.01, 0.03))});
  force("joint_friction", std::move(fields));
}

}  // namespace skyhook::io::testing
