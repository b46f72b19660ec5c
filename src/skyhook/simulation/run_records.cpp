// Samples, books of energy and warnings of a run.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "skyhook/formalism/energy.h"
#include "skyhook/formalism/parts.h"
#include "skyhook/simulation/drive_state.h"
#include "skyhook/simulation/instant.h"
#include "skyhook/simulation/run.h"
#include "skyhook/simulation/run_info.h"
#include "skyhook/simulation/run_warnings.h"

namespace skyhook::simulation {

// ---- states

// The state at a time within the last step; the nearest one known where there is none, see has_state_.
const formalism::State& Run::state_at(double t) {
  has_state_ = !motion_ || motion_->sample(t, now_.q, now_.v);
  now_.t = t;
  return now_;
}

const formalism::State& Run::roughly_at(double t) {  // for integrals over many such times
  if (motion_) motion_->interpolate(t, now_.q, now_.v), expect(t);
  return now_.t = t, now_;
}

// Where the solution for accelerations begins; it ends where it would without.
void Run::expect(double t) {
  if (!motion_) return;
  foretold_.a.resize(static_cast<std::size_t>(evaluator_->equations().nv())),
      foretold_.lambda.resize(static_cast<std::size_t>(evaluator_->equations().ng()));
  if (motion_->foretell(t, foretold_.a, foretold_.lambda)) evaluator_->expect(t, foretold_.a, foretold_.lambda);
}

// ---- samples

// Behind all samples before it.
bool Run::record(const formalism::State& s, int side) {
  return settle_samples(Which::all) && record_at(s, {.side = side});
}

bool Run::record_at(const formalism::State& s, const Recording& as) {
  const auto turn = turn_of(Part::output);
  const Evaluator::Borrowing factors(*evaluator_, motion_ ? motion_->solver_of_sample() : nullptr);
  expect(s.t);
  Recorder::About about{.side = as.side, .stored = inputs_.drives.instant(s.t)};
  about.row = as.row, about.given = as.given;
  if (as.side >= 0) about.save = [this, &s] { return save_sample(s.t); };
  if (as.books == Books::kept) about.book = [this](const Snapshot& found) { return book_sample(found); };
  about.look = [this](const Snapshot& found) { doubt_contributions(found), look_at_tables(found); };
  return books_.recorder.record(*evaluator_, s.t, s.q, s.v, Recorder::share_of_step * outputs_.step, about);
}

// Once an element, with the forces of a sample.
void Run::doubt_contributions(const Snapshot& s) {
  const auto& laws = hybrid_->active()->parts().laws;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const model::Contribution& what = *laws[k].what;
    const std::vector<int>& places = laws[k].multipliers;
    const bool all_hold = std::ranges::all_of(places, [](int place) { return place >= 0; });
    if (places.empty() || !all_hold || told_.doubted.contains(what.name)) continue;
    std::array<double, model::most_rows> multipliers{};
    for (std::size_t r = 0; r < places.size(); ++r) multipliers[r] = s.lambda[static_cast<std::size_t>(places[r])];
    const std::string why = what.law->doubts({s.contributions[k].loads, std::span(multipliers).first(places.size())});
    if (why.empty()) continue;
    told_.doubted.insert(what.name);
    warn(s.t, {"contact_pulls", what.where,
               fmt::format("{} \"{}\": {}, from t = {:.6g} s on or earlier.", what.type, what.name, why, s.t),
               "Press the bodies together, or use a contact that opens: rigid_contact."});
  }
}

// Where the books go on from step to step a sample in between shows them as they are there; else they go on with it.
bool Run::record_within_step(const formalism::State& s, Recording as) {
  const formalism::State at = s;  // the integral looks at others
  WorkIntegral& work = books_.work;
  const bool wanted = motion_ && evaluator_->has_power() && work.wants_sample(books_.recorder.shows_work());
  if (!wanted) work.pass_sample();
  if (wanted) as.books = Books::kept;
  if (work.rides()) return wanted ? record_at(at, as) : record_beside_books(at, as);
  running().work += caught_up();
  const double until_step = running().work;
  running().work += work_up_to(at.t);
  const bool recorded = record_at(at, as);
  running().work = until_step;
  if (!wanted || !recorded || !work.may_ride()) return recorded;
  add_work_until(at.t);
  work.ride();
  return true;
}

// Nobody shows the work there, but a run may go on from it.
bool Run::record_beside_books(const formalism::State& at, const Recording& as) {
  const double booked = running().work;
  running().work += books_.work.extrapolated(at.t);
  const bool recorded = record_at(at, as);
  running().work = booked;
  return recorded;
}

// Where the curve of samples does not tell the work it is found as if there had been none.
bool Run::book_sample(const Snapshot& s) {
  const auto turn = turn_of(Part::energy);
  const bool has_ridden = books_.work.rides();
  const double t = s.t;
  const auto work = books_.work.take(s, formalism::power(s, s.lambda), books_.recorder.exchanged());
  if (!has_ridden) return true;
  if (!work) {
    running().work += books_.work.until(t, *evaluator_);
    return false;
  }
  running().work += *work;
  books_.recorder.judge_energy(Recorder::energies_of(s));
  return true;
}

Evaluator::Borrowing Run::factors_of_records() {
  return {*evaluator_, motion_ ? motion_->solver_of_records() : nullptr};
}

// Of a step in a ride, which is short beside samples.
void Run::book_end(double t) {
  const auto turn = turn_of(Part::energy);
  const auto factors = factors_of_records();
  const auto work = books_.work.take_end(*evaluator_, books_.recorder.exchanged());
  running().work += work ? *work : books_.work.until(t, *evaluator_);
  judge_energy(t);
}

// Where something happens at the same instant the sample stands left of it, whatever rounding says.
double Run::output_time() const {
  const double at = experiment_.from_time + static_cast<double>(outputs_.next) * outputs_.step;
  if (same_instant(at, hybrid_->next_time()) && at < until()) return hybrid_->next_time();
  return at > until() - 1e-9 * outputs_.step ? until() : at;
}

// Output times inside the step just taken; the end time is always stored.
bool Run::outputs_until(double t) {
  const auto turn = turn_of(Part::output);
  for (;; ++outputs_.next) {
    const double at = output_time();
    if (!look_before(at, t)) return false;
    if (at > t || outputs_.last == until()) return true;
    if (!pass_output(at)) return false;
    outputs_.last = at;
    if (at == until() || should_stop()) return true;
  }
}

// In the middle between two samples, where the recorder asks for it; within this step, which has come to t. Beside the constraints, so that what puts samples onto them knows nothing of it.
bool Run::look_before(double output, double t) {
  if (!motion_ || thinned_.is_used()) return true;
  const std::optional<double> middle = books_.recorder.middle_before(output);
  if (!middle || *middle > t || *middle <= t_) return true;
  has_state_ = motion_->sample_to_leave_out(*middle, now_.q, now_.v);
  now_.t = *middle;
  expect(*middle);
  return has_state_ && books_.recorder.look_between(*evaluator_, *middle, now_.q, now_.v);
}

bool Run::show_until(double t) {
  if (outputs_until(t)) return true;
  return fail(t, accelerations_missing(t)), false;
}

// All from which a run can go on at this time, beside q and v.
const RunState* Run::save_sample(double t) { return save_sample(t, *prepared().model, *hybrid_, saved_), &saved_; }
void Run::save_sample(double t, const model::Model& model, const Hybrid& hybrid, RunState& to) const {
  save_run(t, begun_, books_.recorder, model, hybrid, to);
}

void Run::follow_tables(const formalism::State& s) {
  if (watch_.tables->empty()) return;
  evaluator_->evaluate_motion(s.t, s.q, s.v);
  look_at_tables(seen());
}

void Run::look_at_tables(const Snapshot& s) {
  if (watch_.tables->empty()) return;
  watch_.tables->look(s, watch_.excursions);
  if (watch_.corner.empty()) watch_.corner = watch_.tables->touched_corner(s);
}

// ---- books

// Before something happens at t behind which the books begin anew.
void Run::close_books(double t) {
  if (books_.work.rides()) add_work_until(t);
}

double Run::caught_up() {
  const auto turn = turn_of(Part::energy);
  const auto factors = factors_of_records();
  return books_.work.catch_up(*evaluator_);
}

void Run::add_work_until(double t) {
  const auto turn = turn_of(Part::energy);
  const auto factors = factors_of_records();
  books_.work.know_exchanged(books_.recorder.exchanged());
  running().work += books_.work.until(t, *evaluator_);
}

double Run::work_up_to(double t) {
  const auto turn = turn_of(Part::energy);
  const auto factors = factors_of_records();
  return books_.work.up_to(t, *evaluator_);
}

void Run::judge_energy(double t) {
  const auto turn = turn_of(Part::energy);
  if (const Recorder::Energies* known = books_.work.at_end(t)) return books_.recorder.judge_energy(*known);
  const formalism::State& s = state_at(t);
  if (auto* moved = hybrid_->moved_to(s))
    evaluator_->evaluate_energy(t, s.q, s.v, *moved);
  else
    evaluator_->evaluate_energy(t, s.q, s.v);
  books_.recorder.judge_energy(Recorder::energies_of(seen()));
}

// The sample just recorded there has shown that it can be found; anything else would be told.
std::optional<double> Run::energy_at(const formalism::State& s) {
  const auto turn = turn_of(Part::energy);
  if (evaluator_->evaluate(s.t, s.q, s.v, false) != Eval::ok) return {};
  return seen().kinetic + seen().potential;
}

// Without unknowns there are no steps: the books go on in thousandths of the run.
void Run::balance_until(double t) {
  constexpr double parts = 1000;
  for (;; ++outputs_.balanced) {
    const double at = experiment_.from_time + static_cast<double>(outputs_.balanced) * (span() / parts);
    if (at > t) return;
    book_jumps_until(at);
    const double left = std::min(at, inputs_.drives.left());
    add_work_until(left);
    judge_energy(left);
  }
}

// Where drives alone move the model: the energy that they bring at once.
void Run::book_jumps_until(double t) {
  DriveJumps& drives = inputs_.drives;
  for (; drives.right() <= t; drives.pass()) {
    add_work_until(drives.left());
    now_.t = drives.left();
    const auto before = energy_at(now_);
    now_.t = drives.right();
    const auto behind = energy_at(now_);  // without one the next sample fails too, and tells why
    if (before && behind) running().work += *behind - *before;
    books_.work.begin(seen());
  }
}

// ---- what is told

std::string Run::accelerations_missing(double t) const {
  if (!has_state_) return fmt::format("There is no position near t = {:.6g} s: {}", t, motion_->blame);
  return fmt::format("The accelerations cannot be found at t = {:.6g} s: {}.", t, evaluator_->blame());
}

void Run::warn(double t, Warning warning) {
  if (std::ranges::count(prepared().model->ignored_warnings, warning.name) > 0) return;
  sink_.event({t, warning.name, to_string(warning, Named::no), "", EventRecord::warning});
  out_.warnings.push_back(std::move(warning));
}

void Run::warn_of_new_starts() {
  for (const std::string& note : restoring_.notes())
    warn(state_.t, {"from_result", {}, fmt::format("The run starts from a result, but {}.", note)});
  for (const std::string& drive : changed_drives(*prepared().model, restoring_, 10 * experiment_.tolerance))
    warn(state_.t, {"from_result", {}, fmt::format("The run starts from a result, but {}.", drive)});
}

void Run::warn_of_stiffness(double t) {
  const double rate = told_.stiffness ? 0.0 : motion_->stiff_rate();
  if (rate == 0) return;
  told_.stiffness = true;
  warn(t, stiff_model(choice_, rate, t));
}

void Run::warn_at_end() {
  const Recorder& recorder = books_.recorder;
  const double t = out_.t_reached;
  const bool has_finished = out_.status == RunStatus::finished;
  if (has_finished && out_.energy_closure > suspicious_closure(experiment_.tolerance))
    warn(t, energy_lost(out_.energy_closure));
  if (has_finished && !watch_.corner.empty()) warn(t, {"profile_corner", {}, watch_.corner});
  if (auto warning = long_chain(prepared().topology, out_.cost)) warn(t, std::move(*warning));
  if (count_.left_beside > 0)
    warn(t, off_constraints(count_.left_beside, recorder.position_residual(), recorder.velocity_residual()));
  const bool outputs_are_given = !experiment_.outputs.empty() || !prepared().model->outputs.empty();
  for (Warning& warning : recorder.warnings(outputs_are_given)) warn(t, std::move(warning));
  for (Warning& warning : hybrid_->warnings()) warn(t, std::move(warning));
  for (Warning& warning : watch_.excursions.warnings()) warn(t, std::move(warning));
  if (told_.stiffness) return;  // at the border of stability accelerations are noise
  for (Warning& warning : recorder.coarse_channels(outputs_.step, experiment_.tolerance)) warn(t, std::move(warning));
}

}  // namespace skyhook::simulation
