#include "model_point.h"

#include <cmath>
#include <stdexcept>

#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::bench {
namespace {

simulation::Prepared prepare(const ModelChoice& choice) {
  std::vector<io::Setting> settings;
  if (choice.n > 0) settings.push_back({"N", std::to_string(choice.n)});
  auto model = std::make_shared<const model::Model>(
      io::read_model(SKYHOOK_MODELS "/" + choice.file + ".yaml", settings, choice.experiment));
  for (const auto& e : model->experiments) {
    if (choice.experiment.empty() || e.name == choice.experiment) return simulation::prepare(model, e);
  }
  throw std::runtime_error(choice.file + " has no experiment " + choice.experiment);
}

void check(Eval e, const Workspace& workspace) {
  if (e != Eval::ok) throw std::runtime_error(workspace.blame);
}

}  // namespace

ModelPoint::ModelPoint(const ModelChoice& choice)
    : prepared_(prepare(choice)),
      problem_(prepared_.active),
      workspace_(problem_.workspace()),
      y_(problem_.structure().size()),
      yp_(y_),
      F_(y_),
      dF_dy_(problem_.structure().pattern),
      dF_dyp_(problem_.structure().pattern) {
  for (std::size_t i = 0; i < y_.size(); ++i)  // nothing is zero, as in a run
    y_[i] = 0.1 * std::sin(1.0 + static_cast<double>(i)), yp_[i] = 0.1 * std::cos(2.0 + 3.0 * static_cast<double>(i));
  std::copy(prepared_.state.q.begin(), prepared_.state.q.end(), y_.begin() + problem_.q());
  if (choice.moves) std::copy(prepared_.state.v.begin(), prepared_.state.v.end(), y_.begin() + problem_.v());
}

// Time alternates between two instants, so that nothing can be kept from one call to the next.
Point ModelPoint::next() { return {prepared_.state.t + ((is_odd_ = !is_odd_) ? 1e-9 : 0.0), y_, yp_}; }

void ModelPoint::residual() { check(problem_.residual(next(), F_, *workspace_), *workspace_); }
void ModelPoint::derivatives() { check(problem_.derivatives(next(), dF_dy_, dF_dyp_, *workspace_), *workspace_); }
void ModelPoint::mass() { problem_.mass(next(), dF_dyp_, *workspace_); }
std::string ModelPoint::size() const {
  return std::to_string(prepared_.active->nv()) + ", " + std::to_string(prepared_.active->ng());
}

std::vector<ModelChoice> jacobian_models() {
  return {{"rear axle on a stamp", "suspension/axle_on_stamp"},
          {"double wishbone", "suspension/double_wishbone"},
          {"five-link suspension", "suspension/five_link"},
          {"car on four posts", "car/four_post"},
          {"Andrews", "mechanisms/andrews"},
          {"40 four-bars", "mechanisms/n_four_bar", "swing", 40}};
}

}  // namespace skyhook::bench
