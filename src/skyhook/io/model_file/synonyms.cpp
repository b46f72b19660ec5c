#include "skyhook/io/model_file/synonyms.h"

#include <algorithm>
#include <cctype>

#include "skyhook/base/error.h"
#include "skyhook/base/field.h"

namespace skyhook::io::model_file {
namespace {

struct Synonyms {
  const char *key, *others;  // the others in small letters
};

// The first key that is known in its place wins: `dt` is a sample_time in a controller, an output_step in an experiment.
constexpr Synonyms synonyms[] = {
    {"output_step", "step dt time_step timestep output_interval interval h_out sampling sample_time"},
    {"sample_time", "dt ts period sampling_time sample_period step"},
    {"until", "end duration t_end tend end_time stop stop_time t_stop tf t_final final_time time length"},
    {"from_time", "t_start start_time t0 t_begin begin start_at"},
    {"tolerance", "rtol reltol rel_tol relative_tolerance tol eps accuracy"},
    {"absolute_tolerance", "atol abstol abs_tol"},
    {"largest_step", "max_step hmax h_max maximum_step step_max dt_max"},
    {"solver", "integrator method scheme"},
    {"max_order", "order maximum_order"},
    {"set", "parameters params"},
    {"inertia", "i j moment_of_inertia moments_of_inertia inertia_tensor"},
    {"com", "cog cg center_of_mass centre_of_mass center_of_gravity centre_of_gravity"},
    {"at", "position pos origin point location r"},
    {"orientation", "rotation axes attitude"},
    {"mass", "m weight"},
    {"shape", "geometry visual graphic"},
    {"from", "body_1 body1 body_a parent i"},
    {"to", "body_2 body2 body_b child j"},
    {"axis", "direction"},
    {"joint", "coordinate dof"},
    {"type", "kind"},
    {"stiffness", "k rate spring_rate spring_constant c_spring"},
    {"damping", "c d damping_coefficient damping_constant viscosity"},
    {"kp", "p proportional proportional_gain gain k_p"},
    {"ki", "i integral integral_gain k_i"},
    {"kd", "d derivative derivative_gain differential k_d"},
    {"free_length", "l0 rest_length natural_length initial_length length_0 length"},
    {"free_angle", "rest_angle natural_angle angle_0"},
    {"value", "formula expression f m torque"},
    {"drive", "motion motor prescribed"},
    {"parameters", "params constants variables"},
    {"bodies", "parts links masses"},
    {"joints", "constraints connections"},
    {"forces", "elements springs"},
    {"roads", "ground_profiles surfaces"},
    {"controllers", "control controls"},
    {"initial", "initial_conditions initial_values ics start"},
    {"outputs", "channels record sensors results"},
    {"experiments", "simulation simulations analyses scenarios runs cases"},
    {"include", "import imports includes"},
};

}  // namespace

std::string suggest_key(const std::string& wrong, const std::vector<std::string>& known, const std::string& noun) {
  std::string lower = wrong;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Synonyms& s : synonyms) {
    const auto others = words_of(s.others);
    if (std::find(others.begin(), others.end(), lower) == others.end()) continue;
    if (std::find(known.begin(), known.end(), s.key) == known.end()) continue;
    return suggest(s.key, known, noun);  // the nearest to it is itself
  }
  return suggest(wrong, known, noun);
}

}  // namespace skyhook::io::model_file
