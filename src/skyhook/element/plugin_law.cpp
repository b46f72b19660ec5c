#include "skyhook/element/plugin_law.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

#include "skyhook/element/plugin_instance.h"

namespace skyhook::element::plugin {
namespace {

using model::Local;
using model::Relative;
using model::Wrench;

// Why the last call of this thread gave no answer, and whose it was.
struct LastTrouble {
  const Law* law = nullptr;
  model::Outsider::Complaint complaint;
};
thread_local LastTrouble trouble;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

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
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
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

[[maybe_unused]] bool is_seeded(const Relative<Local>& m) {
  for (int i = 0; i < 3; ++i) {
    if (m.r[i].d[i] != 1.0 || m.v[i].d[6 + i] != 1.0 || m.w[i].d[9 + i] != 1.0) return false;
  }
  return true;
}

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

}  // namespace

// Answers whether there is a finite wrench. A Call must stand for it.
bool Law::evaluate(const Relative<double>& m, Wrench<double>& out) const {
  const Image image{wish_.signs};
  const skyhook_motion motion = seen(m, image);
  skyhook_wrench given{};
  char message[SKYHOOK_MESSAGE_SIZE];
  message[0] = '\0';
  const auto complain = [&](std::string text, bool is_final) {
    trouble = {this, {std::move(text), is_final}};
    out = {{no_number, no_number, no_number}, {no_number, no_number, no_number}};
    return false;
  };
  if (trouble.law) trouble.law = nullptr;
  if (!instance_) return complain("it has not been loaded", true);
  try {
    const int code = instance_->library->evaluate(instance_->get(), &motion, &given, message);
    if (code != SKYHOOK_OK) {
      const std::string said = text_in(message);
      return complain(said.empty() ? fmt::format("it returned code {}", code) : said, code != SKYHOOK_RETRY);
    }
  } catch (const std::exception& error) {
    return complain(std::string("it threw an exception: ") + error.what(), true);
  } catch (...) {
    return complain("it threw an exception", true);
  }
  for (int i = 0; i < 3; ++i) {
    out.f[i] = image.s[i] * given.f[i];
    out.n[i] = image.axial(i) * given.n[i];
  }
  return is_finite(out);
}

void Law::wrench(const Relative<double>& m, Wrench<double>& out) const {
  const Call call(wish_.name);
  evaluate(m, out);
}

void Law::wrench(const Relative<Local>& x, Wrench<Local>& out) const {
  assert(is_seeded(x));
  const Call call(wish_.name);
  const Relative<double> m = values_of(x);
  const std::array<double, 4> steps = steps_at(m);
  Wrench<double> w, there;
  evaluate(m, w);
  for (int i = 0; i < 3; ++i) out.f[i] = Local(w.f[i]), out.n[i] = Local(w.n[i]);
  for (int k = 0; k < 12; ++k) {
    Relative<double> moved = m;
    double h = move(moved, k, steps[static_cast<std::size_t>(k / 3)]);
    if (!evaluate(moved, there)) {  // at the end of what the law allows: the other side may do
      moved = m;
      h = move(moved, k, -steps[static_cast<std::size_t>(k / 3)]);
      evaluate(moved, there);
    }
    for (int i = 0; i < 3; ++i) {
      out.f[i].d[static_cast<std::size_t>(k)] = (there.f[i] - w.f[i]) / h;
      out.n[i].d[static_cast<std::size_t>(k)] = (there.n[i] - w.n[i]) / h;
    }
  }
}

double Law::energy(const Relative<double>& m) const {
  if (!instance_ || !instance_->library->energy) return 0.0;
  const Call call(wish_.name);
  const skyhook_motion motion = seen(m, {wish_.signs});
  try {
    return instance_->library->energy(instance_->get(), &motion);
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

model::Outsider::Complaint Law::complaint() const {
  return trouble.law == this ? trouble.complaint : model::Outsider::Complaint{};
}

}  // namespace skyhook::element::plugin
