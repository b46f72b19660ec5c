#include "skyhook/analysis/standards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/analysis/rail_wheels.h"
#include "skyhook/base/units.h"

namespace skyhook::analysis {
namespace {

Role longitudinal() { return {"longitudinal_acceleration", "m/s^2", {"longitudinal_acceleration", "ax"}, "forward"}; }
Role lateral() { return {"lateral_acceleration", "m/s^2", {"lateral_acceleration", "ay"}, "to the left"}; }
Role vertical() {
  return {"vertical_acceleration", "m/s^2", {"vertical_acceleration", "az"}, "upward, without gravity"};
}
Role steering() {
  return {"steering_wheel_angle",
          "",
          {"steering_wheel_angle", "steering_wheel", "steering_angle", "steer"},
          "angle of the steering wheel, or whatever steers: the travel of a rack",
          true};
}
Role yaw_rate() { return {"yaw_rate", "rad/s", {"yaw_rate", "yaw_velocity"}, "about z"}; }
Role sideslip() {
  return {"sideslip", "rad", {"sideslip", "sideslip_angle", "beta"}, "angle from the car's axis to its velocity"};
}
Role roll() { return {"roll", "rad", {"roll", "roll_angle", "car_roll"}, "roll angle of the body"}; }
Role speed() { return {"speed", "m/s", {"speed", "velocity", "speed_along"}, "of the car along the road"}; }

// Those of wheels on rails, and accelerations.
std::vector<Role> rail_roles_with_accelerations() {
  std::vector<Role> out = rail_roles();
  out.push_back(lateral()), out.push_back(vertical());
  out.push_back(
      {"bogie_acceleration", "m/s^2", {"bogie_acceleration"}, "of the bogie frame above an axle, to the left"});
  return out;
}

std::vector<EvaluationSetting> settings_of_en14363() {
  return {{"cutoff", "Hz", "20", "of the low-pass filter of forces, Butterworth of order 4"},
          {"window", "m", "2", "of the sliding mean of Y/Q and the sum of Y"},
          {"interval", "m", "0.5", "between its values"},
          {"section", "m", "100", "length of the sections of the track of which each has its values"},
          {"static_load", "N", "", "static force Q0 of a wheel; default: the mean of each over the run"},
          {"friction", "-", "0.36", "between wheel and rail, for the limit of Nadal", at_least(0)},
          {"flange_angle",
           "rad",
           "70 deg",
           "of the wheel, for the same",
           {.low = 0, .high = std::numbers::pi / 2, .low_excluded = true}},
          {"yq_limit", "-", "0.8", "limit of the 99.85 % value of Y/Q"},
          {"unloading_limit", "-", "0.6", "limit of dQ/Q0"},
          {"prudhomme_factor", "-", "1", "k of the limit of the sum of Y; 0.85 of freight wagons"},
          {"bogie_mass", "kg", "", "of the frame, for the limit 12 - m/5 t of its acceleration", at_least(0)},
          {"instability_window", "m", "100",
           "of the sliding rms of the sum of Y and of bogie_acceleration, the criteria of instability"},
          {"instability_frequency", "Hz", "",
           "middle of their band, 2 Hz to either side; default: where the density of each is largest"}};
}

// Of all that `rail` does.
std::vector<Role> roles_of_rail_vehicles() {
  std::vector<Role> out = rail_roles_with_accelerations();
  out.push_back(longitudinal());
  return out;
}
std::vector<EvaluationSetting> settings_of_rail() {
  std::vector<EvaluationSetting> out = settings_of_en14363();
  out.push_back({"block", "s", "5", "length of the pieces whose rms count for the comfort"});
  out.push_back({"use", "", "comfort", "of Wz: comfort, of passengers; ride, of the vehicle"});
  return out;
}

Role needed(Role role) {
  role.is_required = true;
  return role;
}

std::string spelled(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string text_of_range(const Range& range, const std::string& unit) {
  const std::string low = fmt::format("{} {:g}", range.low_excluded ? "above" : "at least", range.low);
  return low + (std::isfinite(range.high) ? fmt::format(" and at most {:.4g}", range.high) : "") +
         (unit == "-" ? "" : " " + unit);
}

bool is_of(const std::string& channel, const std::string& last) {
  return channel == last || channel.ends_with("." + last);
}

}  // namespace

const std::vector<Standard>& standards() {
  static const std::vector<Standard> all = {
      {"en12299",
       "ride comfort of passengers in trains (EN 12299): mean comfort N_MV of the 95 % values of weighted "
       "accelerations",
       "accelerations of the car body's floor, one axis or more; the standard has 5 minutes",
       {longitudinal(), lateral(), vertical()},
       {{"block", "s", "5", "length of the pieces whose rms count"}},
       false,
       evaluate_en12299},
      {"en14363",
       "running safety and track loading (EN 14363, UIC 518): Y/Q, sum of Y, Q, unloading, with the limits of Nadal "
       "and Prud'homme; body accelerations",
       "forces of wheels on rails (channels Y and Q of wheel_rail elements) at a speed that stays forward",
       rail_roles_with_accelerations(), settings_of_en14363(), false, evaluate_en14363},
      {"iso2631",
       "whole-body vibration (ISO 2631-1): weighted rms, running rms and MTVV, VDV, crest factor by axis, total value",
       "accelerations of the seat or the body, one axis or more, in axes that stand with the person",
       {longitudinal(),
        lateral(),
        vertical(),
        {"backrest_acceleration",
         "m/s^2",
         {"backrest_acceleration", "backrest.ax"},
         "of the seat back, forward; weighted by Wc"}},
       {{"use", "", "comfort", "comfort: all axes alike; health: x and y times 1.4"},
        {"window", "s", "1", "of the running rms"}},
       false,
       evaluate_iso2631},
      {"iso3888",
       "lane change (ISO 3888-1 double lane change, -2 obstacle avoidance): cones kept or hit, clearances, entry speed",
       "the path of the car through the course: of one run, or of several at rising speeds",
       {{"x", "m", {"x"}, "of the car's reference point along the course", true},
        {"y", "m", {"y"}, "of the same, to the left", true},
        {"yaw", "rad", {"yaw", "yaw_angle"}, "of the car, to the left", true},
        speed()},
       {{"course", "", "1", "part of the standard, 1 or 2"},
        {"width", "m", "", "width of the car without mirrors"},
        {"length", "m", "", "length of the car"},
        {"front", "m", "", "from the reference point to the front end; default: half the length", any()},
        {"start", "m", "0", "x of the first cones", any()},
        {"centre", "m", "0", "y of the middle of the first lane", any()}},
       true,
       evaluate_iso3888},
      {"iso4138",
       "steady circle (ISO 4138): understeer gradient, gradients of steering wheel, sideslip and roll, characteristic "
       "speed",
       "a slow ramp of steering or speed, or several runs that end in steady turns",
       {steering(), needed(lateral()), speed(), yaw_rate(), sideslip(), roll()},
       {{"wheelbase", "m", "", "for the understeer gradient and the characteristic speed"},
        {"steering_ratio", "-", "", "steering wheel angle over steer angle of the wheels, for the same", any()},
        {"low", "m/s^2", "0.5", "lateral acceleration from which on the lines are fitted", at_least(0)},
        {"high", "m/s^2", "4", "and up to which"},
        {"settled", "s", "0.5", "several runs: means over this end of each"}},
       true,
       evaluate_iso4138},
      {"iso7401",
       "transient response (ISO 7401): step steer: response times, peak response times, overshoot, gains; sine: lags "
       "and gains",
       "a step of the steering that is held, or one period of a sine, at constant speed",
       {steering(), lateral(), yaw_rate(), sideslip(), roll()},
       {{"test", "", "auto", "step, sine, or auto: by whether the steering ends where it began"},
        {"settled", "s", "0.5", "step: steady values are means over this end of the run"}},
       false,
       evaluate_iso7401},
      {"rail",
       "all of a rail vehicle at once: en14363, en12299, sperling and wear, as far as there are channels for them",
       "forces of wheels on rails (channels Y, Q and power of wheel_rail elements), accelerations of the car body",
       roles_of_rail_vehicles(), settings_of_rail(), false, evaluate_rail},
      {"sperling",
       "ride index Wz after Sperling: of passengers (comfort) or of the vehicle (ride)",
       "accelerations of the car body's floor above a bogie",
       {lateral(), vertical()},
       {{"use", "", "comfort", "comfort: of passengers; ride: of the vehicle"}},
       false,
       evaluate_sperling},
      {"statistics",
       "mean, standard deviation, rms, extremes, percentiles, crossings of the mean",
       "any channels",
       {},
       {{"channels", "", "", "names or formulas, repeatable; default: all that are recorded"}},
       false,
       evaluate_statistics},
      {"wear",
       "wear number T gamma of wheels on rails: what creep dissipates a metre",
       "channels `power` of wheel_rail elements at a speed that stays forward",
       {rail_roles()[2], rail_roles()[3]},
       {},
       false,
       evaluate_wear},
  };
  return all;
}

const Standard* find_standard(const std::string& name) {
  const auto found = std::ranges::find(standards(), name, &Standard::name);
  return found == standards().end() ? nullptr : &*found;
}

void EvaluationInputs::fail(const std::string& what, const std::string& advice) const {
  throw ModelError(request_.where, standard_.name + ": " + what, advice);
}

std::optional<std::string> EvaluationInputs::given(const std::string& name) const {
  for (const auto& [key, value] : request_.given) {
    if (key == name) return value;
  }
  return {};
}

// By its whole name first; by its last part if only one channel has it, and of coordinates only where no channel has.
std::optional<std::string> EvaluationInputs::usual_channel(const Role& role, const SignalSource& signals) const {
  for (const std::string& usual : role.usual) {
    if (std::ranges::find(signals.names, usual) != signals.names.end()) return usual;
  }
  for (const std::string& usual : role.usual) {
    std::vector<std::string> fitting;
    for (const std::string& name : signals.names) {
      if (is_of(name, usual)) fitting.push_back(name);
    }
    const auto is_state = [&](const std::string& name) {
      return std::ranges::find(signals.states, name) != signals.states.end();
    };
    if (!std::ranges::all_of(fitting, is_state)) std::erase_if(fitting, is_state);
    if (fitting.size() == 1) return fitting[0];
    if (fitting.size() > 1 && role.is_required)
      fail("several channels may be the " + spelled(role.name) + ".",
           suggest(usual, fitting, "These are") + " Say which: --" + spelled(role.name) + " " + fitting[0] + ".");
  }
  return {};
}

std::optional<Signal> EvaluationInputs::channel(const std::string& name, std::size_t run) const {
  const auto role = std::ranges::find(standard_.roles, name, &Role::name);
  const SignalSource& signals = runs_[run].signals;
  const auto told = given(name);
  const auto text = told ? told : usual_channel(*role, signals);
  if (!text) return {};
  Signal s = evaluate_formula(*text, signals, request_.where);
  if (s.is_number()) fail("\"" + *text + "\" is a number, not a record over time.", "Name a channel.");
  if (!role->unit.empty() && parse_unit(s.unit).dimension != parse_unit(role->unit).dimension)
    fail("\"" + *text + "\" is in " + s.unit + ", but the " + name + " is a quantity in " + role->unit + ".",
         "Name another channel with --" + spelled(name) + ".");
  if (!role->unit.empty()) s.unit = role->unit;             // an atan2 is rad here,
  if (role->unit.empty() && s.unit == "-") s.unit = "rad";  // and what steers without a unit is an angle
  if (run == 0) has_taken(name, *text);
  return s;
}

void EvaluationInputs::has_taken(const std::string& role, const std::string& channel) const {
  if (std::ranges::find(used_, role, &std::pair<std::string, std::string>::first) == used_.end())
    used_.emplace_back(role, channel);
}

Evaluation EvaluationInputs::by(const std::string& name) const {
  const Standard& other = *find_standard(name);
  EvaluationRequest request{.standard = name, .where = request_.where};
  for (const auto& [key, value] : request_.given) {
    const bool is_role = std::ranges::find(other.roles, key, &Role::name) != other.roles.end();
    const bool is_setting = std::ranges::find(other.settings, key, &EvaluationSetting::name) != other.settings.end();
    if (is_role || is_setting || key == "from" || key == "to") request.given.emplace_back(key, value);
  }
  Evaluation out = evaluate_as_recorded(request, runs_);
  for (const auto& [role, channel] : out.channels) has_taken(role, channel);
  return out;
}

Signal EvaluationInputs::required(const std::string& name, std::size_t run) const {
  if (auto s = channel(name, run)) return *s;
  const auto role = std::ranges::find(standard_.roles, name, &Role::name);
  std::string usual;
  for (const std::string& each : role->usual) usual += (usual.empty() ? "" : ", ") + each;
  fail("the channel " + name + " (" + role->help + ") is missing in " + runs_[run].name + ": none is called " + usual +
           ".",
       "Name it with --" + spelled(name) + " CHANNEL, which may be a formula; or record it, under outputs: {" + name +
           ": ...}. " + suggest(role->usual[0], runs_[run].signals.names, "Channels"));
}

std::optional<double> EvaluationInputs::quantity(const std::string& name) const {
  const auto setting = std::ranges::find(standard_.settings, name, &EvaluationSetting::name);
  const std::string unit = setting == standard_.settings.end() ? "s" : setting->unit;  // from and to
  const auto told = given(name);
  const std::string text = told ? *told : setting == standard_.settings.end() ? "" : setting->initial;
  if (text.empty()) return {};
  const Quantity q = parse_quantity(text, request_.where);
  if (q.unit && q.unit->dimension != parse_unit(unit).dimension)
    fail(name + " is \"" + text + "\", but is a quantity in " + unit + ".", "");
  if (setting != standard_.settings.end() && !setting->range.contains(q.si()))
    fail(name + " is \"" + text + "\", but must be " + text_of_range(setting->range, unit) + ".", "");
  return q.si();
}

void EvaluationInputs::refuse_many(const std::string& name, double count) const {
  constexpr double most = 1e7;
  if (count > most)
    fail(fmt::format("{} is so short that there would be {:.3g} values.", name, count), "Give a longer one.");
}

double EvaluationInputs::quantity_or_refuse(const std::string& name) const {
  if (const auto value = quantity(name)) return *value;
  const auto setting = std::ranges::find(standard_.settings, name, &EvaluationSetting::name);
  fail("it is not said what " + name + " is: " + setting->help + ".",
       "Give --" + spelled(name) + " in " + setting->unit + ".");
}

std::string EvaluationInputs::text(const std::string& name) const {
  const auto setting = std::ranges::find(standard_.settings, name, &EvaluationSetting::name);
  return given(name).value_or(setting->initial);
}

std::vector<std::string> EvaluationInputs::list(const std::string& name) const {
  std::vector<std::string> out;
  for (const auto& [key, value] : request_.given) {
    if (key == name) out.push_back(value);
  }
  return out;
}

Signal EvaluationInputs::within(const Signal& s) const {
  const double from = quantity("from").value_or(s.x.front()), to = quantity("to").value_or(s.x.back());
  if (!(from < to) || from >= s.x.back() || to <= s.x.front())
    fail("nothing is recorded between `from` and `to`.", "Give times within the run.");
  return from <= s.x.front() && to >= s.x.back() ? s : part(s, from, to);
}

}  // namespace skyhook::analysis
