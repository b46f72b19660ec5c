// Samples of which some are solved for accelerations and reactions, nodes, and those between are taken from the curve through these: the polynomial through the
// three on each side. What a sample is stands in a row of numbers.
//
// Each node is foretold by the six around it: off by about as much as a sample beside it would be with it in the curve where the numbers are rough, ten times as far where they
// are smooth. Where that is more than is allowed the sample in the middle of the way between two nodes is solved too, and foretold in the same way, and so on by halves.
// Allowed is the tolerance times the range of the number so far, or a tenth of the largest number of its group (unit), or what all numbers are told to, so that at tight tolerances all samples are
// solved; rates of states may bend the cubic between samples by as much as the states may be off. The states that an integrator has between its steps are known at each sample, to several tolerances: where the
// curve is far from these it is not believed. The last sample in each step is a node: what an integrator resolves does not hide between nodes, and books of energy that ride on them
// (work_integral.h) are never far behind.
//
// Where nothing is gained for some intervals all samples are solved for a while.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "skyhook/problem/problem.h"

namespace skyhook::simulation {

class ThinnedSamples {
 public:
  struct Sample {
    double t = 0, stored = 0;  // the time at which it is, and that which is written
    bool is_solved = false;
    double off = -1;                // by how much it is foretold, over what is allowed; negative: not looked at yet
    std::vector<double> row;        // where it is solved
    std::vector<double> q, v;       // where it is left out: between the ends of steps, beside the constraints
    std::vector<double> run_state;  // from which a run can go on, see RunState
  };
  // Fills the row of a sample that was left out; `foretold`: what the curve says. False: it cannot be solved.
  using Solve = std::function<bool(Sample& sample, CSpan foretold)>;
  // Samples in the order of time, with the rates of the columns that were asked for, by the curve.
  using Give = std::function<void(const Sample& sample, CSpan row, CSpan rates)>;

  // What the columns of a row are.
  struct Columns {
    std::vector<int> groups = {};  // of those that are checked, the first ones
    double least = 1e-6;           // range that any number is taken to have
    int energies = -1;             // the group that is small beside the energy that was exchanged
    std::size_t states = 0;        // the first ones of all are q and v,
    double step = 0;  // behind them their rates, for the cubic between samples so far apart; 0: there are none
    std::size_t all = 0;
    std::size_t rated = 0, rates = 0;  // the first one whose rate is asked for, and how many
  };
  // From here on, with other columns.
  void begin(double tolerance, Columns columns);
  bool is_used() const { return columns_.all > 0; }

  // Of the next sample.
  bool wants_node(bool is_last_in_step) const;
  // It is to be given by settle(); else whoever solves it gives it.
  bool is_thinning() const { return spacing_ > 1 || is_pending(); }
  Sample& add(double t, double stored);       // the next one, to be filled; then one of
  void take_node(long steps, double energy);  // of a run that has taken so many steps, and exchanged so much energy
  void take_left_out() { ++left_out_; }
  void drop_last() { --count_; }  // which cannot be solved

  bool is_pending() const { return first_ < count_; }
  double first_pending() const { return samples_[first_].t; }
  // Gives what can be decided; `all`: what comes next is something else. False: a sample could not be solved.
  bool settle(const Solve& solve, const Give& give, bool all);
  // What comes next does not go on from what was.
  void restart();

  long taken() const { return taken_; }  // from the curve

 private:
  static constexpr std::size_t order = 6, fewest = 5;
  struct Curve {
    std::array<const double*, order> row{};
    std::array<double, order> t{}, weight{};
    std::size_t count = 0;
  };
  std::size_t node_before(std::size_t k) const;
  std::size_t node_behind(std::size_t k) const;
  bool has_nodes_behind(std::size_t k) const;
  enum class Itself { without, with };
  Curve around(std::size_t k, Itself itself) const;
  static void weigh(Curve& curve, double t);
  static void weigh_rates(Curve& curve, double t);
  static void follow(const Curve& curve, std::size_t from, std::span<double> out, bool as_rates);
  double look_at(std::size_t k);
  bool is_near_states(std::size_t from, std::size_t to);
  bool settle_interval(std::size_t from, std::size_t to, const Solve& solve);
  bool refine(std::size_t from, std::size_t to, const Solve& solve);
  bool solve_one(std::size_t k, const Solve& solve);
  void give_until(std::size_t last, const Give& give);
  void adapt(bool was_foretold, double off);
  void learn(const std::vector<double>& row, double energy);
  void forget_old();

  double tolerance_ = 0;
  Columns columns_;
  std::vector<double> low_, high_, allowed_, largest_;  // by column; the last by group
  std::vector<char> is_odd_;                            // was no finite number
  std::vector<Sample> samples_;                         // in the order of time; count_ of them are used
  std::size_t count_ = 0, first_ = 0;                   // first_: the first that was not given yet
  int spacing_ = 1, left_out_ = 0, pause_ = 0, patience_ = 0, failed_ = 0;
  long steps_ = 0, taken_ = 0;
  std::vector<double> row_, rates_;
};

}  // namespace skyhook::simulation
