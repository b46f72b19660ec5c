// References: the built-in spring_damper with its exact derivatives, a law whose derivatives dual numbers give exactly, and what
// a mirror does to vectors.
#include "skyhook/element/force/plugin.h"

#include <algorithm>
#include <array>
#include <thread>

#include "skyhook/element/force/spring_damper.h"
#include "skyhook/element/law_check.testing.h"
#include "skyhook/element/plugin_law.h"

using namespace skyhook;
using namespace skyhook::element;
using namespace skyhook::element::test;

namespace {

std::string library(const std::string& name) { return std::string(SKYHOOK_PLUGINS) + "/" + name + ".so"; }

model::OpenValue number(const std::string& name, double value, const char* unit = "-") {
  return {name, std::to_string(value) + " " + unit, value, parse_unit(unit).dimension, {"test.yaml#" + name, 3, 1}};
}

Plugin element_of(const std::string& path, model::OpenValues parameters) {
  Plugin p;
  p.from = marker(0, {1, 2, 3});
  p.to = marker(1, {-1, 0, 2});
  p.library = {path, path, path};
  p.parameters = std::move(parameters);
  return p;
}

std::shared_ptr<const plugin::Law> law_of(const Plugin& element) {
  return dynamic_cast<const plugin::Law&>(*force_of(element).wrench).loaded();
}
std::shared_ptr<const plugin::Law> law_of(const std::string& name, model::OpenValues parameters) {
  return law_of(element_of(library(name), std::move(parameters)));
}

// All findings of loading, or "".
std::string errors_of(const Plugin& element) {
  try {
    law_of(element);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
std::string errors_of(const std::string& name, model::OpenValues parameters = {}) {
  return errors_of(element_of(library(name), std::move(parameters)));
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin: " << text);
  return found;
}

const model::OpenValues spring{number("stiffness", 25e3, "N/m"), number("damping", 800, "N.s/m"),
                               number("free_length", 0.4, "m")};

model::Contribution built_in() {
  SpringDamper s;
  s.from = marker(0, {1, 2, 3});
  s.to = marker(1, {-1, 0, 2});
  s.stiffness = 25e3, s.damping = 800, s.free_length = 0.4;
  return force_of(s);
}

// The same as tests/plugins/skew_law.c.
struct SkewLaw : model::WrenchLaw<SkewLaw> {
  double s = 1;
  template <class T>
  void law(const Relative<T>& m, Wrench<T>& out) const {
    using std::sin;
    out.f = T(s) * Vec3<T>{T(3.0) - T(2.0) * m.r.y + m.w.z, m.v.z * m.r.x - T(2.0) + sin(m.t),
                           T(1.0) + m.r.x * m.r.y - T(0.5) * m.v.z};
    out.n = T(s) * Vec3<T>{T(0.1) + T(0.2) * m.w.y - m.R.r2.y, m.R.r0.z * m.r.y - T(0.1) * m.w.y,
                           T(-0.1) * m.w.x * m.w.z + m.R.r1.x};
  }
};

std::array<double, 6> components(const Wrench<double>& w) { return {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z}; }

// Largest error of the derivatives, relative to the largest derivative.
double derivative_error(const model::WrenchElement& differenced, const model::WrenchElement& exact,
                        const Relative<double>& m) {
  Wrench<Local> a{}, b{};
  differenced.wrench(seeded(m), a);
  exact.wrench(seeded(m), b);
  double error = 0, largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (const auto& [x, y] : {std::pair{a.f[i], b.f[i]}, std::pair{a.n[i], b.n[i]}}) {
      for (std::size_t k = 0; k < 12; ++k) {
        error = std::max(error, std::abs(x.d[k] - y.d[k]));
        largest = std::max(largest, std::abs(y.d[k]));
      }
    }
  }
  return error / largest;
}

// Forward differences leave h f''/2 and 2 eps |f| / h. With h = sqrt(eps) of the variable's size and laws of order one both
// are some 1e-8 of the largest derivative; the worst of many random motions is held against ten times that.
void check_differences(const model::WrenchElement& differenced, const model::WrenchElement& exact) {
  std::mt19937 random(11);
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    const Relative<double> m = random_motion(random);
    const auto a = components(wrench_of(differenced, m)), b = components(wrench_of(exact, m));
    for (std::size_t k = 0; k < 6; ++k) CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-14));
    worst = std::max(worst, derivative_error(differenced, exact, m));
  }
  CHECK(worst < 2e-7);  // measured: 2e-8 and 9e-8
}

}  // namespace

TEST_CASE("A plug-in with the law of a spring gives its forces, and its derivatives to the accuracy of differences") {
  const auto law = law_of("line_spring", spring);
  const model::Contribution exact = built_in();
  check_differences(*law, *exact.wrench);
  std::mt19937 random(12);
  for (int i = 0; i < 20; ++i) {
    const Relative<double> m = random_motion(random);
    CHECK(law->energy(m) == doctest::Approx(exact.wrench->energy(m)).epsilon(1e-14));
  }
}

TEST_CASE("Derivatives with respect to rotations and angular velocities are those of the law too") {
  SkewLaw exact;
  exact.s = 7;
  check_differences(*law_of("skew_law", {number("scale", 7, "N")}), exact);
}

TEST_CASE("Steps fit where the frames are together and at rest") {
  const Relative<double> still{0.0, {}, Mat3d::identity(), {}, {}};
  CHECK(derivative_error(*law_of("skew_law", {}), SkewLaw{}, still) < 1e-7);
  Relative<double> far = still;
  far.r = {3e3, -2e3, 10}, far.v = {80, 0, 0};
  CHECK(derivative_error(*law_of("skew_law", {}), SkewLaw{}, far) < 1e-7);
}

TEST_CASE("With signs the law is its own mirror image") {
  Plugin p = element_of(library("skew_law"), {});
  const auto law = law_of(p);
  p.signs = {1, -1, 1};
  const auto image = law_of(p);
  std::mt19937 random(13);
  const Relative<double> m = random_motion(random);
  Relative<double> mirrored = m;  // across y: polar vectors change y, axial ones x and z
  mirrored.r.y *= -1, mirrored.v.y *= -1, mirrored.w.x *= -1, mirrored.w.z *= -1;
  mirrored.R.r0.y *= -1, mirrored.R.r1.x *= -1, mirrored.R.r1.z *= -1, mirrored.R.r2.y *= -1;
  const auto a = components(wrench_of(*law, m)), b = components(wrench_of(*image, mirrored));
  const double signs[] = {1, -1, 1, -1, 1, -1};
  for (std::size_t k = 0; k < 6; ++k) CHECK(b[k] == signs[k] * a[k]);
  p.signs = {1, 0, 1};
  CHECK(refused_field(p) == "signs");
}

// Its unknowns live in the image: they are not mirrored, nor are their rates.
TEST_CASE("With signs a law with unknowns is its own mirror image too, and its derivatives are those of its numbers") {
  Plugin p = element_of(library("maxwell_line"), {number("stiffness", 300, "N/m"), number("damping", 40, "N.s/m"),
                                                  number("free_length", 1, "m")});
  const auto law = law_of(p);
  p.signs = {1, -1, 1};
  const auto image = law_of(p);
  CHECK(law->has_unknowns());
  const double c = 0.2;
  const auto ask = [&](const plugin::Law& of, const Relative<double>& m, double& rate) {
    Wrench<double> w{};
    of.loads({m, {&c, 1}, {}, {}}, {w, {&rate, 1}, {}});
    return w;
  };
  std::mt19937 random(14);
  const Relative<double> m = random_motion(random);
  Relative<double> mirrored = m;
  mirrored.r.y *= -1, mirrored.v.y *= -1, mirrored.w.x *= -1, mirrored.w.z *= -1;
  mirrored.R.r0.y *= -1, mirrored.R.r1.x *= -1, mirrored.R.r1.z *= -1, mirrored.R.r2.y *= -1;
  double rate = 0, rate_of_image = 0;
  const auto a = components(ask(*law, m, rate)), b = components(ask(*image, mirrored, rate_of_image));
  const double signs[] = {1, -1, 1, -1, 1, -1};
  for (std::size_t k = 0; k < 6; ++k) CHECK(b[k] == signs[k] * a[k]);
  CHECK(rate == rate_of_image);
  // d rate / d c = -k / d; d rate / d r = k / d r / |r|.
  Wrench<Local> w{};
  Local state = Local::variable(c, 3), slope(0.0);
  Relative<Local> still = seeded(m);
  for (auto* x : {&still.r, &still.v, &still.w}) *x = Vec3<Local>(Vec3d{x->x.v, x->y.v, x->z.v});
  for (int i = 0; i < 3; ++i) still.R[i] = Vec3<Local>(m.R[i]);
  law->loads({still, {&state, 1}, {}, {}}, {w, {&slope, 1}, {}});
  CHECK(slope.d[3] == doctest::Approx(-300.0 / 40).epsilon(1e-6));
  CHECK(slope.d[0] == 0);
  state = Local(c);
  law->loads({seeded(m), {&state, 1}, {}, {}}, {w, {&slope, 1}, {}});
  for (int i = 0; i < 3; ++i) CHECK(slope.d[i] == doctest::Approx(300.0 / 40 * m.r[i] / norm(m.r)).epsilon(1e-6));
}

TEST_CASE("What is wrong with a library is told at the place of its name") {
  CHECK(has(errors_of(element_of("nowhere/a.so", {})),
            "test.yaml#library:7:1: \"part\": there is no plug-in \"nowhere/a.so\"."));
  CHECK(has(errors_of(element_of("nowhere/a.so", {})), "Looked for: nowhere/a.so"));
  const std::string text = errors_of(element_of(SKYHOOK_SOURCE_DIR "/README.md", {}));
  CHECK(has(text, "cannot be loaded"));
  CHECK(has(text, "cc -O2 -shared -fPIC"));
  CHECK(
      has(errors_of("other_version"), "is written for version 3 of the interface, this program has versions 1 to 2."));
  CHECK(has(errors_of("no_law"), "does not export the function skyhook_plugin_evaluate."));
  CHECK(has(errors_of("bad_unit"), "describes the parameter \"stiffness\" in \"furlong\""));
}

TEST_CASE("What is wrong with the parameters of a plug-in is told at their places, all at once") {
  const std::string text =
      errors_of("line_spring", {number("stifness", 1), number("damping", 3, "m"), number("free_length", 2)});
  CHECK(has(text,
            "test.yaml#parameters:7:1: \"part\": the plug-in \"line_spring.so\" needs the parameter \"stiffness\"."));
  CHECK(has(text, "Add it: linear rate."));
  CHECK(has(text,
            "test.yaml#damping:3:1: \"part\": parameter damping is \"3.000000 m\", a quantity in m, but the plug-in "
            "needs N.s/m."));
  CHECK(has(text,
            "test.yaml#stifness:3:1: \"part\": parameter stifness is not known to the plug-in \"line_spring.so\"."));
  CHECK(has(text, "Did you mean \"stiffness\"?"));
  CHECK(has(errors_of("line_spring", {number("stiffness", -1, "N/m"), number("free_length", 1)}),
            "parameter stiffness is -1 N/m, but the plug-in allows 0 to 1000000000000 N/m only."));
  CHECK(has(errors_of("line_spring", {number("stiffness", 1), number("free_length", -1)}),
            "the plug-in \"line_spring.so\" refused to start: a free length of -1 m is below zero."));
  CHECK(errors_of("line_spring", {number("stiffness", 1), number("free_length", 1)}).empty());
}

TEST_CASE("A plug-in that gives no answer says why") {
  const Relative<double> m{1.0, {1, 0, 0}, Mat3d::identity(), {}, {}};
  const auto said = [&](const plugin::Law& law) {
    CHECK(std::isnan(wrench_of(law, m).f.y));
    return law.complaint();
  };
  CHECK(said(*law_of("trouble", {number("what", 5)})).text.empty());  // NaN
  const auto retry = said(*law_of("trouble", {number("what", 6), number("after", 0.5, "s")}));
  CHECK(retry.text == "no data beyond 0.5 s");
  CHECK_FALSE(retry.is_final);
  const auto fail = said(*law_of("trouble", {number("what", 7)}));
  CHECK(fail.text == "the licence has expired");
  CHECK(fail.is_final);
  const auto thrown = said(*law_of("throws", {}));
  CHECK(thrown.text == "it threw an exception: vector is empty");
  CHECK(thrown.is_final);
  const model::Contribution unloaded = force_of(element_of(library("trouble"), {}));
  CHECK(said(dynamic_cast<const plugin::Law&>(*unloaded.wrench)).text == "it has not been loaded");
}

TEST_CASE("A complaint is of the last call: an answer withdraws it") {
  const auto law = law_of("trouble", {number("what", 6), number("after", 0.5, "s")});
  Relative<double> m{1.0, {1, 0, 0}, Mat3d::identity(), {}, {}};
  wrench_of(*law, m);
  CHECK_FALSE(law->complaint().text.empty());
  m.t = 0.0;
  wrench_of(*law, m);
  CHECK(law->complaint().text.empty());
}

TEST_CASE("While a plug-in is called its name can be asked for, also from other threads") {
  using namespace plugin;
  const Name a{"a.so", "strut"}, b{"b.so", "mount"};
  CHECK(running_here() == nullptr);
  {
    const Call outer(a);
    CHECK(running_here() == &a);
    std::thread other([&] {
      CHECK(running_here() == nullptr);
      const Call call(b);
      CHECK(running_here() == &b);
      CHECK(std::ranges::count(running(), &a) == 1);
      CHECK(std::ranges::count(running(), &b) == 1);
    });
    other.join();
    CHECK(running_here() == &a);
    CHECK(std::ranges::count(running(), &b) == 0);
  }
  CHECK(running_here() == nullptr);
  CHECK(running()[0] == nullptr);
}

// Reference: the same calls one after the other.
TEST_CASE("Two threads may use one instance") {
  const auto law = law_of("line_spring", spring);
  const auto sum = [&] {
    std::mt19937 random(5);
    double total = 0;
    for (int i = 0; i < 20000; ++i) total += wrench_of(*law, random_motion(random)).f.x;
    return total;
  };
  double first = 0, second = 0;
  std::thread one([&] { first = sum(); }), two([&] { second = sum(); });
  one.join(), two.join();
  CHECK(first == sum());
  CHECK(second == first);
}
