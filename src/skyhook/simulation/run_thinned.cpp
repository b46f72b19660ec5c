// Samples of a run that are taken from the curve through those that are solved (thinned_samples.h). Nothing goes over an instant at which something happens: all is decided before it.
#include <algorithm>

#include "skyhook/model/analysis_options.h"
#include "skyhook/simulation/run.h"
#include "skyhook/simulation/run_info.h"

namespace skyhook::simulation {

using Kept = ThinnedSamples::Sample;

void Run::begin_thinning() {
  const bool is_wanted = experiment_.options && experiment_.options->samples == "curve";
  if (!motion_ || !is_wanted) return;
  ThinnedSamples::Columns columns = books_.recorder.columns();
  columns.step = outputs_.step;
  // What a run errs by is some tolerances; differences below a tenth of the absolute one mean nothing in its states.
  constexpr double tolerances = 3, of_absolute = 0.1;
  const double tolerance = tolerances * experiment_.tolerance;
  const double absolute = experiment_.absolute_tolerance > 0 ? experiment_.absolute_tolerance : experiment_.tolerance;
  columns.least = of_absolute * absolute / experiment_.tolerance;
  thinned_.begin(tolerance, std::move(columns));
}

bool Run::pass_output(double t) {
  const bool is_last_in_step = t + outputs_.step > step_.t;
  const bool solved = !thinned_.is_used() || t == until() || thinned_.wants_node(is_last_in_step);
  return solved ? solve_sample(t) : leave_out(t);
}

bool Run::solve_sample(double t) {
  has_state_ = !motion_ || motion_->sample_to_record(t, now_.q, now_.v);
  now_.t = outputs_.solved = t;
  if (!has_state_) return false;
  if (!thinned_.is_used()) return record_within_step(now_, {});
  using Given = Recorder::About::Given;
  const Given given = thinned_.is_thinning() ? Given::later : Given::now;
  Kept& sample = thinned_.add(t, inputs_.drives.instant(t));
  if (!record_within_step(now_, {.row = &sample.row, .given = given})) return thinned_.drop_last(), false;
  if (given == Given::later) sample.run_state = save_sample(t)->numbers;
  thinned_.take_node(count_.steps, books_.recorder.exchanged());
  return settle_samples(Which::decided);
}

// Its state is known in this step alone.
bool Run::leave_out(double t) {
  Kept& sample = thinned_.add(t, inputs_.drives.instant(t));
  sample.q.resize(state_.q.size()), sample.v.resize(state_.v.size());
  has_state_ = motion_->sample_to_leave_out(t, sample.q, sample.v);
  if (!has_state_) return thinned_.drop_last(), false;
  sample.run_state = save_sample(t)->numbers;
  thinned_.take_left_out();
  return true;
}

bool Run::solve_left_out(Kept& sample, CSpan foretold) {
  Recorder& recorder = books_.recorder;
  formalism::State s{sample.t, sample.q, sample.v};
  motion_->put_onto_constraints(s.t, s.q, s.v);
  const double booked = running().work;
  running().work = recorder.saved_in(foretold).front();
  const bool recorded = record_at(s, {.row = &sample.row, .given = Recorder::About::Given::late});
  running().work = booked;
  if (!recorded) return false;
  std::ranges::copy(recorder.saved_in(foretold), recorder.saved_in(sample.row).begin());
  return true;
}

void Run::give_sample(const Kept& sample, CSpan row, CSpan rates) {
  const CSpan of_recorder = books_.recorder.saved_in(row);
  saved_.numbers = sample.run_state;
  std::ranges::copy(of_recorder, saved_.numbers.begin() + saved_before_recorder);
  const auto residuals = [&](CSpan q, CSpan v, Span out) { watch_.rows.residuals(sample.t, q, v, out); };
  books_.recorder.give({sample.t, sample.stored, sample.is_solved, row, rates}, *evaluator_, residuals, &saved_);
}

bool Run::settle_samples(Which which) {
  if (!thinned_.is_pending()) return true;
  const auto turn = turn_of(Part::output);
  return thinned_.settle([this](Kept& sample, CSpan foretold) { return solve_left_out(sample, foretold); },
                         [this](const Kept& sample, CSpan row, CSpan rates) { give_sample(sample, row, rates); },
                         which == Which::all);
}

}  // namespace skyhook::simulation
