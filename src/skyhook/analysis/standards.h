// The standards that `skyhook evaluate` knows: what each needs, and how it is computed. Definitions: docs/evaluation.md.
#pragma once
#include <functional>
#include <optional>

#include "skyhook/analysis/evaluate.h"
#include "skyhook/base/field.h"

namespace skyhook::analysis {

// A channel that a standard needs.
struct Role {
  std::string name, unit;          // "lateral_acceleration", "m/s^2"
  std::vector<std::string> usual;  // names that are taken without being told, also as the last part of a name
  std::string help;
  bool is_required = false;
};

struct EvaluationSetting {
  std::string name, unit, initial;  // unit empty: a text; initial empty: none
  std::string help;
  Range range = positive();  // SI
};

class EvaluationInputs;

struct Standard {
  std::string name, help;
  std::string needs;  // what to drive and to record, for --help
  std::vector<Role> roles;
  std::vector<EvaluationSetting> settings;
  bool takes_several_runs = false;
  void (*evaluate)(const EvaluationInputs& inputs, Evaluation& out);
};

const std::vector<Standard>& standards();
const Standard* find_standard(const std::string& name);  // nullptr: unknown

// The channels of the roles, and settings with their defaults.
class EvaluationInputs {
 public:
  EvaluationInputs(const Standard& standard, const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs)
      : standard_(standard), request_(request), runs_(runs) {}

  std::size_t runs() const { return runs_.size(); }
  const EvaluatedRun& run(std::size_t k) const { return runs_[k]; }
  std::optional<Signal> channel(const std::string& role,
                                std::size_t run = 0) const;  // none: it is not there and not needed
  Signal required(const std::string& role, std::size_t run = 0) const;
  std::optional<double> quantity(const std::string& setting) const;
  double quantity_or_refuse(const std::string& setting) const;
  void refuse_many(const std::string& setting, double count) const;  // values that a short setting would make
  std::string text(const std::string& setting) const;
  std::vector<std::string> list(const std::string& setting) const;
  // Part of a signal by the settings `from` and `to`, which every standard has.
  Signal within(const Signal& s) const;
  const std::vector<std::pair<std::string, std::string>>& used() const { return used_; }
  void has_taken(const std::string& role, const std::string& channel) const;  // without being told
  // What another standard says of the same, with those roles and settings that it knows.
  Evaluation by(const std::string& standard) const;
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const;

 private:
  std::optional<std::string> given(const std::string& name) const;
  std::optional<std::string> usual_channel(const Role& role, const SignalSource& signals) const;
  const Standard& standard_;
  const EvaluationRequest& request_;
  const std::vector<EvaluatedRun>& runs_;
  mutable std::vector<std::pair<std::string, std::string>> used_;
};

// Without the doubts of record_doubts.h.
Evaluation evaluate_as_recorded(const EvaluationRequest& request, const std::vector<EvaluatedRun>& runs);

void evaluate_en12299(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_en14363(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_rail(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_sperling(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_wear(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_iso2631(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_iso3888(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_iso4138(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_iso7401(const EvaluationInputs& inputs, Evaluation& out);
void evaluate_statistics(const EvaluationInputs& inputs, Evaluation& out);

// Wz of the rms of a weighted acceleration in m/s^2: (2^(1/2) rms in cm/s^2)^0.3, of a sine the amplitude to that power.
double ride_index(double weighted_rms);

}  // namespace skyhook::analysis
