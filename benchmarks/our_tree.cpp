#include "our_tree.h"

#include <algorithm>
#include <stdexcept>

#include "skyhook/io/model_file/model_reader.h"

namespace skyhook::bench {
namespace {

using formalism::recursive::Equations;

std::shared_ptr<const Equations> equations_of(const Workload& w) {
  const std::string folder = SKYHOOK_MODELS;
  const std::vector<io::Setting> size{{"N", std::to_string(w.bodies.size())}};
  auto read = [&] {
    if (w.name.starts_with("chain")) return io::read_model(folder + "/mechanisms/chain.yaml", size);
    if (w.name.starts_with("binary")) return io::read_model(folder + "/bench/binary_tree.yaml", size);
    return io::read_model(folder + "/bench/free_bodies.yaml");
  };
  const auto model = std::make_shared<const model::Model>(read());
  return std::make_shared<const Equations>(model, formalism::choose_tree(*model));
}

// Where the coordinates of body (and joint) b start in the order of the tree.
const formalism::recursive::Coordinate& first_coordinate(const Equations& equations, int b) {
  return equations.tree().coordinates[b].front();
}

}  // namespace

OurTree::OurTree(const Workload& w)
    : equations_(equations_of(w)),
      problem_(equations_),
      workspace_(problem_.workspace()),
      equations_workspace_(equations_->workspace()),
      y_(problem_.structure().size()),
      yp_(y_),
      F_(y_),
      a_(equations_->nv()),
      dF_dy_(problem_.structure().pattern),
      dF_dyp_(problem_.structure().pattern) {
  auto q = w.q.begin(), v = w.v.begin(), a = w.a.begin();
  for (int b = 0; b < w.size(); ++b) {
    const auto& to = first_coordinate(*equations_, b);
    const int nq = w.bodies[b].nq(), nv = w.bodies[b].nv();
    std::copy_n(q, nq, y_.begin() + problem_.q() + to.iq), q += nq;
    std::copy_n(v, nv, y_.begin() + problem_.v() + to.iv), v += nv;
    std::copy_n(a, nv, yp_.begin() + problem_.v() + to.iv), a += nv;
  }
  const CSpan y(y_);
  equations_->kinematics(y.first(equations_->nq()), y.subspan(problem_.v(), equations_->nv()),
                         Span(yp_).first(equations_->nq()));
}

void OurTree::residual() {
  if (problem_.residual({0.0, y_, yp_}, F_, *workspace_) != Eval::ok) throw std::runtime_error(workspace_->blame);
}

void OurTree::forward() {
  const CSpan y(y_);
  const formalism::Input in{0.0, y.first(equations_->nq()), y.subspan(problem_.v(), equations_->nv()), a_, {}, {}};
  if (equations_->accelerations(in, a_, equations_workspace_) != Eval::ok)
    throw std::runtime_error(equations_workspace_.blame);
}

void OurTree::derivatives() {
  if (problem_.derivatives({0.0, y_, yp_}, dF_dy_, dF_dyp_, *workspace_) != Eval::ok)
    throw std::runtime_error(workspace_->blame);
}

std::vector<double> OurTree::by_body(CSpan tree_order) const {
  std::vector<double> out;
  const auto& tree = equations_->tree();
  for (int b = 0; b < static_cast<int>(tree.node_of_body.size()); ++b) {
    const auto from = tree_order.begin() + first_coordinate(*equations_, b).iv;
    out.insert(out.end(), from, from + tree.nodes[tree.node_of_body[b]].nv());
  }
  return out;
}

std::vector<double> OurTree::residual_forces() { return by_body(CSpan(F_).subspan(problem_.v(), equations_->nv())); }
std::vector<double> OurTree::accelerations() { return by_body(a_); }

}  // namespace skyhook::bench
