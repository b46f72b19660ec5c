// A run that is held: looked at, saved and taken back.
#include <algorithm>
#include <limits>

#include "skyhook/simulation/run.h"

namespace skyhook::simulation {

const Run::Look& Run::look() {
  if (look_) return *look_;
  Boxed<Motion> motion(motion_ ? motion_->clone() : nullptr);
  Motion* const source = motion ? motion.get() : motion_.get();
  look_.emplace(Look{state_, evaluator_, books_.recorder.running(), out_.reason});
  Look& seen = *look_;
  if (!seen.evaluator) return seen;
  const double t = step_.is_open ? this->t() : t_;
  seen.state.t = t;
  if (source && !source->sample(t, seen.state.q, seen.state.v)) seen.problem = source->blame;
  formalism::State between = seen.state;
  WorkIntegral work = books_.work.along([&](double at) -> const formalism::State& {
    if (source) source->interpolate(at, between.q, between.v);
    return between.t = at, between;
  });
  seen.running.work += work.up_to(t, *seen.evaluator);
  const Evaluator::Borrowing factors(*seen.evaluator, source ? source->solver_of_sample() : nullptr);
  if (seen.evaluator->evaluate(t, seen.state.q, seen.state.v) != Eval::ok) seen.problem = seen.evaluator->blame();
  return seen;
}

Prepared Run::prepared_now() const {
  Prepared now = prepared();
  now.active = hybrid_->active(), now.all = hybrid_->all();
  return now;
}

void Run::restore(const Saved& saved) {
  static_cast<Course&>(*this) = saved.course;
  hybrid_->held() = saved.held;
  target_ = saved.target;
  look_.reset();
}

double Run::channel(const std::string& name) {
  const std::vector<Channel>& all = *model_->all;
  const auto found = std::ranges::find(all, name, &Channel::name);
  if (found == all.end()) throw ModelError({}, "there is no channel \"" + name + "\".", advice_on_channel(name, all));
  const Look& seen = look();
  if (!seen.problem.empty()) return std::numeric_limits<double>::quiet_NaN();
  return found->value(seen.evaluator->now(), seen.running);
}

Run::Saved Run::save() const {
  Saved saved{*this, hybrid_->held(), target_};
  if (motion_ && !saved.course.motion_)
    throw ModelError({},
                     "a run with the solver " + choice_.solver.name() +
                         " cannot be saved: the library that makes its steps does not let its memory be copied.",
                     "Choose bdf, radau5, dopri5, adams or hem5.");
  return saved;
}

}  // namespace skyhook::simulation
