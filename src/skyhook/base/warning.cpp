#include "skyhook/base/warning.h"

#include <algorithm>

#include "skyhook/base/table.h"

namespace skyhook {
namespace {

// A test asks for the order of the alphabet, and that the manual has them all.
constexpr WarningKind kinds[] = {
    {"ambiguous_closure", "the loops close in more than one way with the given initial values"},
    {"between_tracks", "a wheel stands between the two tracks of a road, where it is smoother than on them"},
    {"beyond_line", "places behind the end of a railway track are shown"},
    {"beyond_table", "a run goes beyond the rows of a table, or beyond what a law takes or a signal may ask"},
    {"big_angle", "a number without unit makes an angle of more than a turn: degrees?"},
    {"cable_roll",
     "something holds or reads rotations at a cable in space, whose axes turn about the line by convention alone"},
    {"coarse_output", "a channel oscillates faster than the output step can show"},
    {"contact_pulls", "profiles that are held in touch pull at each other, where a contact would open"},
    {"dead_centre", "a given rate means rates many times as large elsewhere"},
    {"decimal_comma", "a list may hold a number with a decimal comma"},
    {"drive_jumps", "a prescribed motion or its rate jumps"},
    {"ends_in_motion", "a channel does not end at rest, which distorts its frequency response"},
    {"energy_lost", "the energy balance does not close"},
    {"event_value_changed", "a state does not get the value that an event asks for"},
    {"events_missed",
     "a formula of an event crosses zero more than once within a step, and not all of these were found"},
    {"far_away", "a point or length without unit is far outside of all others: millimetres?"},
    {"fast_spin", "a body in absolute coordinates spins so fast that its turns set the steps of a run"},
    {"force_left", "a small force pushes along a direction that nothing resists: an equilibrium holds it where it is"},
    {"free_in_kinematics", "a kinematic analysis leaves coordinates free, which stay where they are"},
    {"friction_at_rest", "a model with smooth friction is linearised at rest, where the friction only damps"},
    {"from_result", "a run that starts from a result cannot go on quite as that one did"},
    {"gimbal", "outputs ask for three angles of a body that jump where they are undefined"},
    {"hidden_name", "a variable of a formula hides a parameter of the same name, or a parameter an output"},
    {"hinged_frame",
     "the frame of a flexible body is tangent at a hinge, where small displacements from it are too coarse beyond a "
     "small deflection"},
    {"inertia", "a principal moment of inertia is more than the sum of the two others"},
    {"initial_value_changed", "a given initial value is not the one that the run starts with"},
    {"large_result", "the result will have more than 1 GB"},
    {"line_ends", "a drive brings a vehicle to the end of its railway track before the run ends"},
    {"lines_vibrate", "a solver follows or enlarges the vibrations of beams of nodal coordinates that are stiff"},
    {"long_chain", "Newton's method fails again and again on a long chain in joint coordinates"},
    {"many_restarts", "a sample time means more than a million restarts of the integrator"},
    {"moved_by_event", "parameters that an event sets move the mechanism at once"},
    {"never_happened", "an event can never happen: its formula is zero throughout, or its time before every run"},
    {"no_command", "an actuator without command stays where it is"},
    {"no_effect", "an option of an experiment means nothing for its solver or analysis"},
    {"no_freedom", "nothing in the model can move"},
    {"no_line", "the two points of a force along a line coincide"},
    {"no_mass", "a body has no mass"},
    {"no_transition", "the curvature of a track jumps where there is no turnout"},
    {"not_evaluated", "a run is cut short, so that what its experiment evaluates is left out"},
    {"not_finite", "an energy or a recorded channel is not a finite number"},
    {"not_in_equilibrium",
     "controllers that say nothing at the start time: an equilibrium has their outputs as at the start"},
    {"not_least", "positions that are not given are not quite where the mass moves least"},
    {"not_mirrored", "a controller stands in a mirrored part, but its law is not mirrored"},
    {"not_steady", "a model is linearised while it accelerates, or its matrices change"},
    {"nothing_to_control", "controllers and events of a model in which nothing can move freely"},
    {"off_constraints", "samples between steps could not be put onto the constraints"},
    {"off_line", "a point is drawn away from the line of nodal coordinates on which it slides"},
    {"off_nodes",
     "a joint, force or marker on a flexible body stands at none of its nodes, so that it does not feel its "
     "deformation"},
    {"output_step", "the output step is longer than the run"},
    {"passed_through", "a rigid contact was passed through between two steps"},
    {"profile_corner", "a rigid contact touches its profile at a corner, where a table is held beyond a slope"},
    {"rigid_wheels", "so many rigid wheels are on a curved line that their contact points jump all the time"},
    {"road_holes", "heights are missing in the file of a road, and come from their neighbours"},
    {"road_moved", "a tyre's road has been moved up or down with the part that the tyre stands in"},
    {"road_options", "options in the file of a road have no effect"},
    {"rounded_line", "coordinates along a track follow a line that bends where the track's curvature jumps"},
    {"same_name", "a body has the name of a parameter"},
    {"samples_missing",
     "samples between others could not be solved at the end of a run or before an event, and are left out"},
    {"shapes_left_out", "shapes of a flexible body were asked for that it does not have, or does not need"},
    {"singular_position", "a pair that may lose its way there was carried across a singular position"},
    {"stiff_model", "stability, not accuracy, limits the steps of an explicit solver"},
    {"study_only", "the pair of integrator and formulation is for studies only"},
    {"table_overshoots", "the smooth curve through the rows of a table of time swings far beyond them"},
    {"takes_effort", "a motion that is linearised stays as given only under forces from outside"},
    {"thick_beam", "the section of a beam of nodal coordinates is higher than the beam is long: millimetres?"},
    {"tight_curve",
     "a track bends with a smaller radius than a bogie on it is likely to pass, or has the room to stand in"},
    {"told_in_joints", "a steady motion is told in the coordinates of joints, where absolute ones were asked for"},
    {"too_stiff", "a force or moment changes by more than the weight it carries within one tolerance"},
    {"track_on_body", "a track mass stands on a body, whose accelerations it does not feel"},
    {"travel_ends", "a kinematic analysis cannot go through the whole travel"},
    {"two_initial_values", "a joint and `initial` give one coordinate different values in one file"},
    {"tyre_file", "a tyre property file has entries that are not used, or asks for what is not there"},
    {"uneven_points", "a curve goes through points of very different distances and may swing between them"},
    {"uneven_start", "elastic wheels stand on irregularities of their track where a run starts"},
    {"unused", "a parameter, template, input or controller is used nowhere"},
    {"wheel_axis", "a wheel turns in its bearing about another axis than it is said to have"},
};

}  // namespace

std::span<const WarningKind> warning_kinds() { return kinds; }

void require_warning_kind(const std::string& name, const Location& where) {
  std::vector<std::string> known;
  for (const WarningKind& kind : kinds) known.push_back(kind.name);
  if (std::ranges::find(known, name) == known.end())
    throw ModelError(where, "there is no warning \"" + name + "\".", suggest(name, known, "Warnings"));
}

std::string to_string(const Warning& w, Named named) {
  std::string text = to_string(Finding{w.where, w.what, {}});
  if (!w.advice.empty()) text += " " + w.advice;
  if (named == Named::yes) text += " [" + w.name + "]";
  return text;
}

std::string to_json(const std::vector<Warning>& warnings) {
  std::string list;
  for (const Warning& w : warnings) {
    const std::string file = w.where.file.empty() ? "null" : json_string(w.where.file);
    const std::string line = w.where.line > 0 ? std::to_string(w.where.line) : "null";
    const std::string text = w.what + (w.advice.empty() ? "" : " " + w.advice);
    list += (list.empty() ? "" : ", ") + ("{\"name\": " + json_string(w.name)) + ", \"text\": " + json_string(text) +
            ", \"file\": " + file + ", \"line\": " + line + "}";
  }
  return "[" + list + "]";
}

std::vector<Warning> without(std::vector<Warning> warnings, const std::vector<std::string>& ignored) {
  std::erase_if(warnings, [&](const Warning& w) { return std::ranges::count(ignored, w.name) > 0; });
  return warnings;
}

}  // namespace skyhook
