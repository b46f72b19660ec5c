#include "skyhook/formalism/coordinate_motion.h"

#include "skyhook/formalism/body_motion.h"
#include "skyhook/formalism/recursive/equations.h"

namespace skyhook::formalism {

using recursive::Equations;
using Nodes = std::vector<recursive::NodeState>;

struct CoordinateMotion::Measured {
  int joint;
  recursive::Pair pair;
  recursive::MeasuredCoordinate coordinate;

  recursive::PairMotion motion(const Nodes& nodes) const {
    recursive::PairMotion m;
    relative_motion(pair, nodes, 0.0, m);
    return m;
  }
  double value(const Equations& eq, const Nodes& nodes) const {
    const recursive::PairMotion m = motion(nodes);
    return coordinate.value(m.rel.r, m.rel.R, eq.angles_of(joint));
  }
  double rate(const Equations& eq, const Nodes& nodes) const {
    const recursive::PairMotion m = motion(nodes);
    return dot(coordinate.unit(m.rel.R, eq.angles_of(joint)), coordinate.turns() ? m.rel.w : m.rel.v);
  }
  // (unit . w)' = unit . w' + unit' . w, with R' = w x R.
  double acceleration(const Equations& eq, const Nodes& nodes) const {
    const recursive::PairMotion m = motion(nodes);
    Vec3d rdd, wd;
    relative_acceleration(pair, nodes, m, rdd, wd);
    Mat3<Dual<1>> R;
    for (int j = 0; j < 3; ++j) {
      const Vec3d rate = cross(m.rel.w, m.rel.R.column(j));
      for (int i = 0; i < 3; ++i) R[i][j].v = m.rel.R[i][j], R[i][j].d[0] = rate[i];
    }
    const Vec3<Dual<1>> unit = coordinate.unit(R, eq.angles_of(joint));
    const Vec3d now{unit.x.v, unit.y.v, unit.z.v}, change{unit.x.d[0], unit.y.d[0], unit.z.d[0]};
    const bool turns = coordinate.turns();
    return dot(now, transpose_times(m.R_A, turns ? wd : rdd)) + dot(change, turns ? m.rel.w : m.rel.v);
  }
};

CoordinateMotion::CoordinateMotion(const Equations& eq, int joint, int scalar) {
  const recursive::Tree& tree = eq.tree();
  if (!eq.is_cut(joint)) {
    const auto& at = tree.coordinates[static_cast<std::size_t>(joint)][static_cast<std::size_t>(scalar)];
    iq_ = at.iq, iv_ = at.iv, node_ = at.node;
    return;
  }
  const model::Joint& j = eq.model().joints[static_cast<std::size_t>(joint)];
  const Mat3d design = Mat3d::identity();
  measured_ = std::make_shared<const Measured>(Measured{
      joint, recursive::make_pair(tree, tree.place(j.from, j.at_from, design), tree.place(j.to, j.at_to, design)),
      recursive::MeasuredCoordinate(j, scalar)});
}

double CoordinateMotion::value(const Snapshot& s) const {
  if (measured_) return measured_->value(s.equations(), s.nodes);
  return node_ >= 0 ? s.nodes[static_cast<std::size_t>(node_)].drive.value : s.q[static_cast<std::size_t>(iq_)];
}

double CoordinateMotion::rate(const Snapshot& s) const {
  if (measured_) return measured_->rate(s.equations(), s.nodes);
  return node_ >= 0 ? s.nodes[static_cast<std::size_t>(node_)].drive.rate : s.v[static_cast<std::size_t>(iv_)];
}

double CoordinateMotion::acceleration(const Snapshot& s) const {
  if (measured_) return measured_->acceleration(s.equations(), s.nodes);
  return node_ >= 0 ? s.nodes[static_cast<std::size_t>(node_)].drive.acceleration : s.a[static_cast<std::size_t>(iv_)];
}

double CoordinateMotion::value(const Equations& eq, const State& s) const {
  if (measured_) return measured_->value(eq, nodes_of(eq, s));
  return node_ >= 0 ? eq.tree().nodes[static_cast<std::size_t>(node_)].drive->at(s.t).value -
                          eq.tree().nodes[static_cast<std::size_t>(node_)].drive_reference
                    : s.q[static_cast<std::size_t>(iq_)];
}

double CoordinateMotion::rate(const Equations& eq, const State& s) const {
  if (measured_) return measured_->rate(eq, nodes_of(eq, s));
  return node_ >= 0 ? eq.tree().nodes[static_cast<std::size_t>(node_)].drive->at(s.t).rate
                    : s.v[static_cast<std::size_t>(iv_)];
}

}  // namespace skyhook::formalism
