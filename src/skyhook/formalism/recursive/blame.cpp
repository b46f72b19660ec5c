#include "skyhook/formalism/recursive/blame.h"

#include <fmt/format.h>

#include "skyhook/model/contribution.h"

namespace skyhook::formalism::recursive {
namespace {

std::string text(const Vec3d& a) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", a.x, a.y, a.z); }

std::string state(const model::Relative<double>& m) {
  return fmt::format("t = {:.6g} s, r = {} m, R = [{}, {}, {}], v = {} m/s, w = {} rad/s", m.t, text(m.r), text(m.R.r0),
                     text(m.R.r1), text(m.R.r2), text(m.v), text(m.w));
}

}  // namespace

Eval blame_force(const char* what, const model::Contribution& force, const model::WrenchElement& law,
                 const model::Relative<double>& motion, const model::Wrench<double>& wrench, std::string& blame) {
  blame = fmt::format("{} of {} \"{}\"", what, force.type, force.name);
  const auto* outsider = dynamic_cast<const model::Outsider*>(&law);
  if (!outsider) return blame += " is not a number", Eval::recoverable;
  const model::Outsider::Complaint complaint = outsider->complaint();
  blame += fmt::format(" ({}) ", outsider->origin());
  if (!complaint.text.empty())
    blame += fmt::format("gave no answer: {}", complaint.text);
  else
    blame += fmt::format("is not a number: f = {} N, n = {} N.m", text(wrench.f), text(wrench.n));
  blame += " at " + state(motion);
  return complaint.is_final ? Eval::fatal : Eval::recoverable;
}

Eval blame_loads(const std::string& what, const model::Contribution& of, const model::Relative<double>& motion,
                 std::string& blame) {
  blame = fmt::format("{} \"{}\": {}", of.type, of.name, what);
  const auto* outsider = dynamic_cast<const model::Outsider*>(of.law.get());
  if (!outsider) return Eval::recoverable;
  const model::Outsider::Complaint complaint = outsider->complaint();
  blame = fmt::format("{} \"{}\" ({}): {} at {}", of.type, of.name, outsider->origin(),
                      complaint.text.empty() ? what : "it gave no answer: " + complaint.text, state(motion));
  return complaint.is_final ? Eval::fatal : Eval::recoverable;
}

Eval blame_drive(const model::Joint& joint, int dof, double t, std::string& blame) {
  blame = fmt::format("the drive of joint \"{}\" ({}) gives no finite number at t = {:.6g} s", joint.name,
                      joint.shape.dofs[dof].name, t);
  return Eval::recoverable;
}

}  // namespace skyhook::formalism::recursive
