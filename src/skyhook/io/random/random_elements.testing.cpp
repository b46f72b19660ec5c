// What acts on random mechanisms: forces, controllers and events.
#include <algorithm>
#include <cmath>

#include "skyhook/io/random/random_builder.testing.h"

namespace skyhook::io::testing {

void Builder::force(const std::string& type, Fields fields) {
  fields.insert(fields.begin(), {"type", words(type)});
  out_.forces.push_back({fresh("f"), std::move(fields)});
}

void Builder::mount(const std::string& from, const std::string& to, const Vec3d& at) {
  for (const Vec3d& off : {Vec3d{0.3, 0, 0.3}, Vec3d{-0.2, 0.25, 0.3}, Vec3d{-0.2, -0.25, 0.3}}) {
    force("spring_damper", {{"from", words(from)},
                            {"to", words(to)},
                            {"from_at", point(at + off)},
                            {"to_at", point(at + 0.2 * off)},
                            {"stiffness", number(random_(100, 600))},
                            {"damping", number(random_(1, 10))}});
  }
}

void Builder::springs() {
  for (const Coordinate& c : coordinates_) {
    if (c.driven || chance(0.7)) continue;
    const std::string angular = c.turns ? "angular_" : "";
    force("spring_damper", {{"joint", words(c.reference())},
                            {angular + "stiffness", number(c.turns ? random_(1, 8) : random_(50, 300))},
                            {angular + "damping", number(c.turns ? random_(0.05, 0.8) : random_(1, 10))}});
  }
  if (chance(0.5)) line("spring_damper", {{"stiffness", number(random_(50, 400))}, {"damping", number(random_(1, 8))}});
}

std::size_t Builder::some_body() {
  return static_cast<std::size_t>(random_.integer(0, static_cast<int>(out_.bodies.size()) - 1));
}

// Between a point of the ground well away and the end of a body.
void Builder::line(const std::string& type, Fields fields) {
  const std::size_t b = some_body();
  const Vec3d from = ends_[b] + Vec3d{random_(-0.3, 0.3), random_(0.3, 0.5), random_(0.2, 0.5)};
  fields.insert(fields.begin(), {{"from", words("ground")},
                                 {"to", words(out_.bodies[b].name)},
                                 {"from_at", point(from)},
                                 {"to_at", point(ends_[b])}});
  force(type, std::move(fields));
}

// On the ground, with axes of its own: what counts in them turns with the model.
std::string Builder::marker(const Vec3d& at) {
  const std::string name = fresh("m");
  const Mat3d tilt = axis_rotation(y_axis, random_(-0.2, 0.2));
  out_.markers.push_back({name, {{"body", words("ground")}, {"at", point(at)}, {"orientation", axes(tilt)}}});
  return name;
}

// Between a marker at the end of a body and that end.
void Builder::frames(const std::string& type, Fields fields) {
  const std::size_t b = some_body();
  fields.insert(fields.begin(),
                {{"from", words(marker(ends_[b]))}, {"to", words(out_.bodies[b].name)}, {"to_at", point(ends_[b])}});
  force(type, std::move(fields));
}

// A coordinate that is a state; none where all are driven or rub.
const Builder::Coordinate* Builder::some_coordinate() {
  std::vector<const Coordinate*> list;
  for (const Coordinate& c : coordinates_) {
    if (c.is_state()) list.push_back(&c);
  }
  return list.empty() ? nullptr : list[static_cast<std::size_t>(random_.integer(0, static_cast<int>(list.size()) - 1))];
}

void Builder::decorate() {
  const Coordinate* c = some_coordinate();
  if (c && chance(0.6)) return decorate(*c);
  switch (random_.integer(0, 7)) {
    case 0: return floor("rigid_contact", {{"restitution", number(random_(0.2, 0.9))}});
    case 1:
      return floor("contact", {{"stiffness", number(random_(5e3, 5e4))},
                               {"damping", number(random_(0.1, 0.6))},
                               {"friction", number(random_(0, 0.3))},
                               {"slip_speed", number(0.05)},
                               {"events", every_other()}});
    case 2: return maxwell();
    case 3: return hydraulic_damper();
    case 4: return hydraulic_actuator();
    case 5: return bushing();
    case 6: return formula();
    default: return tyre();
  }
}

// Laws of controllers and formulas of events stay as they are in the mirror: they take coordinates that do so, too.
void Builder::decorate(const Coordinate& c) {
  switch (random_.integer(0, c.is_same_in_mirror ? 12 : 4)) {
    case 0: return lag(c);
    case 1: return dry(c, "coulomb");
    case 2: return dry(c, "stick_slip");
    case 3: return stop(c);
    case 4: return tabulated(c);
    case 5: return pid(c);
    case 6: return sampled_formula(c);
    case 7: return lookup(c);
    case 8: return state_space(c);
    case 9: return semi_active(c);
    case 10: return kick(c);
    case 11: return crossing(c);
    default: return parameter_event(c);
  }
}

// A floor a little below a body's end. The normal is the z axis of a marker, so that it turns with the model.
void Builder::floor(const std::string& type, Fields fields) {
  note(type == "contact" ? "smooth contact" : "contact");
  const std::size_t b = some_body();
  fields.insert(fields.begin(), {{"from", words(marker(ends_[b] - Vec3d{0, 0, random_(0.06, 0.15)}))},
                                 {"to", words(out_.bodies[b].name)},
                                 {"to_at", point(ends_[b])},
                                 {"radius", number(0.02)}});
  force(type, std::move(fields));
}

// A slab with one to three balls below it, pressed onto a floor and tied to the end of a body by a spring too weak to lift it. It begins half a
// millimetre above: it falls, bounces and comes to rest.
void Builder::slab() {
  note("contact"), note("resting");
  const bool is_plane = chance(0.4);
  const std::size_t b = some_body();
  const Vec3d end = ends_[b], at = end + Vec3d{random_(-0.3, 0.3), random_(0.3, 0.5), -random_(0.2, 0.4)};
  const std::string whose = out_.bodies[b].name, slab = body(at, at);
  joint(is_plane ? "planar" : "free", "ground", slab, at);
  if (!is_plane) note("quaternion");
  mount("ground", slab, at);
  const auto spring = [&](const std::string& from, const Vec3d& from_at, double stiffness, double preload) {
    force("spring_damper", {{"from", words(from)},
                            {"to", words(slab)},
                            {"from_at", point(from_at)},
                            {"to_at", point(at)},
                            {"stiffness", number(stiffness)},
                            {"damping", number(random_(0.1, 1))},
                            {"preload", number(preload)}});
  };
  spring("ground", at + Vec3d{0, 0, 0.5}, random_(20, 100), -random_(40, 80));
  spring(whose, end, random_(10, 30), 0);
  constexpr double radius = 0.02, above = 5e-4;
  const std::string floor = marker(at - Vec3d{0, 0, 0.05});
  const Mat3d tilt = out_.markers.back().fields.back().second.axes;
  const double restitution = random_(0, 0.4);
  const int balls = random_.integer(1, is_plane ? 2 : 3);
  for (int k = 0; k < balls; ++k) {
    const Vec3d foot{(k == 1 ? -1 : 1) * random_(0.03, 0.08), is_plane ? 0 : (k == 2 ? -1 : 1) * random_(0.02, 0.06),
                     radius + above};
    force("rigid_contact", {{"from", words(floor)},
                            {"to", words(slab)},
                            {"to_at", point(at - Vec3d{0, 0, 0.05} + tilt * foot)},
                            {"radius", number(radius)},
                            {"restitution", number(restitution)}});
  }
}

void Builder::maxwell() {
  note("inner state");
  line("maxwell", {{"stiffness", number(random_(100, 800))},
                   {"damping", number(random_(5, 40))},
                   {"parallel_stiffness", number(random_(20, 100))}});
}

// Oil so soft and valves so wide that explicit methods can follow: a few kN/m and about 100 1/s.
void Builder::hydraulic_damper() {
  note("inner state"), note("hydraulics");
  line("hydraulic_damper", {{"piston_area", number(random_(1e-4, 2e-4))},
                            {"rod_area", number(chance(0.5) ? 0 : 4e-5)},
                            {"rebound_area", number(random_(2e-6, 6e-6))},
                            {"compression_area", number(random_(2e-6, 6e-6))},
                            {"base_area", number(2e-6)},
                            {"compression_volume", number(2e-4)},
                            {"rebound_volume", number(2e-4)},
                            {"pressure", number(1e5)},
                            {"modulus", number(random_(2e7, 5e7))},
                            {"laminar", number(3e4)}});
}

void Builder::hydraulic_actuator() {
  note("inner state"), note("hydraulics");
  line("hydraulic_actuator",
       {{"piston_area", number(random_(5e-5, 1e-4))},
        {"push_volume", number(2e-4)},
        {"pull_volume", number(2e-4)},
        {"valve_area", number(random_(1e-6, 3e-6))},
        {"supply", number(random_(1e5, 4e5))},
        {"opening", words(fmt::format("\"={}*sin({}[1/s]*t)\"", random_(0.1, 0.6), random_(2, 8)))},
        {"time_constant", number(random_(0.01, 0.05))},
        {"underlap", number(0.1)},
        {"modulus", number(random_(2e7, 5e7))},
        {"laminar", number(3e4)}});
}

void Builder::bushing() {
  note("bushing");
  const auto three = [&](double low, double high) {
    return words(fmt::format("[{}, {}, {}]", random_(low, high), random_(low, high), random_(low, high)));
  };
  frames("bushing", {{"stiffness", three(100, 800)},
                     {"damping", three(1, 10)},
                     {"angular_stiffness", three(0.5, 4)},
                     {"angular_damping", three(0.01, 0.2)}});
}

void Builder::formula() {
  note("formula");
  const double frequency = random_(3, 12);
  if (chance(0.5))
    return frames("torque", {{"y", words(fmt::format("\"={}[N.m]*sin({}[1/s]*t)\"", random_(0.2, 2), frequency))},
                             {"z", words(fmt::format("\"=-{}[N.m.s/rad]*wz\"", random_(0.01, 0.1)))}});
  frames("force", {{"x", words(fmt::format("\"={}[N]*sin({}[1/s]*t)\"", random_(0.5, 5), frequency))},
                   {"y", words(fmt::format("\"=-{}[N/m]*y\"", random_(5, 50)))},
                   {"z", words(fmt::format("\"=-{}[N.s/m]*vz\"", random_(0.5, 5)))}});
}

// The wheel is a body's end; the road below it may go up and down, and is left.
void Builder::tyre() {
  note("tyre");
  const std::size_t b = some_body();
  const double radius = random_(0.1, 0.2);
  Fields fields{{"from", words(marker(ends_[b] - Vec3d{0, 0, random_(0.9, 1.1) * radius}))},
                {"to", words(out_.bodies[b].name)},
                {"to_at", point(ends_[b])},
                {"radius", number(radius)},
                {"stiffness", number(random_(500, 3000))},
                {"damping", number(random_(2, 20))}};
  if (chance(0.5))
    fields.push_back({"lift", words(fmt::format("\"={}[m]*sin({}[1/s]*t)\"", random_(0.01, 0.03), random_(3, 12)))});
  force("tyre_vertical", std::move(fields));
}

void Builder::lag(const Coordinate& c) {
  note("inner state");
  force("lag_actuator", {{"joint", words(c.reference())},
                         {"time_constant", number(random_(0.01, 0.1))},
                         {c.turns ? "moment" : "force", words(fmt::format("\"={}[{}]*sin({}[1/s]*t)\"", random_(0.2, 2),
                                                                          c.turns ? "N.m" : "N", random_(3, 12)))}});
}

void Builder::dry(const Coordinate& c, const std::string& type) {
  note("friction");
  if (type == "coulomb")
    return force(type, {{"joint", words(c.reference())},
                        {c.turns ? "sliding_moment" : "sliding_force", number(random_(0.1, 1))},
                        {c.turns ? "angular_slip_speed" : "slip_speed", number(random_(0.02, 0.1))}});
  const double slide = random_(0.1, 1);
  force(type, {{"joint", words(c.reference())},
               {c.turns ? "angular_hold" : "hold", number(slide * random_(1, 1.5))},
               {c.turns ? "angular_slide" : "slide", number(slide)}});
}

void Builder::stop(const Coordinate& c) {
  note("stop");
  if (c.turns)
    return force("bump_stop", {{"joint", words(c.reference())},
                               {"engage_angle", number(-random_(0.1, 0.4))},
                               {"engage_angle_max", number(random_(0.1, 0.4))},
                               {"angular_stiffness", number(random_(50, 300))},
                               {"angular_depth", number(0.1)},
                               {"exponent", number(chance(0.5) ? 1 : 2)},
                               {"angular_damping", number(random_(0.01, 0.1))},
                               {"events", every_other()}});
  force("bump_stop", {{"joint", words(c.reference())},
                      {"engage_length", number(-random_(0.05, 0.15))},
                      {"engage_length_max", number(random_(0.05, 0.15))},
                      {"stiffness", number(random_(1e3, 5e3))},
                      {"depth", number(0.05)},
                      {"exponent", number(chance(0.5) ? 1 : 2)},
                      {"damping", number(random_(0.1, 0.5))},
                      {"events", every_other()}});
}

// A spring and a damper by tables; steps may end at their rows.
void Builder::tabulated(const Coordinate& c) {
  note("table");
  const auto rows = [&](double x, double y) {
    return words(fmt::format("{{table: [[{}, {}], [{}, {}], [0, 0], [{}, {}], [{}, {}]], beyond: straight}}", -2 * x,
                             -random_(2, 3) * y, -x, -y, x, random_(1, 2) * y, 2 * x, random_(2.5, 4) * y));
  };
  force("spring_damper",
        {{"joint", words(c.reference())},
         {c.turns ? "moment" : "force", c.turns ? rows(0.3, random_(0.5, 3)) : rows(0.1, random_(5, 30))},
         {c.turns ? "damper_moment" : "damper_force", c.turns ? rows(1, random_(0.1, 0.5)) : rows(0.5, random_(1, 5))},
         {"corners", words(chance(0.5) ? "true" : "false")}});
}

void Builder::act_on(const Coordinate& c, const std::string& signal) {
  force("actuator", {{"joint", words(c.reference())}, {"signal", words(signal)}});
}

void Builder::pid(const Coordinate& c) {
  note("controller");
  const std::string name = fresh("c");
  out_.controllers.push_back({name,
                              {{"type", words("pid")},
                               {"sample_time", number(0.01 * random_.integer(1, 5))},
                               {"input", words(c.channel())},
                               {"setpoint", number(random_(-0.3, 0.3))},
                               {"kp", number(random_(1, 8))},
                               {"kd", number(random_(0.02, 0.2))},
                               {"derivative_filter", number(0.02)},
                               {"ki", number(random_(0, 5))}}});
  act_on(c, name);
}

void Builder::sampled_formula(const Coordinate& c) {
  note("controller");
  const std::string name = fresh("c");
  out_.controllers.push_back({name,
                              {{"type", words("expression")},
                               {"sample_time", number(0.01 * random_.integer(2, 8))},
                               {"delay", number(chance(0.5) ? 0.005 : 0.0)},
                               {"inputs", words(fmt::format("{{w: {}_rate}}", c.channel()))},
                               {"memory", words("{low: 0}")},
                               {"next", words("{low: \"=low + 0.3*(w - low)\"}")},
                               {"outputs", words(fmt::format("{{u: \"=-{}*low\"}}", random_(0.05, 0.5)))}}});
  act_on(c, name);
}

void Builder::lookup(const Coordinate& c) {
  note("controller"), note("table");
  const std::string name = fresh("c");
  out_.controllers.push_back(
      {name,
       {{"type", words("lookup")},
        {"sample_time", number(0.01 * random_.integer(2, 6))},
        {"input", words(c.channel() + "_rate")},
        {"table", words(fmt::format("[[-2, {}], [0, 0], [3, {}]]", random_(0.2, 1), -random_(0.2, 1)))},
        {"beyond", words("hold")}}});
  act_on(c, name);
}

void Builder::state_space(const Coordinate& c) {
  note("controller");
  const std::string name = fresh("c");
  out_.controllers.push_back({name,
                              {{"type", words("state_space")},
                               {"sample_time", number(0.01 * random_.integer(2, 6))},
                               {"inputs", words(fmt::format("[{0}, {0}_rate]", c.channel()))},
                               {"A", words(fmt::format("[[{}, 0.1], [0, {}]]", random_(0.2, 0.9), random_(-0.5, 0.5)))},
                               {"B", words("[[0.3, 0], [0, 0.2]]")},
                               {"C", words(fmt::format("[[{}, {}]]", -random_(0.2, 2), -random_(0.1, 0.5)))}}});
  act_on(c, name);
}

void Builder::semi_active(const Coordinate& c) {
  note("controller");
  const std::string name = fresh("c"), angular = c.turns ? "angular_" : "";
  out_.controllers.push_back({name,
                              {{"type", words("expression")},
                               {"sample_time", number(0.01 * random_.integer(2, 6))},
                               {"inputs", words(fmt::format("{{x: {0}, w: {0}_rate}}", c.channel()))},
                               {"outputs", words(fmt::format("{{u: \"={}*abs(x*w)\"}}", random_(1, 5)))}}});
  force("semi_active_damper", {{"joint", words(c.reference())},
                               {"signal", words(name)},
                               {"minimum_" + angular + "damping", number(random_(0.01, 0.1))},
                               {"maximum_" + angular + "damping", number(random_(0.5, 2))}});
}

Value Builder::kicked(const Coordinate& c, double size) {
  return words(fmt::format("{{state: {{{}_rate: \"=w + {}\"}}}}", c.channel(), size));
}

void Builder::kick(const Coordinate& c) {
  note("event");
  out_.events.push_back({fresh("e"),
                         {{"inputs", words(fmt::format("{{w: {}_rate}}", c.channel()))},
                          {"at", number(random_(0.2, 0.7))},
                          {"do", kicked(c, random_(-1, 1))}}});
}

void Builder::crossing(const Coordinate& c) {
  note("event");
  out_.events.push_back({fresh("e"),
                         {{"inputs", words(fmt::format("{{x: {0}, w: {0}_rate}}", c.channel()))},
                          {"when", words(fmt::format("\"=x - {}\"", random_(-0.2, 0.2)))},
                          {"direction", words(chance(0.5) ? "rising" : "falling")},
                          {"do", kicked(c, random_(-0.5, 0.5))}}});
}

void Builder::parameter_event(const Coordinate& c) {
  note("event");
  const std::string name = fresh("p");
  out_.parameters.push_back({name, {{"", number(random_(0.5, 1))}}});
  const std::string unit = c.turns ? "[N.m/rad]" : "[N/m]";
  force("spring_damper",
        {{"joint", words(c.reference())},
         {c.turns ? "angular_stiffness" : "stiffness", words(fmt::format("\"=5{}*{}\"", unit, name))}});
  out_.events.push_back(
      {fresh("e"),
       {{"at", number(random_(0.2, 0.8))}, {"do", words(fmt::format("{{set: {{{}: {}}}}}", name, random_(1, 4)))}}});
}

}  // namespace skyhook::io::testing
