// What a body that bends costs: a beam on a driven hinge, with a second body hinged to its tip, as a rigid body and with modes. Residual, exact
// derivatives, explicit accelerations.
#include <fmt/format.h>

#include "skyhook/formalism/modal_bodies.testing.h"
#include "skyhook/formalism/recursive/equations.h"
#include "tables.h"
#include "timing.h"

namespace skyhook::bench {
namespace {

using formalism::recursive::Equations;

// Two bodies on hinges about z, 1 m apart.
std::shared_ptr<model::Model> two_bodies(int shapes) {
  auto m = std::make_shared<model::Model>();
  formalism::testing::Random random(1);
  for (int b = 0; b < 2; ++b) {
    model::Body body;
    body.name = b == 0 ? "beam" : "load", body.mass = 1, body.at = {1.0 * b, 0, 0}, body.com = {b + 0.5, 0, 0};
    body.inertia = Mat3d::diagonal({0.01, 0.1, 0.1});
    m->bodies.push_back(body);
    m->joints.push_back(formalism::testing::make_joint(b == 0 ? "hub" : "tip", "revolute", b - 1, b, body.at, random));
    m->joints.back().at_from = m->joints.back().at_to = body.at;
  }
  if (shapes > 0) {
    formalism::testing::Beam beam{.EIy = 100, .EIz = 100, .shapes = shapes, .damping = 0.01, .stiffens = true};
    formalism::testing::put_modal(std::make_shared<const model::ModalBody>(formalism::testing::cantilever(beam)),
                                  m->bodies[0]);
  }
  return m;
}

class BentTree {
 public:
  explicit BentTree(int shapes)
      : model_(two_bodies(shapes)), eq_(model_, formalism::choose_tree(*model_)), ws_(eq_.workspace()) {
    const auto n = static_cast<std::size_t>(eq_.nv());
    q_.assign(static_cast<std::size_t>(eq_.nq()), 1e-3), v_.assign(n, 0.1), a_.assign(n, 0.2), tau_.resize(n),
        qdot_.resize(q_.size());
    for (auto* values : {&stiffness_, &damping_, &mass_}) {
      values->resize(static_cast<std::size_t>(eq_.tangent_pattern().nonzeros()));
      for (int j = 0; j < eq_.nv(); ++j) columns_.push_back(values->data() + eq_.tangent_pattern().start[j]);
    }
    none_.resize(n);
  }
  void residual() { eq_.residual(in(), {tau_, qdot_, {}, {}}, ws_); }
  void accelerations() { eq_.accelerations(in(), tau_, ws_); }
  void derivatives() {
    const auto n = static_cast<std::size_t>(eq_.nv());
    double* const* const c = columns_.data();
    eq_.derivatives(in(), {c, c + n, c + 2 * n, none_.data(), none_.data(), none_.data()}, ws_);
  }
  int size() const { return eq_.nv(); }

 private:
  formalism::Input in() const { return {0.0, q_, v_, a_, {}, {}}; }
  std::shared_ptr<model::Model> model_;
  Equations eq_;
  Equations::Workspace ws_;
  std::vector<double> q_, v_, a_, tau_, qdot_, stiffness_, damping_, mass_;
  std::vector<double*> columns_, none_;
};

}  // namespace

void flexible(Report& report) {
  Table table;
  table.add_column("modes of the beam"), table.add_column("residual", "ns", 3),
      table.add_column("derivatives", "ns", 3), table.add_column("accelerations", "ns", 3);
  for (const int shapes : {0, 1, 3, 5, 10, 20}) {
    BentTree tree(shapes);
    const std::vector<double> seconds =
        least_seconds({[&] { tree.residual(); }, [&] { tree.derivatives(); }, [&] { tree.accelerations(); }});
    std::vector<Cell> row{std::to_string(2 * shapes)};
    for (const double s : seconds) row.emplace_back(1e9 * s);
    table.add_row(std::move(row));
  }
  report.add("flexible", "A beam with modes on a hinge, and a body hinged to its tip", table);
}

}  // namespace skyhook::bench
