// Jacobian strategies on one model: what each costs.
#pragma once
#include "dae_run.h"
#include "skyhook/base/table.h"

namespace skyhook::bench {

struct StrategyRow {
  std::string formalism, strategy;
  DaeRun run;
  double seconds, error;
};

struct StrategyWish {
  const DaeCase* what;
  std::string formalism;
  std::vector<std::string> strategies;
};

// All with bdf at the tolerance of the case; `patience` as in measure().
std::vector<StrategyRow> compare_strategies(const std::vector<StrategyWish>& wishes, double patience);

const StrategyRow& find(const std::vector<StrategyRow>& rows, const std::string& strategy);

// Columns as in [Arnold 2006]: calls, calls without those for Jacobians, evaluations, updates; percent of the first row.
void add_cost_columns(Table& table);
void add_cost(std::vector<Cell>& cells, const StrategyRow& row, double first_seconds);

// Fig. 7 of [Arnold 2006] for ours: when the Jacobian was evaluated and when updated over the excitation of the chain
// of 16.
void draw_jacobian_times(const std::string& path);
// Table 1 of [Arnold 2006] over time.
void draw_coach_updates(const std::string& path);

}  // namespace skyhook::bench
