#include "skyhook/element/plugin_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skyhook/element/plugin_instance.h"

namespace skyhook::element::plugin {
namespace {

using model::LoadInput;
using model::LoadOutput;
using model::Local;
using model::Relative;
using model::Wrench;

// Why the last call of this thread gave no answer, and whose it was.
struct LastTrouble {
  const Law* law = nullptr;
  model::Outsider::Complaint complaint;
};
thread_local LastTrouble trouble;

const double root_of_eps = std::sqrt(std::numeric_limits<double>::epsilon());
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// A NaN that no calculation makes: what still is one has not been written.
constexpr double unwritten = std::bit_cast<double>(std::uint64_t{0x7ff8'736b'7968'6f6b});
bool is_unwritten(double x) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(unwritten); }

// A mirror image across planes of A's axes: polar vectors take the signs s, axial ones det(s) s, rotations s_i s_j.
struct Image {
  Vec3d s;
  double det() const { return s.x * s.y * s.z; }
  double axial(int i) const { return det() * s[i]; }
};

skyhook_motion seen(const Relative<double>& m, const Image& image) {
  skyhook_motion out;
  out.t = m.t;
  for (int i = 0; i < 3; ++i) {
    out.r[i] = image.s[i] * m.r[i];
    out.v[i] = image.s[i] * m.v[i];
    out.w[i] = image.axial(i) * m.w[i];
    for (int j = 0; j < 3; ++j) out.R[i][j] = image.s[i] * image.s[j] * m.R[i][j];
  }
  return out;
}

// The step of each local variable: sqrt(eps) of its size, which for rotations is 1 rad. Where the frames are together or at
// rest, the size is that of what a vehicle's elements do: 0.1 m, 0.1 m/s, 1 rad/s.
std::array<double, 4> steps_at(const Relative<double>& m) {
  const double root = root_of_eps;
  return {root * std::max(norm(m.r), 0.1), root, root * std::max(norm(m.v), 0.1), root * std::max(norm(m.w), 1.0)};
}

// Moves local variable k by about h; returns by how much. (1 + h [e]x) is a rotation to h^2 = eps.
double move(Relative<double>& m, int k, double h) {
  const int i = k % 3;
  if (k / 3 == 1) {
    Vec3d turn;
    turn[i] = h;
    m.R = m.R + skew(turn) * m.R;
    return h;
  }
  double& x = (k / 3 == 0 ? m.r : k / 3 == 2 ? m.v : m.w)[i];
  const volatile double moved = x + h;  // as it is stored: x + h - x is exact then
  const double by = moved - x;
  x = moved;
  return by;
}

Relative<double> values_of(const Relative<Local>& m) {
  Relative<double> out;
  out.t = m.t.v;
  for (int i = 0; i < 3; ++i) {
    out.r[i] = m.r[i].v, out.v[i] = m.v[i].v, out.w[i] = m.w[i].v;
    for (int j = 0; j < 3; ++j) out.R[i][j] = m.R[i][j].v;
  }
  return out;
}

bool is_seeded(const Relative<Local>& m) {
  for (int i = 0; i < 3; ++i) {
    if (m.r[i].d[i] != 1.0 || m.v[i].d[6 + i] != 1.0 || m.w[i].d[9 + i] != 1.0) return false;
  }
  return true;
}

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

// Why these numbers are none; empty: they are.
model::Outsider::Complaint doubt_of(const char* noun, const std::vector<model::InnerState>& unknowns, const double* x) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (is_unwritten(x[i])) return {fmt::format("it did not write {} \"{}\"", noun, unknowns[i].name), true};
    if (!std::isfinite(x[i])) return {fmt::format("{} \"{}\" is not a number", noun, unknowns[i].name), false};
  }
  return {};
}

// Numbers of the unknowns; the first ones count.
using Numbers = std::array<double, most_unknowns>;

}  // namespace

struct Law::Answer {
  Wrench<double> wrench;
  Numbers rates, b;
};

// Out of the way of the calls that answer.
[[gnu::cold, gnu::noinline]] bool Law::give_up(Complaint why, Answer& answer) const {
  trouble = {this, std::move(why)};
  answer.wrench = {{no_number, no_number, no_number}, {no_number, no_number, no_number}};
  std::fill_n(answer.rates.begin(), declared_.states.size(), no_number);
  std::fill_n(answer.b.begin(), declared_.algebraic.size(), no_number);
  return false;
}

[[gnu::cold, gnu::noinline]] bool Law::give_up(int code, const char (&message)[SKYHOOK_MESSAGE_SIZE],
                                               Answer& answer) const {
  const std::string said = text_in(message);
  return give_up({said.empty() ? fmt::format("it returned code {}", code) : said, code != SKYHOOK_RETRY}, answer);
}

[[gnu::noinline]] int Law::call_loads(const Unknowns& u, const skyhook_motion& motion, skyhook_wrench& given,
                                      Answer& answer, char* message) const {
  std::fill_n(answer.rates.begin(), declared_.states.size(), unwritten);
  std::fill_n(answer.b.begin(), declared_.algebraic.size(), unwritten);
  return instance_->library->loads(instance_->get(), &motion, u.c, u.w, &given, answer.rates.data(), answer.b.data(),
                                   message);
}

// Whether all rates and equations have been written and are numbers.
[[gnu::noinline]] bool Law::is_whole(Answer& answer) const {
  Complaint why = doubt_of("the rate of its state", declared_.states, answer.rates.data());
  if (why.text.empty()) why = doubt_of("the equation b of its unknown", declared_.algebraic, answer.b.data());
  return why.text.empty() || give_up(std::move(why), answer);
}

// Answers whether there is a finite answer. A Call must stand for it.
bool Law::evaluate(const Relative<double>& m, const Unknowns& u, Answer& answer) const {
  const Image image{wish_.signs};
  const skyhook_motion motion = seen(m, image);
  skyhook_wrench given{};
  char message[SKYHOOK_MESSAGE_SIZE];
  message[0] = '\0';
  if (trouble.law) trouble.law = nullptr;
  if (!instance_) return give_up({"it has not been loaded", true}, answer);
  try {
    const int code = asks_loads_ ? call_loads(u, motion, given, answer, message)
                                 : instance_->library->evaluate(instance_->get(), &motion, &given, message);
    if (code != SKYHOOK_OK) return give_up(code, message, answer);
  } catch (const std::exception& error) {
    return give_up({std::string("it threw an exception: ") + error.what(), true}, answer);
  } catch (...) {
    return give_up({"it threw an exception", true}, answer);
  }
  if (asks_loads_ && !is_whole(answer)) return false;
  for (int i = 0; i < 3; ++i) {
    answer.wrench.f[i] = image.s[i] * given.f[i];
    answer.wrench.n[i] = image.axial(i) * given.n[i];
  }
  return is_finite(answer.wrench);
}

void Law::set_values(const Answer& answer, const LoadOutput<Local>& out) {
  for (int i = 0; i < 3; ++i) out.wrench.f[i] = Local(answer.wrench.f[i]), out.wrench.n[i] = Local(answer.wrench.n[i]);
  for (std::size_t i = 0; i < out.rates.size(); ++i) out.rates[i] = Local(answer.rates[i]);
  for (std::size_t i = 0; i < out.b.size(); ++i) out.b[i] = Local(answer.b[i]);
}

inline void Law::set_slopes(const Answer& there, const Answer& base, double h, std::size_t k,
                            const LoadOutput<Local>& out) {
  for (int i = 0; i < 3; ++i) {
    out.wrench.f[i].d[k] = (there.wrench.f[i] - base.wrench.f[i]) / h;
    out.wrench.n[i].d[k] = (there.wrench.n[i] - base.wrench.n[i]) / h;
  }
  for (std::size_t i = 0; i < out.rates.size(); ++i) out.rates[i].d[k] = (there.rates[i] - base.rates[i]) / h;
  for (std::size_t i = 0; i < out.b.size(); ++i) out.b[i].d[k] = (there.b[i] - base.b[i]) / h;
}

void Law::wrench(const Relative<double>& m, Wrench<double>& out) const {
  const Call call(wish_.name);
  Answer answer;
  evaluate(m, {}, answer);
  out = answer.wrench;
}

void Law::wrench(const Relative<Local>& x, Wrench<Local>& out) const {
  assert(is_seeded(x));
  loads({x, {}, {}, {}}, {out, {}, {}});
}

void Law::loads(const LoadInput<double>& in, const LoadOutput<double>& out) const {
  const Call call(wish_.name);
  Answer answer;
  evaluate(in.motion, {in.c.data(), in.w.data()}, answer);
  out.wrench = answer.wrench;
  std::copy_n(answer.rates.begin(), out.rates.size(), out.rates.begin());
  std::copy_n(answer.b.begin(), out.b.size(), out.b.begin());
}

void Law::loads(const LoadInput<Local>& in, const LoadOutput<Local>& out) const {
  const Call call(wish_.name);
  const Relative<double> m = values_of(in.motion);
  Numbers c, w;
  std::ranges::transform(in.c, c.begin(), &Local::v);
  std::ranges::transform(in.w, w.begin(), &Local::v);
  const Unknowns u{c.data(), w.data()};
  Answer base;
  evaluate(m, u, base);
  set_values(base, out);
  if (is_seeded(in.motion)) return difference_motion(m, u, base, out);
  difference_unknowns(in.c, declared_.states, c.data(), m, u, base, out);
  difference_unknowns(in.w, declared_.algebraic, w.data(), m, u, base, out);
}

// At the end of what the law allows the other side may do.
void Law::difference_motion(const Relative<double>& m, const Unknowns& u, const Answer& base,
                            const LoadOutput<Local>& out) const {
  const std::array<double, 4> steps = steps_at(m);
  Answer there;
  for (int k = 0; k < 12; ++k) {
    Relative<double> moved = m;
    double h = move(moved, k, steps[static_cast<std::size_t>(k / 3)]);
    if (!evaluate(moved, u, there)) {
      moved = m;
      h = move(moved, k, -steps[static_cast<std::size_t>(k / 3)]);
      evaluate(moved, u, there);
    }
    set_slopes(there, base, h, static_cast<std::size_t>(k), out);
  }
}

// `values`, at which `u` looks, are moved one after the other and put back. Steps as of the motion, of their size or usual size.
void Law::difference_unknowns(std::span<const Local> seeds, const std::vector<model::InnerState>& of, double* values,
                              const Relative<double>& m, const Unknowns& u, const Answer& base,
                              const LoadOutput<Local>& out) const {
  Answer there;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto seed = std::ranges::find_if(seeds[i].d, [](double d) { return d != 0; });
    if (seed == seeds[i].d.end()) continue;
    const double at = values[i], step = root_of_eps * std::max(std::abs(at), of[i].nominal);
    values[i] = at + step;
    if (!evaluate(m, u, there)) values[i] = at - step, evaluate(m, u, there);
    set_slopes(there, base, values[i] - at, static_cast<std::size_t>(seed - seeds[i].d.begin()), out);
    values[i] = at;
  }
}

double Law::energy(const Relative<double>& m) const { return energy(LoadInput<double>{m, {}, {}, {}}); }

double Law::energy(const LoadInput<double>& in) const {
  if (!instance_) return 0.0;
  const Library& library = *instance_->library;
  const Call call(wish_.name);
  const skyhook_motion motion = seen(in.motion, {wish_.signs});
  try {
    if (has_unknowns() && library.stored_energy)
      return library.stored_energy(instance_->get(), &motion, in.c.data(), in.w.data());
    return library.energy ? library.energy(instance_->get(), &motion) : 0.0;
  } catch (...) {
    return no_number;
  }
}

std::vector<model::Quantity> Law::quantities() const {
  constexpr const char *force = "force on `to`, axes of `from`", *moment = "moment on `to`, axes of `from`";
  return {{"fx", "N", force},    {"fy", "N", force},    {"fz", "N", force},
          {"mx", "N.m", moment}, {"my", "N.m", moment}, {"mz", "N.m", moment}};
}

void Law::measure(const Relative<double>&, const Wrench<double>& w, std::vector<double>& out) const {
  for (const Vec3d& a : {w.f, w.n}) out.insert(out.end(), {a.x, a.y, a.z});
}

void Law::measure(const LoadInput<double>& in, const model::Acting& acting, std::vector<double>& out) const {
  measure(in.motion, acting.loads, out);
}

std::string Law::signature() const {
  std::string text = wish_.library.path;
  for (const auto* list : {&declared_.states, &declared_.algebraic}) {
    text += ";";
    for (const model::InnerState& u : *list) text += " " + u.name;
  }
  return text;
}

model::Outsider::Complaint Law::complaint() const {
  return trouble.law == this ? trouble.complaint : model::Outsider::Complaint{};
}

}  // namespace skyhook::element::plugin
