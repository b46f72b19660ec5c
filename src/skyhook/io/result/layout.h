// The names in a result file, once for writer and reader. docs/results.md tells them to users.
#pragma once
#include <string>
#include <string_view>

#include "skyhook/io/result/hdf5.h"
#include "skyhook/simulation/sink.h"

namespace skyhook::io::layout {

inline constexpr long format = 1;
inline constexpr const char* format_attribute = "skyhook_format";
// What was done, where it is no run: "modes", "response", ...
inline constexpr const char* analysis_attribute = "analysis";
// What /time is, where it is not time: the travel of a kinematic analysis.
inline constexpr const char* abscissa_attribute = "abscissa";
inline constexpr const char* abscissa_unit_attribute = "abscissa_unit";

// Attributes of the file that say what was run.
template <class Info, class Visit>
void for_each_fact(Info& info, Visit&& visit) {
  visit("model", info.model_name);
  visit("model_file", info.model_file);
  visit("experiment", info.experiment);
  visit("formulation", info.formulation);
  visit("solver", info.solver);
  visit("jacobian", info.jacobian);
  visit("tolerance", info.tolerance);
  visit("t_start", info.t_start);
  visit("t_end", info.t_end);
}

// Older files of this format lack these.
inline bool was_added_later(std::string_view number) {
  const bool is_part = number.ends_with("_seconds") && number != "integrator_seconds";
  return is_part || number == "projections" || number == "updates" || number == "samples" || number == "events" ||
         number == "recorded" || number == "from_curve" || number == "without_rates";
}

// Scalars in the group /summary.
template <class Summary, class Visit>
void for_each_number(Summary& summary, Visit&& visit) {
  visit("t_reached", summary.t_reached);
  visit("seconds", summary.seconds);
  visit("energy_closure", summary.energy_closure);
  visit("position_residual", summary.position_residual);
  visit("velocity_residual", summary.velocity_residual);
  visit("steps", summary.cost.steps);
  visit("error_test_failures", summary.cost.error_test_failures);
  visit("newton_failures", summary.cost.newton_failures);
  visit("residuals", summary.cost.residuals);
  visit("residuals_for_jacobian", summary.cost.residuals_for_jacobian);
  visit("jacobians", summary.cost.jacobians);
  visit("factorisations", summary.cost.factorisations);
  visit("newton_iterations", summary.cost.newton_iterations);
  visit("integrator_seconds", summary.cost.seconds);
  visit("projections", summary.cost.projections);
  visit("updates", summary.cost.updates);
  visit("samples", summary.samples);
  visit("events", summary.events);
  visit("recorded", summary.recorded);
  visit("from_curve", summary.from_curve);
  visit("without_rates", summary.without_rates);
  for (std::size_t k = 0; k < simulation::part_names.size(); ++k)
    visit((std::string(simulation::part_names[k].key) + "_seconds").c_str(), summary.parts.seconds[k]);
}

// The type of /steps.
inline hdf5::Id step_type() {
  using simulation::StepRecord;
  const char* doing = "making the type of steps";
  hdf5::Id type(H5Tcreate(H5T_COMPOUND, sizeof(StepRecord)), doing);
  hdf5::require(H5Tinsert(type, "t", HOFFSET(StepRecord, t), H5T_NATIVE_DOUBLE), doing);
  hdf5::require(H5Tinsert(type, "h", HOFFSET(StepRecord, h), H5T_NATIVE_DOUBLE), doing);
  hdf5::require(H5Tinsert(type, "order", HOFFSET(StepRecord, order), H5T_NATIVE_INT), doing);
  hdf5::require(H5Tinsert(type, "dominant", HOFFSET(StepRecord, dominant), H5T_NATIVE_INT), doing);
  return type;
}

inline hid_t native(double) { return H5T_NATIVE_DOUBLE; }
inline hid_t native(long) { return H5T_NATIVE_LONG; }

inline constexpr std::size_t status_bytes = 16;

}  // namespace skyhook::io::layout
