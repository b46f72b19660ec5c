#include <memory>
#include <stdexcept>

#include "skyhook/formulation/ggl.h"
#include "skyhook/formulation/mechanical.h"
#include "skyhook/formulation/partitioning.h"
#include "skyhook/formulation/projected.h"
#include "skyhook/io/model_file/model_reader.h"
#include "skyhook/simulation/prepare.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

// What the integrators ask for, at the start of an experiment. Time alternates between two instants, so that what is kept
// from one call to the next where it has not changed is computed anew, as within a step.
class Loop {
 public:
  Loop(const std::string& file, const std::string& experiment)
      : prepared_(prepare(file, experiment)),
        ggl_(prepared_.active),
        projected_(prepared_.active, {}),
        mechanical_(prepared_.active),
        partitioning_(prepared_.active, prepared_.state),
        terms_(mechanical_.sizes()),
        y_(ggl_.structure().size()),
        yp_(y_),
        out_(y_),
        x_(partitioning_.initial()),
        xp_(x_) {
    std::copy(prepared_.state.q.begin(), prepared_.state.q.end(), y_.begin() + ggl_.q());
    std::copy(prepared_.state.v.begin(), prepared_.state.v.end(), y_.begin() + ggl_.v());
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void residual() { check(ggl_.residual({next(), y_, yp_}, out_, *of_ggl_), *of_ggl_); }
  void right_hand_side() {
    check(projected_.rhs(next(), state(), Span(out_).first(state().size()), *of_projected_), *of_projected_);
  }
  void stage() {  // of a half-explicit method, without the solution
    const auto nq = static_cast<std::size_t>(prepared_.active->nq());
    const CSpan q = state().first(nq), v = state().subspan(nq);
    const double t = next();
    mechanical_.matrices(t, q, v, terms_, *of_mechanical_);
    check(mechanical_.force(t, q, v, terms_, *of_mechanical_), *of_mechanical_);
  }
  void partitioned() { check(partitioning_.rhs(next(), x_, xp_, *of_partitioning_), *of_partitioning_); }
  std::string size() const {
    return std::to_string(prepared_.active->nv()) + ", " + std::to_string(prepared_.active->ng());
  }

 private:
  static simulation::Prepared prepare(const std::string& file, const std::string& experiment) {
    auto model = std::make_shared<const model::Model>(
        io::read_model(SKYHOOK_MODELS "/" + file + ".yaml", std::vector<io::Setting>{}, experiment));
    for (const auto& e : model->experiments) {
      if (e.name == experiment) return simulation::prepare(model, e);
    }
    throw std::runtime_error(file + " has no experiment " + experiment);
  }
  static void check(Eval e, const Workspace& workspace) {
    if (e != Eval::ok) throw std::runtime_error(workspace.blame);
  }
  CSpan state() const { return CSpan(y_).first(prepared_.state.q.size() + prepared_.state.v.size()); }
  double next() { return prepared_.state.t + ((is_odd_ = !is_odd_) ? 1e-9 : 0.0); }

  simulation::Prepared prepared_;
  formulation::Ggl ggl_;
  formulation::Projected projected_;
  formulation::Mechanical mechanical_;
  formulation::Partitioning partitioning_;
  std::unique_ptr<Workspace> of_ggl_ = ggl_.workspace(), of_projected_ = projected_.workspace(),
                             of_mechanical_ = mechanical_.workspace(), of_partitioning_ = partitioning_.workspace();
  MechanicalTerms terms_;
  std::vector<double> y_, yp_, out_, x_, xp_;
  bool is_odd_ = false;
};

}  // namespace

void accelerations(Report& report) {
  const std::vector<std::pair<std::string, std::string>> models = {{"mechanisms/four_bar", "turn"},
                                                                   {"mechanisms/andrews", "squeeze"},
                                                                   {"suspension/five_link", "bump"},
                                                                   {"car/four_post", "warp"}};
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<Call> calls;
  for (const auto& [file, experiment] : models) {
    loops.push_back(std::make_unique<Loop>(file, experiment));
    calls.push_back([loop = loops.back().get()] { loop->residual(); });
    calls.push_back([loop = loops.back().get()] { loop->right_hand_side(); });
    calls.push_back([loop = loops.back().get()] { loop->stage(); });
    calls.push_back([loop = loops.back().get()] { loop->partitioned(); });
  }
  const auto seconds = least_seconds(calls);
  Table table;
  table.add_column("model");
  table.add_column("coordinates, constraints");
  table.add_column("residual", "us", 4);
  table.add_column("accelerations", "us", 4);
  table.add_column("accelerations / residual", "", 3);
  table.add_column("half-explicit stage / residual", "", 3);
  table.add_column("partitioned / residual", "", 3);
  for (std::size_t k = 0; k < models.size(); ++k) {
    const double* const s = &seconds[4 * k];
    table.add_row({models[k].first, loops[k]->size(), 1e6 * s[0], 1e6 * s[1], s[1] / s[0], s[2] / s[0], s[3] / s[0]});
  }
  report.add("accelerations", "Accelerations under constraints (matrices, factorisation and solution) in residuals",
             table);
}

}  // namespace skyhook::bench
