#include "skyhook/element/plugin_law.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skyhook/element/plugin_place.h"

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

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// A NaN that no calculation makes: what still is one has not been written.
constexpr double unwritten = std::bit_cast<double>(std::uint64_t{0x7ff8'736b'7968'6f6b});
bool is_unwritten(double x) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(unwritten); }

bool is_finite(const Wrench<double>& w) { return std::isfinite(w.f.x + w.f.y + w.f.z + w.n.x + w.n.y + w.n.z); }

// Why these numbers are none; empty: they are.
model::Outsider::Complaint doubt_of(const char* noun, const std::vector<model::InnerState>& unknowns, const double* x) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (is_unwritten(x[i])) return {fmt::format("it did not write {} \"{}\"", noun, unknowns[i].name), true};
    if (!std::isfinite(x[i])) return {fmt::format("{} \"{}\" is not a number", noun, unknowns[i].name), false};
  }
  return {};
}

}  // namespace

// Answers whether there is a finite answer. A Call must stand for it.
bool Law::evaluate(const Place& place, Answer& answer) const {
  const Image image{wish_.signs};
  const skyhook_motion motion = seen(place.m, image);
  skyhook_wrench given{};
  char message[SKYHOOK_MESSAGE_SIZE];
  message[0] = '\0';
  const std::size_t states = declared_.states.size(), algebraic = declared_.algebraic.size();
  const auto complain = [&](model::Outsider::Complaint why) {
    trouble = {this, std::move(why)};
    answer.wrench = {{no_number, no_number, no_number}, {no_number, no_number, no_number}};
    std::fill_n(answer.rates.begin(), states, no_number), std::fill_n(answer.b.begin(), algebraic, no_number);
    return false;
  };
  if (trouble.law) trouble.law = nullptr;
  if (!instance_) return complain({"it has not been loaded", true});
  const Library& library = *instance_->library;
  if (has_unknowns())
    std::fill_n(answer.rates.begin(), states, unwritten), std::fill_n(answer.b.begin(), algebraic, unwritten);
  try {
    const int code = has_unknowns() || !library.evaluate
                         ? library.loads(instance_->get(), &motion, place.c.data(), place.w.data(), &given,
                                         answer.rates.data(), answer.b.data(), message)
                         : library.evaluate(instance_->get(), &motion, &given, message);
    if (code != SKYHOOK_OK) {
      const std::string said = text_in(message);
      return complain({said.empty() ? fmt::format("it returned code {}", code) : said, code != SKYHOOK_RETRY});
    }
  } catch (const std::exception& error) {
    return complain({std::string("it threw an exception: ") + error.what(), true});
  } catch (...) {
    return complain({"it threw an exception", true});
  }
  if (has_unknowns()) {
    auto why = doubt_of("the rate of its state", declared_.states, answer.rates.data());
    if (why.text.empty()) why = doubt_of("the equation b of its unknown", declared_.algebraic, answer.b.data());
    if (!why.text.empty()) return complain(std::move(why));
  }
  for (int i = 0; i < 3; ++i) {
    answer.wrench.f[i] = image.s[i] * given.f[i];
    answer.wrench.n[i] = image.axial(i) * given.n[i];
  }
  return is_finite(answer.wrench);
}

// The answer beside `here`, which is moved for it; returns how far. At the end of what the law allows the other side may do.
double Law::look_beside(Place& here, const Direction& along, Answer& there) const {
  {
    const Moved forward(here, along, 1);
    if (evaluate(here, there)) return forward.by();
  }
  const Moved back(here, along, -1);
  evaluate(here, there);
  return back.by();
}

void Law::wrench(const Relative<double>& m, Wrench<double>& out) const {
  const Call call(wish_.name);
  Place here;
  Answer answer;
  here.m = m;
  evaluate(here, answer);
  out = answer.wrench;
}

void Law::wrench(const Relative<Local>& x, Wrench<Local>& out) const {
  assert(is_seeded(x));
  loads({x, {}, {}, {}}, {out, {}, {}});
}

void Law::loads(const LoadInput<double>& in, const LoadOutput<double>& out) const {
  const Call call(wish_.name);
  Place here;
  Answer answer;
  here.m = in.motion;
  std::ranges::copy(in.c, here.c.begin()), std::ranges::copy(in.w, here.w.begin());
  evaluate(here, answer);
  out.wrench = answer.wrench;
  std::copy_n(answer.rates.begin(), out.rates.size(), out.rates.begin());
  std::copy_n(answer.b.begin(), out.b.size(), out.b.begin());
}

void Law::loads(const LoadInput<Local>& in, const LoadOutput<Local>& out) const {
  const Call call(wish_.name);
  const std::array<Direction, 12> along = varying(in, declared_);
  Place here = place_of(in);
  Answer base, there;
  evaluate(here, base);
  for (int i = 0; i < 3; ++i) out.wrench.f[i] = Local(base.wrench.f[i]), out.wrench.n[i] = Local(base.wrench.n[i]);
  for (std::size_t i = 0; i < out.rates.size(); ++i) out.rates[i] = Local(base.rates[i]);
  for (std::size_t i = 0; i < out.b.size(); ++i) out.b[i] = Local(base.b[i]);
  for (std::size_t k = 0; k < 12; ++k) {
    if (along[k].of == Direction::Of::nothing) continue;
    const double h = look_beside(here, along[k], there);
    for (int i = 0; i < 3; ++i) {
      out.wrench.f[i].d[k] = (there.wrench.f[i] - base.wrench.f[i]) / h;
      out.wrench.n[i].d[k] = (there.wrench.n[i] - base.wrench.n[i]) / h;
    }
    for (std::size_t i = 0; i < out.rates.size(); ++i) out.rates[i].d[k] = (there.rates[i] - base.rates[i]) / h;
    for (std::size_t i = 0; i < out.b.size(); ++i) out.b[i].d[k] = (there.b[i] - base.b[i]) / h;
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
