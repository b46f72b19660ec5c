// Constraints that come and go in a run: rigid contacts and coordinates that stick. They hold the state of each,
// the equations of the combinations met last, and what happens where one of them changes.
#pragma once
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skyhook/formalism/coordinate_motion.h"
#include "skyhook/simulation/event_density.h"
#include "skyhook/simulation/prepare.h"
#include "skyhook/simulation/run_state.h"
#include "skyhook/simulation/snapshot.h"

namespace skyhook::simulation {

class SwitchedRows {
 public:
  // `held` is the run's. `span`: its length in time; `tolerance`: relative, of the positions.
  SwitchedRows(const Prepared& prepared, std::shared_ptr<model::Held> held, double span, double tolerance);

  int count() const { return static_cast<int>(contacts_.size() + sticks_.size()); }
  bool any_closed() const;  // then the functions need accelerations

  struct Pair {
    std::shared_ptr<const Equations> all, active;  // with the rows redundant; without
  };
  // For the present contacts and sticking coordinates.
  Pair equations(const formalism::State& state);
  // Equations are kept for so many combinations: those that come again come soon. A body that bounces has two.
  static constexpr std::size_t most_kept = 16;
  std::size_t kept() const { return known_.size(); }

  // Switching functions, contacts first: positive as long as nothing happens. Of an open contact its gap, where it gets
  // smaller, of a closed one its force; of a coordinate that slips its rate in that direction, of one that sticks what is left of its
  // hold, of one that others keep at rest what is left of that.
  void values(const Snapshot& s, Span z) const;

  // Contacts and coordinates at the start, which may move to fit. False: see problem().
  bool begin(formalism::State& state, std::vector<Happened>& log);
  void save(Saving& to) const;
  // The same at the start from a state that was saved: what it knows is as it was, the rest is decided anew.
  bool resume(Restoring& from, formalism::State& state, std::vector<Happened>& log);
  // What happens at a state where the functions named have fallen below zero. The state may change.
  enum class Outcome { nothing, state, rows, failed };
  Outcome change_contacts(const std::vector<char>& fallen, formalism::State& state, std::vector<Happened>& log);
  // After the state was set: what holds is decided anew.
  Outcome decide_anew(formalism::State& state, std::vector<Happened>& log);
  // The run has come to this motion without an event. warnings() tells of contacts that were passed through unseen.
  void pass(const Snapshot& s);
  // A search for events begins from this motion.
  void arm(const Snapshot& s);
  std::vector<Warning> warnings() const;
  Outcome change_sticks(const std::vector<char>& fallen, formalism::State& state, std::vector<Happened>& log);
  const std::string& problem() const { return problem_; }
  void take_over(const SwitchedRows& before);

 private:
  struct Contact {
    bool is_closed = false;
    double last_closing = -1e300, closing_speed = 0;  // of the last impact that closed it
    Accumulation closings;
    mutable double largest_force = 0;
    double deepest = 0;     // penetration that no event has met
    bool is_clear = false;  // open where the last search began, by more than rounding
  };
  struct Stick {
    formalism::CoordinateMotion motion;
    int row;
    double broke_away = -1e300;  // when it last did
  };
  template <class Number>
  const model::Contribution& contact_given(Number k) const {
    return *given_contacts_[static_cast<std::size_t>(k)];
  }
  template <class Number>
  const model::Contribution& stick_given(Number k) const {
    return *given_sticks_[static_cast<std::size_t>(k)];
  }
  Pair make_equations(const std::vector<int>& rows, const formalism::State& state) const;
  bool resume_contact(std::size_t k, const Restoring& from, double t);
  bool has_stayed(const formalism::State& before, const formalism::State& state);
  bool resume_stick(int k, const Restoring& from);
  bool begin_some(const std::vector<char>& which, formalism::State& state, std::vector<Happened>& log);
  bool sticks(int k) const;
  double most_of(int k, double t, CSpan signals) const;  // what it can hold
  int& mode(int k);
  double gap(int contact) const { return gap_[static_cast<std::size_t>(contact)]; }
  void measure(const formalism::State& state);
  std::vector<int> touching() const;
  std::vector<int> touching_with(const std::vector<char>& fallen, const formalism::State& state);
  bool meet(const std::vector<int>& touching, const std::vector<char>& fallen, formalism::State& state,
            std::vector<Happened>& log);
  Outcome settle(const std::vector<int>& touching, const std::vector<char>& fallen, formalism::State& state,
                 std::vector<Happened>& log);
  bool rebound_is_lost(const Contact& contact, int k, double t) const;
  bool fit(formalism::State& state);
  void seal(const std::vector<int>& touching, double flight, formalism::State& state);
  double rate_of(int k, const formalism::State& state) const {
    return sticks_[static_cast<std::size_t>(k)].motion.rate(*lasting_, state);
  }
  double place_of(int k, const formalism::State& state) const {  // from design
    return sticks_[static_cast<std::size_t>(k)].motion.value(*lasting_, state);
  }
  double stick_value(int k, const Snapshot& s, double lambda, double still) const;
  bool begin_sticks(const std::vector<char>& which, formalism::State& state);
  void stick_anew(const formalism::State& state);
  bool is_decided_by_others(int k, const formalism::State& state) const;
  bool try_to_stick(int k, formalism::State& state, double most);
  int moved_by_others(int k, const formalism::State& state);
  Outcome change_stick(int k, bool breaks_away, formalism::State& state, std::vector<Happened>& log);
  Outcome hold_others(formalism::State& state, std::vector<Happened>& log);
  std::optional<double> holding_force(int k, formalism::State& held);
  std::vector<int> rows_now() const;

  const Prepared& prepared_;
  const model::Model& model_;
  std::shared_ptr<model::Held> held_;
  std::shared_ptr<const Equations> lasting_;  // with what is held in the run
  double resolution_, touch_, least_force_, lowest_;
  std::vector<const model::Contribution*> given_contacts_, given_sticks_;  // of the model
  std::vector<Contact> contacts_;
  std::vector<Stick> sticks_;
  struct Known {
    std::vector<int> rows;
    Pair equations;
  };
  std::list<Known> known_;  // last used first
  std::vector<int> contact_rows_;
  Equations::Workspace workspace_;
  std::vector<double> gap_, rate_;
  std::string problem_;
};

}  // namespace skyhook::simulation
