#include "skyhook/formalism/impact.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "skyhook/formalism/recursive/equations.h"
#include "skyhook/math/lcp.h"

namespace skyhook::formalism {
namespace {

using recursive::Equations;

constexpr double rank_threshold = 1e-10;  // of rows that have length one in the mass metric
constexpr double rounding = 1e-12;        // of the longest row

double inner(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(double factor, const Vector& x, Vector& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * x[i];
}

// Rows of contacts by coordinates.
std::vector<Vector> contact_rows(const Equations& eq, const State& s, const std::vector<int>& touching,
                                 Equations::Workspace& ws) {
  std::vector<Vector> rows;
  for (const int contact : touching) {
    rows.emplace_back(static_cast<std::size_t>(eq.nv()));
    eq.contact_row(contact, s.t, s.q, rows.back(), ws);
  }
  return rows;
}

// What an impact reaches: coordinates that inertia or lasting constraints tie to those of the contacts, one to the next. All else keeps
// its motion, however large the model is.
class Reach {
 public:
  Reach(const Csc& mass, const Csc& jacobian, const std::vector<int>& lasting, const std::vector<Vector>& contacts)
      : is_reached_(static_cast<std::size_t>(mass.pattern->cols), 0), rows_at_(is_reached_.size()) {
    std::vector<char> lasts(static_cast<std::size_t>(jacobian.pattern->rows), 0);
    for (const int r : lasting) lasts[static_cast<std::size_t>(r)] = 1;
    columns_of_.resize(lasts.size());
    each(jacobian, [&](int r, int j) {
      if (!lasts[static_cast<std::size_t>(r)]) return;
      columns_of_[static_cast<std::size_t>(r)].push_back(j), rows_at_[static_cast<std::size_t>(j)].push_back(r);
    });
    for (const Vector& row : contacts) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] != 0) reach(static_cast<int>(j));
      }
    }
    for (std::size_t next = 0; next < coordinates.size(); ++next) {
      const int j = coordinates[next];
      for (int k = mass.pattern->start[j]; k < mass.pattern->start[j + 1]; ++k) reach(mass.pattern->row[k]);
      for (const int r : rows_at_[static_cast<std::size_t>(j)]) {
        if (!lasts[static_cast<std::size_t>(r)]) continue;
        lasts[static_cast<std::size_t>(r)] = 0;
        rows.push_back(r);
        for (const int i : columns_of_[static_cast<std::size_t>(r)]) reach(i);
      }
    }
    std::sort(coordinates.begin(), coordinates.end());
    std::sort(rows.begin(), rows.end());
  }

  std::vector<int> coordinates, rows;  // ascending; rows: those that last

 private:
  template <class Act>
  static void each(const Csc& a, Act&& act) {
    for (int j = 0; j < a.pattern->cols; ++j) {
      for (int k = a.pattern->start[j]; k < a.pattern->start[j + 1]; ++k) act(a.pattern->row[k], j);
    }
  }
  void reach(int j) {
    if (is_reached_[static_cast<std::size_t>(j)]) return;
    is_reached_[static_cast<std::size_t>(j)] = 1;
    coordinates.push_back(j);
  }

  std::vector<char> is_reached_;
  std::vector<std::vector<int>> rows_at_, columns_of_;
};

DenseMatrix selected(const Csc& a, const std::vector<int>& rows, const std::vector<int>& columns) {
  DenseMatrix out(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
  for (int j = 0; j < out.cols; ++j) {
    const int column = columns[static_cast<std::size_t>(j)];
    for (int k = a.pattern->start[column]; k < a.pattern->start[column + 1]; ++k) {
      const auto at = std::ranges::lower_bound(rows, a.pattern->row[k]);
      if (at != rows.end() && *at == a.pattern->row[k])
        out(static_cast<int>(at - rows.begin()), j) = a.value[static_cast<std::size_t>(k)];
    }
  }
  return out;
}

// Velocities y = L^T v with M = L L^T, in which the kinetic energy is y . y / 2, and what the constraints leave of them. Of the
// coordinates that the contacts reach.
class Metric {
 public:
  Metric(const Equations& eq, const State& s, const std::vector<Vector>& contacts, Equations::Workspace& ws)
      : nv_(static_cast<std::size_t>(eq.nv())) {
    Csc mass(std::make_shared<const Pattern>(eq.mass_pattern()));
    Csc jacobian(std::make_shared<const Pattern>(eq.constraint_pattern()));
    eq.matrices(s.t, s.q, {mass.value, jacobian.value}, ws);
    const Reach reach(mass, jacobian, lasting_rows(eq), contacts);
    coordinates_ = reach.coordinates, rows_ = reach.rows;
    factor(selected(mass, coordinates_, coordinates_));
    if (ok() && !rows_.empty()) take_constraints(selected(jacobian, rows_, coordinates_));
  }

  bool ok() const { return metric_ && metric_->ok(); }
  Vector velocity(const Vector& y) const {
    const Vector v = coordinates_.empty() ? Vector() : metric_->solve_upper(y);
    Vector out(nv_, 0.0);
    for (std::size_t k = 0; k < v.size(); ++k) out[static_cast<std::size_t>(coordinates_[k])] = v[k];
    return out;
  }
  Vector from_force(const Vector& f) const {  // L^-1 f
    DenseMatrix column(static_cast<int>(coordinates_.size()), 1);
    for (std::size_t k = 0; k < coordinates_.size(); ++k)
      column.value[k] = f[static_cast<std::size_t>(coordinates_[k])];
    return metric_->solve_lower(column).value;
  }
  // The smallest y whose velocities change the rates of the constraints (active rows of the Equations) by -rate.
  Vector correction(const Vector& rate) const {
    if (!constraints_) return Vector(coordinates_.size(), 0.0);
    Vector right;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      right.push_back(-scale_[k] * rate[static_cast<std::size_t>(rows_[k])]);
    return constraints_->solve(right);
  }
  void remove_constrained(Vector& y) const {
    if (constraints_) add(-1.0, constraints_->solve(G_ * y), y);
  }

 private:
  // Places among the active rows of all that are no contacts.
  static std::vector<int> lasting_rows(const Equations& eq) {
    std::vector<char> is_contact(eq.rows().size(), 0);
    for (const SwitchRow& at : eq.switch_rows())
      is_contact[static_cast<std::size_t>(at.row)] = at.what->holds(model::Row::Holds::pressed);
    std::vector<int> out;
    for (int k = 0; k < eq.ng(); ++k) {
      if (!is_contact[static_cast<std::size_t>(eq.active()[static_cast<std::size_t>(k)])]) out.push_back(k);
    }
    return out;
  }

  // Coordinates without inertia, which the constraints carry along, get a trace of it.
  void factor(DenseMatrix M) {
    if (M.rows > 0 && !M.is_finite()) return;
    metric_ = std::make_unique<Cholesky>(M);
    if (metric_->ok()) return;
    double most = 0;
    for (int i = 0; i < M.rows; ++i) most = std::max(most, M(i, i));
    for (int i = 0; i < M.rows; ++i) M(i, i) += 1e-12 * most;
    metric_ = std::make_unique<Cholesky>(M);
  }

  void take_constraints(const DenseMatrix& jacobian) {
    G_ = transpose(metric_->solve_lower(transpose(jacobian)));
    Vector length;
    for (int i = 0; i < G_.rows; ++i) {
      double square = 0;
      for (int j = 0; j < G_.cols; ++j) square += G_(i, j) * G_(i, j);
      length.push_back(std::sqrt(square));
    }
    // A row that no motion of the tree violates is zero but for rounding, and must not be made one of length one.
    const double none = rounding * largest(length);
    for (int i = 0; i < G_.rows; ++i) {
      const double l = length[static_cast<std::size_t>(i)];
      scale_.push_back(l > none ? 1 / l : 0.0);
      for (int j = 0; j < G_.cols; ++j) G_(i, j) *= scale_.back();
    }
    constraints_ = std::make_unique<LeastNorm>(G_, rank_threshold);
  }

  std::size_t nv_;
  std::vector<int> coordinates_, rows_;
  std::unique_ptr<Cholesky> metric_;
  DenseMatrix G_;  // G L^-T, rows of length one or zero
  Vector scale_;
  std::unique_ptr<LeastNorm> constraints_;
};

// The contacts in that metric: how each pushes, and how much of its push the constraints let pass.
struct Contacts {
  std::vector<Vector> row;     // N, in velocity coordinates
  std::vector<Vector> column;  // what a unit impulse does to y
  std::vector<bool> blocked;   // the constraints let nothing pass
  DenseMatrix W;               // Delassus: N M^-1 N^T under the constraints

  Contacts(std::vector<Vector> rows, const Metric& metric) : row(std::move(rows)) {
    for (const Vector& normal : row) {
      column.push_back(metric.from_force(normal));
      const double push = inner(column.back(), column.back());
      metric.remove_constrained(column.back());
      blocked.push_back(inner(column.back(), column.back()) <= 1e-18 * push);
      if (blocked.back()) std::fill(column.back().begin(), column.back().end(), 0.0);
    }
    const int n = static_cast<int>(row.size());
    W = DenseMatrix(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        W(i, j) = inner(column[static_cast<std::size_t>(i)], column[static_cast<std::size_t>(j)]);
    }
  }

  // w = W p + q; q of a blocked contact that is negative by rounding alone is none.
  Complementarity solve(Vector q, double size) const {
    for (std::size_t k = 0; k < q.size(); ++k) {
      if (blocked[k] && std::abs(q[k]) < 1e-9 * (1 + size)) q[k] = 0;
    }
    return solve_complementarity(W, q);
  }
};

// The rates N v + nI that the contacts meet with, bilateral constraints satisfied, and what they rebound with, e min(rate, 0).
struct Meeting {
  const Contacts& contacts;
  Vector free, rebound;
  double size;

  Complementarity solve(double factor) const {
    Vector q = free;
    add(factor, rebound, q);
    return contacts.solve(q, size);
  }
  // Of the impulses p: p . (rate before + rate after) / 2.
  double work(const Vector& p) const {
    const Vector change = contacts.W * p;
    return inner(p, free) + 0.5 * inner(p, change);
  }
  // The impulses for e = 0 do no positive work, and those between follow e continuously.
  Complementarity solve_without_gain(double& factor) const {
    factor = 1;
    Complementarity all = solve(1);
    const double nothing = 1e-13 * std::abs(inner(all.z, free));
    if (!all.ok || work(all.z) <= nothing) return all;
    double low = 0, high = 1;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (low + high);
      const Complementarity some = solve(middle);
      (some.ok && work(some.z) <= 0 ? low : high) = middle;
    }
    return factor = low, solve(low);
  }
};

Vector rates_of(const Equations& eq, const State& s, Equations::Workspace& ws) {
  Vector g(static_cast<std::size_t>(eq.ng())), rate = g;
  eq.constraints(s.t, s.q, s.v, g, rate, ws);
  return rate;
}

double kinetic_energy(const Equations& eq, const State& s, Equations::Workspace& ws) {
  recursive::set_drives(eq.tree(), s.t, Drives::move, ws.nodes);
  recursive::positions_velocities(eq.tree(), s.q, s.v, ws.nodes);
  double sum = 0;
  for (std::size_t i = 1; i < ws.nodes.size(); ++i) {
    const recursive::Node& node = eq.tree().nodes[i];
    if (node.massless) continue;
    const recursive::NodeState& x = ws.nodes[i];
    const Vec3d v = x.v + cross(x.w, x.R * node.com), w = transpose_times(x.R, x.w);
    sum += 0.5 * (node.mass * dot(v, v) + dot(w, node.inertia * w));
  }
  for (const recursive::MeshNode& mesh : eq.tree().meshes)
    sum += recursive::mesh_kinetic_energy(*mesh.mesh, CSpan(s.v).subspan(mesh.iv));
  for (const recursive::ModalNode& modal : eq.tree().modal)
    sum += recursive::modal_kinetic_energy(eq.tree().nodes[modal.node], ws.nodes[modal.node]);
  return sum;
}

std::string names_of(const Equations& eq, const std::vector<int>& contacts) {
  std::string out;
  for (const int k : contacts) out += (out.empty() ? "" : ", ") + eq.contacts()[static_cast<std::size_t>(k)]->name;
  return out;
}

const char* const no_inertia = "the mass matrix is singular: a body that moves by itself has no mass or inertia";

std::string no_solution(const Equations& eq, const std::vector<int>& contacts) {
  return "no forces of contacts fit: drives or joints press " + names_of(eq, contacts) +
         " together and do not give way. Let the contact open, or remove a drive";
}

}  // namespace

Impact impact(const Equations& eq, const State& before, const std::vector<Touching>& touching) {
  Impact out;
  out.v = before.v, out.impulses.assign(touching.size(), 0.0);
  auto ws = eq.workspace();
  out.kinetic_before = out.kinetic_after = kinetic_energy(eq, before, ws);
  std::vector<int> which;
  for (const Touching& t : touching) which.push_back(t.contact);
  std::vector<Vector> rows = contact_rows(eq, before, which, ws);
  const Metric metric(eq, before, rows, ws);
  if (!metric.ok()) return out.problem = no_inertia, out;
  const Contacts contacts(std::move(rows), metric);
  Vector y = metric.correction(rates_of(eq, before, ws));
  const Vector corrected = metric.velocity(y);
  Vector gap(eq.contacts().size()), gap_rate = gap;
  eq.contact_motion(before.t, before.q, before.v, gap, gap_rate, ws);
  Meeting meeting{contacts, {}, {}, largest(before.v)};
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const double meets = gap_rate[static_cast<std::size_t>(touching[k].contact)];
    meeting.free.push_back(meets + inner(contacts.row[k], corrected));
    meeting.rebound.push_back(touching[k].restitution * std::min(meets, 0.0));
  }
  const Complementarity solved = meeting.solve_without_gain(out.lowered);
  if (!solved.ok) return out.problem = no_solution(eq, which), out;
  for (std::size_t k = 0; k < touching.size(); ++k) add(solved.z[k], contacts.column[k], y);
  add(1.0, metric.velocity(y), out.v);
  out.impulses = solved.z;
  State after = before;
  after.v = out.v;
  out.kinetic_after = kinetic_energy(eq, after, ws);
  out.ok = true;
  return out;
}

Closing stays_closed(const Equations& eq, const State& state, const std::vector<int>& touching) {
  Closing out;
  out.stays.assign(touching.size(), false);
  auto ws = eq.workspace();
  std::vector<Vector> rows = contact_rows(eq, state, touching, ws);
  const Metric metric(eq, state, rows, ws);
  if (!metric.ok()) return out.problem = no_inertia, out;
  const Contacts contacts(std::move(rows), metric);
  const Vector zero(static_cast<std::size_t>(eq.nv()), 0.0), none(static_cast<std::size_t>(eq.ng()), 0.0);
  const Input in{state.t, state.q, state.v, zero, none, none};
  Vector force = zero, bias = none, opening(eq.contacts().size());
  if (eq.dynamics(in, force, ws) != Eval::ok || eq.constraint_accelerations(in, bias, ws) != Eval::ok ||
      eq.contact_accelerations(in, opening, ws) != Eval::ok)
    return out.problem = ws.blame, out;
  for (double& f : force) f = -f;  // dynamics() tells M a - f
  Vector y = metric.from_force(force);
  metric.remove_constrained(y);
  add(1.0, metric.correction(bias), y);
  const Vector a = metric.velocity(y);
  Vector q;
  for (std::size_t k = 0; k < touching.size(); ++k)
    q.push_back(opening[static_cast<std::size_t>(touching[k])] + inner(contacts.row[k], a));
  const double size = largest(a) + (q.empty() ? 0.0 : largest(q));
  const Complementarity solved = contacts.solve(q, size);
  if (!solved.ok) return out.problem = no_solution(eq, touching), out;
  out.forces = solved.z, out.accelerations = solved.w;
  for (std::size_t k = 0; k < touching.size(); ++k) {
    double own = std::abs(opening[static_cast<std::size_t>(touching[k])]);  // of what the contact itself sees
    for (std::size_t i = 0; i < a.size(); ++i) own += std::abs(contacts.row[k][i] * a[i]);
    out.stays[k] = solved.w[k] <= 1e-10 * own;
    if (out.stays[k]) out.accelerations[k] = 0.0;
  }
  out.ok = true;
  return out;
}

}  // namespace skyhook::formalism
