#include "skyhook/analysis/mode_energies.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "skyhook/analysis/drives_as_given.h"
#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/mesh_energies.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/model/modal_body.h"

namespace skyhook::analysis {
namespace {

using formalism::Snapshot;
using simulation::Equations;

// Force and displacement of every element, in an order that all snapshots share: pairs of numbers whose products are work.
struct Terms {
  std::vector<const model::Contribution*> owner;
  Vector force, place;
};

void add(Terms& t, const model::Contribution* owner, double force, double place) {
  t.owner.push_back(owner), t.force.push_back(force), t.place.push_back(place);
}

void add_wrench(Terms& t, const model::Contribution* owner, const model::Wrench<double>& w,
                const model::Relative<double>& m, const model::Relative<double>& middle) {
  const Mat3d turned = m.R * transpose(middle.R);  // small: its rotation vector stands beside the diagonal
  const Vec3d turn{0.5 * (turned.r2.y - turned.r1.z), 0.5 * (turned.r0.z - turned.r2.x),
                   0.5 * (turned.r1.x - turned.r0.y)};
  for (int k = 0; k < 3; ++k) add(t, owner, w.f[k], m.r[k]), add(t, owner, w.n[k], turn[k]);
}

Terms terms_of(const Snapshot& s, const Snapshot& middle) {
  Terms t;
  const formalism::Parts& parts = s.equations().parts();
  for (std::size_t k = 0; k < s.wrenches.size(); ++k)
    add_wrench(t, parts.wrenches[k].what, s.wrenches[k], s.relatives[k], middle.relatives[k]);
  for (std::size_t k = 0; k < s.coordinate_forces.size(); ++k)
    add(t, parts.on_coordinates[k].what, s.coordinate_forces[k], s.q[parts.on_coordinates[k].iq]);
  for (std::size_t k = 0; k < s.state_forces.size(); ++k)
    add(t, parts.inner[k].what, -s.state_forces[k].pull, s.state_forces[k].x);
  for (std::size_t k = 0; k < s.contributions.size(); ++k) {
    const auto& now = s.contributions[k];
    add_wrench(t, parts.laws[k].what, now.loads, now.motion, middle.contributions[k].motion);
    for (std::size_t i = 0; i < now.p.size() && i < now.forces.size(); ++i)
      add(t, parts.laws[k].what, now.forces[i], now.p[i]);
  }
  return t;
}

// A snapshot asks drives by the time: where the point stands but they would move, they are replaced.
simulation::Prepared as_at(const simulation::Prepared& p, const OperatingPoint& at) {
  Vector u(at.u.size());
  p.active->inputs(at.state.t, u);
  return u == at.u ? p : with_drives(p, at.state.t, at.u);
}

std::size_t modal_of(const Equations& eq, std::size_t body) {
  const auto& all = eq.modal();
  const auto found = std::ranges::find(all, static_cast<int>(body), &Equations::Modal::body);
  return static_cast<std::size_t>(found - all.begin());
}

void keep_shares(std::map<std::string, double>& energies, const std::vector<std::string>& order, double total,
                 std::vector<Share>& out) {
  for (const std::string& name : order) {
    const double share = energies[name] / total;
    if (std::abs(share) > 1e-9) out.push_back({name, share});
  }
  std::ranges::stable_sort(out, [](const Share& a, const Share& b) { return a.value > b.value; });
}

}  // namespace

ModeEnergies::ModeEnergies(const simulation::Prepared& prepared, const OperatingPoint& at, const Linearisation& linear)
    : prepared_(as_at(prepared, at)),
      at_(at),
      linear_(&linear),
      poses_(formalism::poses_of(*prepared.active, at.state)),
      evaluator_(prepared_.active, prepared_.all) {
  begin();
}

ModeEnergies::ModeEnergies(const simulation::Prepared& prepared, const OperatingPoint& at,
                           const formalism::BlockStore& blocks)
    : prepared_(as_at(prepared, at)),
      at_(at),
      blocks_(&blocks),
      poses_(formalism::poses_of(*prepared.active, at.state)),
      evaluator_(prepared_.active, prepared_.all) {
  begin();
}

void ModeEnergies::begin() {
  const Equations& eq = *prepared_.active;
  evaluator_.evaluate_motion(at_.state.t, at_.state.q, at_.state.v);
  middle_ = evaluator_.now();
  if (eq.own() == 0) return;
  mass_ = Csc(std::make_shared<const Pattern>(eq.mass_pattern()));
  Vector jacobian(static_cast<std::size_t>(eq.constraint_pattern().nonzeros()));
  auto ws = eq.workspace();
  eq.matrices(at_.state.t, at_.state.q, {mass_.value, jacobian}, ws);
}

void ModeEnergies::measure(Mode& mode) {
  measure_kinetic(mode);
  if (!mode.is_rigid) measure_elements(mode);
}

// Of a body that bends; the others' energies are counted twice too.
double ModeEnergies::modal_kinetic(const Mode& mode, std::size_t k) const {
  const auto& modal = prepared_.active->modal()[k];
  const auto& body = mode.bodies[static_cast<std::size_t>(modal.body)];
  double sum = 0;
  for (const bool imaginary : {false, true}) {
    const auto part = [&](const Complex& x) { return imaginary ? x.imag() : x.real(); };
    const auto vector = [&](const std::array<Complex, 3>& x) { return Vec3d{part(x[0]), part(x[1]), part(x[2])}; };
    Vector z;
    for (int i = 0; i < modal.modes; ++i) z.push_back(part(mode.coordinates[static_cast<std::size_t>(modal.iv + i)]));
    sum += formalism::kinetic_of_modal(middle_, k, vector(body.displacement), vector(body.rotation), z);
  }
  return sum;
}

void ModeEnergies::measure_kinetic(Mode& mode) const {
  const Equations& eq = *prepared_.active;
  const auto& bodies = eq.model().bodies;
  const auto meshes = formalism::mesh_energies(middle_, mode.coordinates);
  double total = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    double energy = 0;
    for (const bool imaginary : {false, true}) {
      const auto part = [&](const std::array<Complex, 3>& x) {
        return imaginary ? Vec3d{x[0].imag(), x[1].imag(), x[2].imag()} : Vec3d{x[0].real(), x[1].real(), x[2].real()};
      };
      const Vec3d d = part(mode.bodies[b].displacement),
                  r = transpose_times(poses_[b].R, part(mode.bodies[b].rotation));
      energy += bodies[b].mass * dot(d, d) + dot(r, bodies[b].inertia * r);
    }
    if (const std::size_t k = modal_of(eq, b); k < eq.modal().size()) energy = 2 * modal_kinetic(mode, k);
    for (const formalism::MeshEnergies& mesh : meshes) {
      if (mesh.body == static_cast<int>(b)) energy = mesh.motion;
    }
    mode.kinetic.push_back({bodies[b].name, energy});
    total += energy;
  }
  for (int i = eq.moving() - eq.own(); i < eq.moving(); ++i) {
    double energy = 0;
    for (int j = eq.moving() - eq.own(); j < eq.moving(); ++j)
      energy += mass_.at(i, j) * (std::conj(mode.coordinates[i]) * mode.coordinates[j]).real();
    const std::string& owner = eq.owner_of_velocity(i);
    const auto known = std::ranges::find(mode.kinetic, owner, &Share::name);
    if (known == mode.kinetic.end())
      mode.kinetic.push_back({owner, energy});
    else
      known->value += energy;
    total += energy;
  }
  for (Share& share : mode.kinetic) share.value = total > 0 ? share.value / total : 0.0;
}

ModeEnergies::Moved ModeEnergies::along(const Mode& mode, bool with_velocities) {
  constexpr double h = 1e-5;  // m, of the point that moves most
  const Equations& eq = *prepared_.active;
  const int moving = eq.moving();
  Moved out;
  for (const bool imaginary : {false, true}) {
    const auto part = [&](const Complex& x) { return imaginary ? x.imag() : x.real(); };
    std::array<Terms, 2> sides;
    for (const std::size_t side : {0, 1}) {
      const double e = side ? -h : h;
      Vector q = at_.state.q, v = at_.state.v, step(static_cast<std::size_t>(eq.nv()));
      for (int i = 0; i < moving; ++i) {
        step[i] = e * part(mode.coordinates[i]);
        if (with_velocities) v[i] += e * part(mode.value * mode.coordinates[i]);
        for (int j = 0; with_velocities && linear_ && j < linear_->coordinates; ++j)
          v[i] += e * linear_->drift(i, j) * part(mode.state[j]);
      }
      for (int i = moving; i < eq.nv(); ++i) v[i] += e * part(mode.coordinates[i]);
      eq.plus(q, step);
      evaluator_.evaluate_motion(at_.state.t, q, v);
      sides[side] = terms_of(evaluator_.now(), middle_);
    }
    out.owner = sides[0].owner;
    out.force.resize(out.owner.size()), out.place.resize(out.owner.size());
    const Complex unit = imaginary ? Complex(0, 1) : Complex(1, 0);
    for (std::size_t k = 0; k < out.owner.size(); ++k) {
      out.force[k] += unit * (sides[0].force[k] - sides[1].force[k]) / (2 * h);
      out.place[k] += unit * (sides[0].place[k] - sides[1].place[k]) / (2 * h);
    }
  }
  return out;
}

double ModeEnergies::held_in_all(const Mode& mode) const {
  Complex total = 0;
  if (blocks_) {
    const Csc &K = blocks_->stiffness(), &D = blocks_->damping();
    const Pattern& p = *K.pattern;
    const int moving = prepared_.active->moving();
    for (int j = 0; j < p.cols; ++j) {
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
        if (p.row[k] < moving)
          total += std::conj(mode.coordinates[p.row[k]]) * (j < moving ? K : D).value[k] * mode.coordinates[j];
      }
    }
    return total.real();
  }
  const int n = linear_->coordinates;
  for (int i = 0; i < n; ++i) {
    Complex sum = 0;
    for (int j = 0; j < n; ++j) sum += linear_->K(i, j) * mode.state[j];
    for (int j = 0; j < linear_->inner; ++j) sum += linear_->E(i, j) * mode.state[2 * n + j];
    total += std::conj(mode.state[i]) * sum;
  }
  return total.real();
}

void ModeEnergies::measure_elements(Mode& mode) {
  const Moved standing = along(mode, false), moving = along(mode, true);
  std::map<std::string, double> strain, taken;
  std::vector<std::string> order;
  double held = 0, lost = 0, largest_power = 0;
  for (std::size_t k = 0; k < standing.owner.size(); ++k) {
    const std::string& name = standing.owner[k]->name;
    if (!strain.contains(name)) order.push_back(name);
    const double stored = -(standing.force[k] * std::conj(standing.place[k])).real();
    const Complex power = -moving.force[k] * std::conj(mode.value * moving.place[k]);
    const double dissipated =
        power.real() - mode.value.real() * stored;  // what it stores comes back as the mode decays
    strain[name] += stored, taken[name] += dissipated;
    held += stored, lost += dissipated, largest_power += std::abs(power);
  }
  for (const auto& modal : prepared_.active->modal()) {
    const model::Body& body = prepared_.active->model().bodies[static_cast<std::size_t>(modal.body)];
    const auto form = [&](const std::vector<double>& m) {
      double sum = 0;
      for (int i = 0; i < modal.modes && !m.empty(); ++i) {
        const Complex here = std::conj(mode.coordinates[static_cast<std::size_t>(modal.iv + i)]);
        for (int j = 0; j < modal.modes; ++j)
          sum += m[static_cast<std::size_t>(i * modal.modes + j)] *
                 (here * mode.coordinates[static_cast<std::size_t>(modal.iv + j)]).real();
      }
      return sum;
    };
    const double stored = form(body.modal->stiffness), dissipated = std::norm(mode.value) * form(body.modal->damping);
    order.push_back(body.name);
    strain[body.name] += stored, taken[body.name] += dissipated;
    held += stored, lost += dissipated, largest_power += std::abs(mode.value) * stored + dissipated;
  }
  for (const formalism::MeshEnergies& mesh : formalism::mesh_energies(middle_, mode.coordinates)) {
    const double dissipated = std::norm(mode.value) * mesh.damping;
    order.push_back(mesh.name);
    strain[mesh.name] += mesh.strain, taken[mesh.name] += dissipated;
    held += mesh.strain, lost += dissipated, largest_power += std::abs(mode.value * mesh.strain) + dissipated;
  }
  double total = held_in_all(mode), size = std::abs(total);
  for (const auto& [name, energy] : strain) size = std::max(size, std::abs(energy));
  if (std::abs(total - held) > 1e-7 * size)
    strain[weight_and_preload] = total - held, order.push_back(weight_and_preload);
  else
    total = held;
  if (std::abs(total) > 1e-9 * size) keep_shares(strain, order, total, mode.strain);
  if (std::abs(lost) > 1e-9 * largest_power) keep_shares(taken, order, lost, mode.dissipated);
}

}  // namespace skyhook::analysis
