#include "skyhook/simulation/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/force_wrenches.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/formulation/projection.h"
#include "skyhook/math/dense.h"
#include "skyhook/math/rotation.h"

namespace skyhook::simulation {
namespace {

// Where the force of each contribution stands among forces_of(model); -1: it is a plain constraint.
std::vector<int> places_of_forces(const model::Model& model) {
  std::vector<int> places(model.contributions.size(), -1);
  int count = 0;
  for (const model::Contribution* force : model::forces_of(model)) places[model::number_of(model, *force)] = count++;
  return places;
}

// Forces that a constraint exerts are told by its multipliers.
bool forces_have_rows(const Equations& eq) {
  return !eq.switch_rows().empty() ||
         std::ranges::any_of(eq.parts().laws, [](const auto& law) { return !law.rows.empty(); });
}

// std::max would drop what is not a number.
double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

}  // namespace

Recorder::Recorder(const Equations& eq, const std::vector<Channel>& channels, Sink& sink, bool all_reactions,
                   const std::vector<Channel>* all)
    : eq_(&eq),
      channels_(&channels),
      sink_(&sink),
      place_of_force_(places_of_forces(eq.model())),
      y_(eq.nq() + eq.nv()),
      yp_(y_.size()),
      values_(channels.size()),
      rates_(channels.size()),
      curvatures_(channels.size()),
      ahead_(channels.size()),
      before_(channels.size()),
      poses_(7 * eq.model().bodies.size()),
      q_(eq.nq()),
      v_(eq.nv()),
      step_(eq.nv()),
      a_(eq.nv()),
      residuals_(2 * eq.rows().size()),
      forces_(6 * model::forces_of(eq.model()).size(), std::numeric_limits<double>::quiet_NaN()),
      all_reactions_(all_reactions) {
  all ? use(eq, channels, *all) : use(eq, channels, all_channels(eq));
}

void Recorder::use(const Equations& eq, const std::vector<Channel>& channels, const std::vector<Channel>& all) {
  eq_ = &eq, channels_ = &channels;
  const auto& bodies = eq.model().bodies;
  frames_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b)
    frames_.push_back(frame_of(eq, static_cast<int>(b), bodies[b].at, bodies[b].axes));
  needs_ = {};
  of_forces_.clear();
  for (const Channel& c : channels) {
    of_forces_.push_back(c.of_reactions || (c.of_accelerations && !c.of_energy));
    needs_.reactions |= c.of_reactions, needs_.work |= c.of_work;
    needs_.energies |= c.reads_energy;
  }
  with_reactions_ = all_reactions_ || needs_.reactions || forces_have_rows(eq);
  reactions_.resize(with_reactions_ ? 6 * eq.model().joints.size() : 0);
  no_forces_.assign(eq.model().contributions.size() + 1, 0);  // never empty, which would mark all
  formulas_.begin(channels), inputs_.resize(formulas_.size());
  columns_checked_ = 0;
  for (const auto* part : {&y_, &yp_, &values_, &inputs_, &reactions_, &forces_}) columns_checked_ += part->size();
  choose_remembered(all);
  choose_moved();
}

// What is recorded, and what controllers and events read; by their own names.
void Recorder::choose_remembered(const std::vector<Channel>& all) {
  const auto& model = eq_->model();
  std::unordered_set<int> wanted;
  const bool others_read = !model.controllers.empty() || !model.events.empty();
  for (const Channel& c : *channels_) {
    wanted.insert(c.memory);
    wanted.insert(c.reads_memories.begin(), c.reads_memories.end());
  }
  wanted.erase(-1);
  remembered_.clear();
  if (wanted.empty() && !others_read) return;
  for (const int memory : remembered_inputs(all, model)) wanted.insert(memory);
  for (const Channel& c : all) {
    if (wanted.erase(c.memory) == 0) continue;
    const auto needed = static_cast<std::size_t>(c.memory) + 1;
    if (running_.last.size() < needed) running_.last.resize(needed);
    remembered_.push_back(c);
  }
}

void Recorder::choose_moved() {
  moved_ = moved_where([](const Channel& c) { return !c.rate; });
  curved_ = moved_where([](const Channel& c) { return !c.rate || !c.curvature; });
  bent_ = moved_where([](const Channel& c) {
    return !c.curvature && !c.is_way && ChannelResolution::is_position(c) && !c.of_accelerations && !c.of_reactions;
  });
  std::vector<std::string> units;
  for (const Channel& c : *channels_) units.push_back(c.unit);
  sampled_.begin(units, moved_.channels);
  const bool may_be_left_out = moved_.any_forces() && !moved_.work;  // the work in the middle is not known
  trial_.begin(may_be_left_out ? moved_.channels : std::vector<std::size_t>());
}

Recorder::Moved Recorder::moved_where(const std::function<bool(const Channel&)>& is_moved) const {
  Moved moved;
  moved.forces.assign(eq_->model().contributions.size() + 1, 0);  // never empty, which would mark all
  for (std::size_t k = 0; k < channels_->size(); ++k) {
    const Channel& c = (*channels_)[k];
    if (!is_moved(c)) continue;
    moved.channels.push_back(k);
    moved.reactions |= c.of_reactions, moved.energies |= c.reads_energy, moved.work |= c.of_work;
    moved.accelerations |= of_forces_[k] != 0;
    if (!c.reads_forces) moved.forces.clear();
    if (moved.forces.empty()) continue;
    for (const std::size_t force : *c.reads_forces) moved.forces[force] = 1;
  }
  return moved;
}

// What somebody asks for, and no more: drives alone ask for their forces where work is recorded.
Eval Recorder::evaluate(Evaluator& evaluator, double t, bool with_energies, bool with_drives) {
  const auto energies = with_energies ? Evaluator::Energies::measured : Evaluator::Energies::left_out;
  if (with_reactions_ || ((needs_.work || with_drives) && evaluator.has_drive()))
    return evaluator.evaluate(t, q_, v_, with_reactions_, energies);
  return evaluator.evaluate_accelerations(t, q_, v_, energies);
}

bool Recorder::record(Evaluator& evaluator, double t, CSpan q, CSpan v, double h, const About& about) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  const bool at_event = about.side != 0 || first_;
  const bool has_books = static_cast<bool>(about.book);
  const auto find = [&] {
    return evaluate(evaluator, t, needs_.energies || at_event || has_books, has_books) == Eval::ok;
  };
  if (!find()) return false;
  if (has_books && !about.book(evaluator.now()) && !find()) return false;
  const Snapshot& s = evaluator.now();
  const bool at_start = first_;
  first_ = false;
  if (about.given != About::Given::late) remember(s);
  fill_channels(s);
  fill_state(s);
  fill_forces(s);
  judge(s);
  if (at_event) judge_energy(energies_of(s));
  if (about.look) about.look(s);
  if (about.given != About::Given::now) return find_known_rates(s), take_row(*about.row), true;
  measure_rates(evaluator, t, h, at_start ? At::start : at_event ? At::event : At::sample);
  if (about.row) take_row(*about.row);
  if (about.side == 0) resolution_.add(values_, rates_, curvatures_);
  if (drops_rates_) leave_out_rates(), ++without_rates_;
  ++given_;
  sink_->sample({about.stored.value_or(t), y_, yp_, poses_, values_, rates_, reactions_, forces_, residuals_,
                 about.side, about.save ? about.save() : nullptr});
  return true;
}

// ---- rows

// What is checked, what save() puts, and what the curve does not tell.
void Recorder::take_row(std::vector<double>& row) const {
  row.clear();
  const auto put = [&](const std::vector<double>& part) { row.insert(row.end(), part.begin(), part.end()); };
  for (const auto* part : {&y_, &yp_, &values_, &inputs_, &reactions_, &forces_}) put(*part);
  for_each_number_saved([&](double number) { row.push_back(number); });
  for (const auto* part : {&rates_, &residuals_, &poses_}) put(*part);
}

template <class Visit>
void Recorder::for_each_number_saved(Visit&& visit) const {
  visit(running_.work), visit(running_.start_energy);
  for (const Channel& c : remembered_) {
    for (const double value : running_.last[static_cast<std::size_t>(c.memory)].value) visit(value);
  }
}

std::size_t Recorder::saved() const {
  std::size_t count = 0;
  for_each_number_saved([&](double) { ++count; });
  return count;
}

ThinnedSamples::Columns Recorder::columns() const {
  ThinnedSamples::Columns out;
  int next = 0;
  const auto one_group = [&](std::size_t columns) {
    out.groups.insert(out.groups.end(), columns, next);
    ++next;
  };
  const auto nq = static_cast<std::size_t>(eq_->nq()), nv = static_cast<std::size_t>(eq_->nv());
  for (const std::size_t columns : {nq, nv, nq, nv}) one_group(columns);
  const auto forces_and_moments = [&](std::size_t columns) {
    for (std::size_t k = 0; k < columns; ++k) out.groups.push_back(k % 6 < 3 ? next : next + 1);
    next += 2;
  };
  out.rated = out.groups.size(), out.rates = values_.size();
  std::vector<std::string> units;
  const auto of_unit = [&](const std::string& unit) {
    const auto at = std::ranges::find(units, unit);
    out.groups.push_back(next + static_cast<int>(at - units.begin()));
    if (at == units.end()) units.push_back(unit);
    if (unit == "J") out.energies = out.groups.back();
  };
  for (const Channel& c : *channels_) of_unit(c.unit);
  for (std::size_t k = 0; k < formulas_.size(); ++k) of_unit(formulas_.unit(k));
  next += static_cast<int>(units.size());
  forces_and_moments(reactions_.size());
  forces_and_moments(forces_.size());
  out.states = nq + nv;
  out.all = columns_checked_ + saved();
  return out;
}

void Recorder::give(const Known& sample, Evaluator& evaluator, const Residuals& residuals, const RunState* run_state) {
  std::size_t at = 0;
  const auto take = [&](std::vector<double>& part) {
    std::ranges::copy(sample.row.subspan(at, part.size()), part.begin());
    at += part.size();
  };
  for (auto* part : {&y_, &yp_, &values_, &inputs_, &reactions_, &forces_}) take(*part);
  at += saved();
  if (sample.is_solved) {
    for (auto* part : {&rates_, &residuals_, &poses_}) take(*part);
  } else {
    complete(sample.t, evaluator, residuals);
  }
  for (std::size_t k = 0; k < rates_.size(); ++k) {
    if (!sample.is_solved || !(*channels_)[k].rate) rates_[k] = sample.rates[k];
  }
  std::ranges::fill(curvatures_, std::numeric_limits<double>::quiet_NaN());
  resolution_.add(values_, rates_, curvatures_);
  ++given_;
  sink_->sample({sample.stored, y_, yp_, poses_, values_, rates_, reactions_, forces_, residuals_, 0, run_state});
}

// What follows from the state, and the formulas.
void Recorder::complete(double t, Evaluator& evaluator, const Residuals& residuals) {
  const auto nq = static_cast<std::size_t>(eq_->nq());
  const Span q = Span(y_).first(nq), v = Span(y_).subspan(nq);
  formulation::normalise_quaternions(*eq_, q);
  evaluator.evaluate_relative_motion(t, q, v, no_forces_);
  fill_poses(evaluator.now());
  residuals(q, v, residuals_);
  formulas_.evaluate(t, inputs_, values_);
  look_for_numbers(t);
  for (std::size_t k = 0; k < residuals_.size(); k += 2) {
    position_residual_ = larger(position_residual_, std::abs(residuals_[k]));
    velocity_residual_ = larger(velocity_residual_, std::abs(residuals_[k + 1]));
  }
}

void Recorder::begin_energy(const Snapshot& s) {
  running_.start_energy = s.kinetic + s.potential;
  lowest_ = highest_ = s.potential, most_kinetic_ = s.kinetic;
}

// By the names that the model gives them, whatever the outputs call them.
void Recorder::save(Saving& to) const {
  to.put("work", running_.work),
      to.put("start energy", running_.start_energy);  // in the order of for_each_number_saved()
  for (const Channel& c : remembered_) {
    const LastValues& last = running_.last[static_cast<std::size_t>(c.memory)];
    for (int k = 0; k < 4; ++k) to.put({"channel", c.name}, "value", last.value[static_cast<std::size_t>(k)], k);
  }
}

void Recorder::resume(Restoring& from, double t, bool with_energy) {
  for (const Channel& c : remembered_) {
    LastValues& last = running_.last[static_cast<std::size_t>(c.memory)];
    for (int k = 0; k < 4; ++k) {
      const auto value = from.finite({"channel", c.name}, "value", k);
      if (value) last.value[static_cast<std::size_t>(k)] = *value, last.is_known = true, last.t = t;
    }
  }
  const auto work = from.get("work"), start = from.get("start energy");
  if (!with_energy || !work || !start) return;
  if (!std::isfinite(*work) || !std::isfinite(*start))
    return from.note("the energies of the result are not finite, and the energy balance starts again from zero");
  running_.work = *work, running_.start_energy = *start;
}

double Recorder::exchanged() const {
  const double rounding = 1e-10 * std::max(std::abs(highest_), std::abs(lowest_));  // where nothing moves
  return std::max({most_kinetic_, highest_ - lowest_, std::abs(running_.work), rounding});
}

// Of a model at rest positions err by a tolerance in m and velocities by one in m/s: the weights may rise by so much, and the masses
// move so fast, without a loss.
double Recorder::least_resolved(double tolerance) const {
  double mass = 0;
  for (const model::Body& body : eq_->model().bodies) mass += body.mass;
  return mass * tolerance * (norm(eq_->model().gravity) + 0.5 * tolerance);
}

double Recorder::closure(double tolerance) const {
  if (!std::isfinite(closure_)) return std::numeric_limits<double>::quiet_NaN();
  const double scale = std::max(exchanged(), least_resolved(tolerance));
  return scale > 0 ? closure_ / scale : 0.0;
}

void Recorder::fill_channels(const Snapshot& s) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (!(*channels_)[k].formula) values_[k] = (*channels_)[k].value(s, running_);
  }
  formulas_.read(s, running_, inputs_);
  formulas_.evaluate(s.t, inputs_, values_);
}

void Recorder::fill_state(const Snapshot& s) {
  std::copy(s.a.begin(), s.a.end(), a_.begin());
  std::copy(q_.begin(), q_.end(), y_.begin());
  std::copy(v_.begin(), v_.end(), y_.begin() + eq_->nq());
  eq_->kinematics(q_, v_, Span(yp_).first(eq_->nq()));
  std::copy(s.a.begin(), s.a.end(), yp_.begin() + eq_->nq());
  fill_poses(s);
  if (with_reactions_) reactions_ = s.reactions;
  for (std::size_t k = 0; k < s.positions.size(); ++k)
    residuals_[2 * k] = s.positions[k], residuals_[2 * k + 1] = s.velocities[k];
}

void Recorder::fill_poses(const Snapshot& s) {
  for (std::size_t b = 0; b < frames_.size(); ++b) {
    const Vec3d p = point_of(s, frames_[b]);
    const auto r = quaternion_of(axes_of(s, frames_[b]));
    const double pose[7] = {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
    std::copy_n(pose, 7, poses_.begin() + 7 * static_cast<long>(b));
  }
}

// Of what no single wrench tells NaN stays.
void Recorder::fill_forces(const Snapshot& s) {
  const model::Model& m = eq_->model();
  formalism::for_each_wrench(s, [&](const model::Contribution& force, const Vec3d& f, const Vec3d& n) {
    const double wrench[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    if (const int place = place_of_force_[model::number_of(m, force)]; place >= 0)
      std::copy_n(wrench, 6, forces_.begin() + 6 * place);
  });
}

void Recorder::judge(const Snapshot& s) {
  look_for_numbers(s.t);
  position_residual_ = larger(position_residual_, largest(s.positions));
  velocity_residual_ = larger(velocity_residual_, largest(s.velocities));
}

// Of what is no number only the first time counts; samples that were left out come behind later ones.
void Recorder::note(std::vector<NoNumber>& list, const std::string& name, double t, const Location& where) {
  const auto known = std::ranges::find(list, name, &NoNumber::name);
  if (known == list.end())
    list.push_back({name, t, where});
  else
    known->t = std::min(known->t, t);
}

void Recorder::judge_energy(const Energies& now) {
  closure_ = larger(closure_, std::abs(now.kinetic + now.potential - running_.work - running_.start_energy));
  lowest_ = std::min(lowest_, now.potential), highest_ = std::max(highest_, now.potential);
  most_kinetic_ = std::max(most_kinetic_, now.kinetic);
  if (const model::Contribution* force = now.without)
    note(energies_without_number_, fmt::format("{} \"{}\"", force->type, force->name), now.t, force->where);
}

void Recorder::look_for_numbers(double t) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (!std::isfinite(values_[k])) note(channels_without_number_, (*channels_)[k].name, t, {});
  }
}

std::vector<Warning> Recorder::warnings(bool outputs_are_given) const {
  std::vector<Warning> out;
  for (const NoNumber& e : energies_without_number_)
    out.push_back({"not_finite", e.where,
                   fmt::format("The stored energy of {} is not a finite number at t = {:.6g} s: whether the balance of "
                               "energy closes is not known.",
                               e.name, e.t)});
  const auto is_energy = [](const NoNumber& c) { return c.name.starts_with("energy."); };
  for (const NoNumber& c : channels_without_number_) {
    if (energies_without_number_.empty() || !is_energy(c))
      out.push_back(
          {"not_finite", {}, fmt::format("The channel \"{}\" is not a finite number at t = {:.6g} s.", c.name, c.t)});
  }
  const auto has_jumped = [&](const Channel& c) {
    return outputs_are_given && c.memory >= 0 && running_.last[static_cast<std::size_t>(c.memory)].has_jumped;
  };
  if (const auto found = std::ranges::find_if(*channels_, has_jumped); found != channels_->end())
    out.push_back({"gimbal",
                   {},
                   "The recorded \"" + found->name +
                       "\" jumps: its three angles are undefined where the middle one comes to 90 deg, or the samples "
                       "are too coarse to follow them.",
                   "Record a joint's angle, the quaternion qw, qx, qy, qz, or of a wheel camber, steer and spin."});
  return out;
}

namespace {

// The central difference; where the two sides disagree a jump lies in between, and the smaller one is the rate beside it.
// (At a smooth extremum they disagree too, but both are tiny there.)
double joint_rate(double forward, double backward) {
  const double a = std::abs(forward), b = std::abs(backward);
  if (std::abs(forward - backward) <= 0.5 * std::max(a, b)) return 0.5 * (forward + backward);
  return a < b ? forward : backward;
}

}  // namespace

// What these channels ask for, and no more.
bool Recorder::evaluate_beside(const Moved& moved, Evaluator& evaluator, double t, Level level) const {
  const auto energies = moved.energies ? Evaluator::Energies::measured : Evaluator::Energies::left_out;
  if (level == Level::forces) return evaluator.evaluate_beside(t, q_, v_, moved.reactions, energies) == Eval::ok;
  moved.energies ? evaluator.evaluate_energy(t, q_, v_) : evaluator.evaluate_motion(t, q_, v_, moved.forces);
  return true;
}

// The channels a short time from the sample, along the motion (q ⊞ (d v + d^2 a / 2), v + d a).
bool Recorder::shift(const Moved& moved, Evaluator& evaluator, double t, double by, Level level,
                     std::vector<double>& out) {
  std::copy(y_.begin(), y_.begin() + eq_->nq(), q_.begin());
  for (int i = 0; i < eq_->nv(); ++i)
    step_[i] = by * y_[eq_->nq() + i] + 0.5 * by * by * a_[i], v_[i] = y_[eq_->nq() + i] + by * a_[i];
  eq_->plus(q_, step_);
  const double work = running_.work;
  running_.work += by * power_;
  const bool ok = evaluate_beside(moved, evaluator, t + by, level);
  for (const std::size_t k : moved.channels) {
    if (ok) out[k] = (*channels_)[k].value(evaluator.now(), running_);
  }
  running_.work = work;
  return ok;
}

// Of what is known from one side alone: it changes far faster than since the last sample and before it.
bool Recorder::may_have_jumped(const Moved& moved, bool of_forces, double h) const {
  constexpr double faster = 20, noise = 1e-6;
  if (last_values_.size() != values_.size()) return true;
  for (const std::size_t k : moved.channels) {
    if ((of_forces_[k] != 0) != of_forces) continue;
    const double step = h / share_of_step, last_rate = std::isfinite(last_rates_[k]) ? last_rates_[k] : 0.0,
                 usual = std::abs(values_[k] - last_values_[k]) + step * std::abs(last_rate);
    if (!(step * std::abs(ahead_[k] - values_[k]) / h <= faster * usual + noise * (1 + std::abs(values_[k]))))
      return true;
  }
  return false;
}

// From the forward difference, which is the rate half of h later: less the change in that time, by the rate of the sample before. What
// is left, h/4 times the time between samples times the third derivative, is far below the error of the cubic between samples.
double Recorder::along_curve(std::size_t k, double forward, double t, double h) const {
  const double since = t - last_t_;
  const bool is_known = last_rates_.size() == rates_.size() && std::isfinite(last_rates_[k]);
  if (!is_known || !(since > 0.5 * h / share_of_step)) return forward;
  return forward - 0.5 * h * (forward - last_rates_[k]) / since;
}

// Without a look beside the sample: their curvatures stay unknown.
bool Recorder::find_sampled_rates(double t) {
  if (!sampled_.find(t, values_, exchanged(), rates_)) return false;
  for (const std::size_t k : moved_.channels) curvatures_[k] = std::numeric_limits<double>::quiet_NaN();
  return true;
}

// Whoever reads the record takes differences.
void Recorder::leave_out_rates() {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t k : moved_.channels) rates_[k] = curvatures_[k] = unknown;
}

std::optional<double> Recorder::middle_before(double t) const {
  return trial_.wants_middle() ? std::optional(trial_.middle_before(t)) : std::nullopt;
}

// Of what was recorded last nothing changes.
bool Recorder::look_between(Evaluator& evaluator, double t, CSpan q, CSpan v) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  if (evaluate(evaluator, t, moved_.energies, false) != Eval::ok) return false;
  for (const std::size_t k : moved_.channels) ahead_[k] = (*channels_)[k].value(evaluator.now(), running_);
  trial_.take_middle(t, ahead_);
  return true;
}

// What a snapshot tells.
void Recorder::find_known_rates(const Snapshot& s) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < rates_.size(); ++k) {
    const Channel& c = (*channels_)[k];
    if (!c.rate) continue;
    rates_[k] = c.rate(s, running_), curvatures_[k] = c.curvature ? c.curvature(s, running_) : unknown;
    if (!std::isfinite(rates_[k])) rates_[k] = 0;  // of angles where they are undefined
  }
}

// And differences of the rest.
void Recorder::measure_rates(Evaluator& evaluator, double t, double h, At at) {
  find_known_rates(evaluator.now());
  // Times before the start are not part of the run.
  const bool with_curvatures = at != At::start && resolution_.wants_curvatures();
  const Moved& moved = with_curvatures ? curved_ : moved_;
  if (at != At::sample) sampled_.restart(), trial_.restart();
  const bool is_found = at != At::event && find_sampled_rates(t), is_known = is_found && !sampled_.wants_check();
  const bool may_be_left_out = at == At::sample && !is_found;
  const bool is_left_out = may_be_left_out && !trial_.wants_rates();
  drops_rates_ = may_be_left_out && !trial_.keeps_rates();
  if (is_left_out) leave_out_rates();
  if ((is_known || is_left_out) && with_curvatures) {
    measure_curvatures(evaluator, t, h);
  } else if (!moved.channels.empty() && !is_known && !is_left_out) {
    measure_beside(moved, with_curvatures, at == At::start, evaluator, t, h);
    if (at == At::sample) sampled_.compare(rates_);
  }
  is_found ? trial_.restart() : trial_.take(t, values_, is_left_out ? CSpan() : CSpan(rates_));
  last_values_ = values_, last_rates_ = rates_, last_t_ = t;
}

// On both sides, of the motion alone.
void Recorder::measure_curvatures(Evaluator& evaluator, double t, double h) {
  if (bent_.channels.empty()) return;
  if (!shift(bent_, evaluator, t, h, Level::motion, ahead_) || !shift(bent_, evaluator, t, -h, Level::motion, before_))
    return;
  for (const std::size_t k : bent_.channels) curvatures_[k] = (ahead_[k] - 2 * values_[k] + before_[k]) / (h * h);
}

// On one side alone, that ahead; where it looks like a jump on both, and for curvatures, of motions only: accelerations and reactions
// cost most. An element may be undefined on one side.
void Recorder::measure_beside(const Moved& moved, bool with_curvatures, bool at_start, Evaluator& evaluator, double t,
                              double h) {
  power_ = moved.work && evaluator.has_power() ? formalism::power(evaluator.now(), evaluator.now().lambda) : 0.0;
  if (moved.any_forces()) evaluator.hold();
  const bool ahead = shift(moved, evaluator, t, h, moved.any_forces() ? Level::forces : Level::motion, ahead_);
  const bool both = !at_start && moved.any_forces() && (!ahead || may_have_jumped(moved, true, h));
  const bool of_motions = !at_start && (with_curvatures || !ahead || may_have_jumped(moved, false, h));
  const bool behind =
      (both || of_motions) && shift(moved, evaluator, t, -h, both ? Level::forces : Level::motion, before_);
  for (const std::size_t k : moved.channels) {
    const double forward = (ahead_[k] - values_[k]) / h, backward = (values_[k] - before_[k]) / h;
    const bool right = ahead && std::isfinite(forward);
    const bool left = behind && (both || !of_forces_[k]) && std::isfinite(backward);
    curvatures_[k] = right && left ? (forward - backward) / h : std::numeric_limits<double>::quiet_NaN();
    if ((*channels_)[k].rate) continue;
    rates_[k] = right && left ? joint_rate(forward, backward)
                : right       ? along_curve(k, forward, t, h)
                : left        ? backward
                              : 0.0;
  }
}

void Recorder::remember(const Snapshot& s) {
  for (const Channel& c : remembered_) c.remember(s, running_.last[static_cast<std::size_t>(c.memory)]);
}

}  // namespace skyhook::simulation
