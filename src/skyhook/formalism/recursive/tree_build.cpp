// The tree of a model, link by link.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "skyhook/flexible/lost_inertia.h"
#include "skyhook/formalism/recursive/completed_moments.h"
#include "skyhook/formalism/recursive/places_in_use.h"
#include "skyhook/formalism/recursive/tree.h"
#include "skyhook/model/on_line.h"

namespace skyhook::formalism::recursive {
namespace {

using model::Dof;

void set_axis(Node& node, const Vec3d& axis) {
  node.axis = axis;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(axis[k]) == 1.0) node.axis_code = static_cast<std::int8_t>(k), node.axis_sign = axis[k];
  }
}

// A unit vector across gravity; exactly so where a coordinate axis is.
Vec3d across(const Vec3d& gravity) {
  int least = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(gravity[k]) < std::abs(gravity[least])) least = k;
  }
  Vec3d axis;
  axis[least] = 1;
  if (gravity[least] == 0) return axis;
  return normalized(axis - (gravity[least] / dot(gravity, gravity)) * gravity);
}

// A guide whose `to` is the parent in the tree: the pose of `from` seen from there.
struct Reversed final : model::GuideLaw<Reversed> {
  std::shared_ptr<const model::Guide> guide;
  explicit Reversed(std::shared_ptr<const model::Guide> given) : guide(std::move(given)) {}
  int coordinates() const override { return guide->coordinates(); }
  std::string refuses(std::span<const double> q) const override { return guide->refuses(q); }
  std::string signature() const override { return guide->signature(); }
  template <class T>
  model::GuidePose<T> law(std::span<const T> q) const {
    const model::GuidePose<T> pose = guide->pose(q);
    return {-transpose_times(pose.R, pose.r), transpose(pose.R)};
  }
};

// What a law may not declare of its own coordinates.
void check_own(const model::Contribution& what, const std::vector<model::OwnCoordinate>& coordinates) {
  const model::Declared& declared = what.law->declared();
  const std::string name = what.type + " \"" + what.name + "\"";
  for (const model::OwnCoordinate& own : coordinates) {
    if (!(own.mass > 0) || !std::isfinite(own.mass))
      throw ModelError(what.where, name + ": its coordinate \"" + own.name + "\" has no inertia.",
                       "Let the law declare a mass above zero, or make it an inner state or an algebraic unknown.");
  }
  if (declared.coordinates.size() + declared.contact_variables.size() > model::most_contact_variables)
    throw ModelError(what.where,
                     name + ": its law declares more than " + std::to_string(model::most_contact_variables) +
                         " coordinates of its own and contact variables.",
                     "Split it into several elements.");
}

// What the user gives for a state or own coordinate.
std::optional<double> initial_of(const model::Contribution& what, const std::string& name) {
  const auto found = std::ranges::find(what.initial, name, &model::Contribution::Initial::name);
  return found == what.initial.end() ? std::nullopt : std::optional(found->value);
}

// What its data must be like, or the recursions read beyond their ends.
void check_modal(const model::Body& body) {
  if (!is_modal(body)) return;
  const model::ModalBody& m = *body.modal;
  const auto n = static_cast<std::size_t>(m.modes);
  const auto fits = [&](const std::vector<double>& matrix) { return matrix.empty() || matrix.size() == n * n; };
  bool ok = m.mass > 0 && m.first.size() == n + 1 && m.second.size() == (n + 1) * (n + 1) && fits(m.rotary) &&
            fits(m.stiffness) && fits(m.damping);
  for (const auto& given : m.geometric.acceleration) ok = ok && fits(given);
  for (const auto& given : m.geometric.angular_acceleration) ok = ok && fits(given);
  for (const auto& given : m.geometric.centrifugal) ok = ok && fits(given);
  for (const model::ModalPoint& p : m.points) ok = ok && p.shift.size() == n && p.turn.size() == n;
  for (const auto* given : {&body.modal_position, &body.modal_velocity})
    ok = ok && (given->empty() || given->size() == n);
  if (!ok)
    throw ModelError(body.where,
                     "body \"" + body.name + "\": the data of its modes do not fit together, or it has no mass.",
                     "Make them again: every matrix has as many rows and columns as there are modes, every point a "
                     "shift and a turn for each.");
}

class Builder {
 public:
  Builder(const model::Model& model, const Topology& topology) : model_(model), topology_(topology) {
    tree_.nodes.push_back({});
    tree_.origin.push_back({});
    tree_.root.push_back(0);
    tree_.node_of_body.assign(model.bodies.size(), -1);
    tree_.coordinates.resize(model.joints.size());
    tree_.first_node_of_joint.assign(model.joints.size(), -1);
    tree_.last_node_of_joint.assign(model.joints.size(), -1);
  }

  Tree build() {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) check_modal(model_.bodies[b]);
    for (const TreeLink& link : topology_.links) add_link(link);
    for (const model::Contribution& what : model_.contributions) {
      if (what.law) add_own(what);
    }
    for (std::size_t i = 1; i < tree_.nodes.size(); ++i) tree_.nodes[tree_.nodes[i].parent].leaf = false;
    for (const model::Contribution& what : model_.contributions) {
      if (what.inner) add_states(what, what.inner->states());
      if (what.law) add_states(what, what.law->declared().states);
    }
    number_columns();
    for (const MeshNode& mesh : tree_.meshes) load_mesh(mesh);
    return std::move(tree_);
  }

 private:
  // The six columns of each point and station stand behind all coordinates; axes are numbered as nodes come depth first.
  void number_columns() {
    tree_.first_waist = tree_.columns = tree_.nv + static_cast<int>(tree_.states.size());
    for (int i = 0; i < static_cast<int>(tree_.nodes.size()); ++i) {
      if (!tree_.nodes[i].waist) continue;
      tree_.nodes[i].iv = tree_.columns;
      tree_.points.push_back(i);
      tree_.columns += 6;
      tree_.node_of_v.resize(tree_.columns, i);
    }
    walk_depth_first();
    tree_.axis_of.assign(tree_.columns, -1);
    for (const int i : tree_.depth_first) {
      for (int k = 0; k < tree_.nodes[i].columns(); ++k) {
        tree_.axis_of[tree_.nodes[i].iv + k] = static_cast<int>(tree_.column_of_axis.size());
        tree_.column_of_axis.push_back(tree_.nodes[i].iv + k);
      }
    }
  }
  void walk_depth_first() {
    const int count = static_cast<int>(tree_.nodes.size());
    if (tree_.modal.empty() && tree_.meshes.empty()) {
      for (int i = 1; i < count; ++i) tree_.depth_first.push_back(i);
      return;
    }
    std::vector<std::vector<int>> children(count);
    for (int i = count - 1; i > 0; --i) children[tree_.nodes[i].parent].push_back(i);
    std::vector<int> stack = children[0];
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      tree_.depth_first.push_back(i);
      stack.insert(stack.end(), children[i].begin(), children[i].end());
    }
  }

  void add_states(const model::Contribution& what, const std::vector<model::InnerState>& states) {
    for (const model::InnerState& state : states) {
      tree_.states.push_back(state);
      tree_.states.back().start = initial_of(what, state.name).value_or(state.start);
      tree_.v_names.push_back(what.name + "." + state.name);
      tree_.v_owner.push_back(what.name);
      tree_.node_of_v.push_back(0);
    }
  }

  void add_own(const model::Contribution& what) {
    std::vector<model::OwnCoordinate> coordinates = what.law->declared().coordinates;
    if (!what.law->declared().inertia.empty()) {
      tree_.coupled.push_back(coupled_nodes(what));
      tree_.coupled.back().first_node = static_cast<int>(tree_.nodes.size());
      tree_.coupled.back().first_v = tree_.nv;
      for (std::size_t k = 0; k < coordinates.size(); ++k)
        coordinates[k].mass = tree_.coupled.back().M[k * (coordinates.size() + 1)];
    }
    check_own(what, coordinates);
    owner_ = what.name;
    for (model::OwnCoordinate& own : coordinates) {
      if (const auto start = initial_of(what, own.name)) own.start = start;
      if (const auto rate = initial_of(what, own.name + "_rate")) own.rate = rate;
      const int index = add_node(Node::Kind::prismatic, 0, {}, across(model_.gravity));
      Node& node = tree_.nodes[index];
      node.mass = own.mass, node.massless = false;
      tree_.own.push_back({index, node.iq, node.iv, own, what.where});
      name_scalar(own.name);
    }
  }

  // The coordinates of a link as nodes; the last one carries the body.
  void add_link(const TreeLink& link) {
    const bool implied = link.joint < 0;
    if (model::mesh_of(model_.bodies[link.body])) return add_mesh(link.body);
    static const model::JointShape free_shape{{{Dof::Kind::prismatic, {1, 0, 0}, "x"},
                                               {Dof::Kind::prismatic, {0, 1, 0}, "y"},
                                               {Dof::Kind::prismatic, {0, 0, 1}, "z"},
                                               {Dof::Kind::ball, {}, "angle"}},
                                              {}};
    const model::Body& body = model_.bodies[link.body];
    const model::Joint* joint = implied ? nullptr : &model_.joints[link.joint];
    const std::vector<Dof>& dofs = implied ? free_shape.dofs : joint->shape.dofs;
    const Vec3d at_parent = implied ? body.at : link.reversed ? joint->at_to : joint->at_from;
    const Vec3d at_child = implied ? body.at : link.reversed ? joint->at_from : joint->at_to;
    owner_ = implied ? body.name : joint->name;

    int last = link.parent == model::ground ? 0 : tree_.place(link.parent, at_parent, Mat3d::identity()).node;
    Vec3d d = at_parent - tree_.origin[last];
    const int first = static_cast<int>(tree_.nodes.size());
    std::vector<Coordinate> coordinates(dofs.size());
    auto coordinate_of = [&](std::size_t dof) -> Coordinate& { return coordinates[dof]; };
    const auto is_driven = [&](std::size_t dof) { return !implied && follows_drive(link.joint, dof); };
    if (is_translation_then_ball(dofs) && !link.reversed && !is_driven(0) && !is_driven(1) && !is_driven(2)) {
      last = add_node(Node::Kind::free, last, d, {});
      for (int k = 0; k < 3; ++k) coordinate_of(k) = {tree_.nodes[last].iq + k, tree_.nodes[last].iv + k, false};
      coordinate_of(3) = {tree_.nodes[last].iq + 3, tree_.nodes[last].iv + 3, true};
      name_free(last, dofs);
    } else {
      for (std::size_t k = 0; k < dofs.size(); ++k) {
        const std::size_t index = link.reversed ? dofs.size() - 1 - k : k;
        const Dof& dof = dofs[index];
        if (dof.guide) {
          const std::size_t count = static_cast<std::size_t>(dof.guide->coordinates());
          last = is_driven(index)
                     ? add_led(link, index, last, d, coordinates)
                     : add_guided(dofs, link.reversed ? index + 1 - count : index, link.reversed, last, d, coordinates);
          d = {}, k += count - 1;
          continue;
        }
        const bool driven = is_driven(index);
        const auto kind = dof.kind == Dof::Kind::revolute    ? driven ? Node::Kind::turned : Node::Kind::revolute
                          : dof.kind == Dof::Kind::prismatic ? driven ? Node::Kind::slid : Node::Kind::prismatic
                                                             : Node::Kind::ball;
        last = add_node(kind, last, d, link.reversed ? -dof.axis : dof.axis);
        if (driven) {
          coordinate_of(index) = {-1, -1, false, last};
          follow(last, link.joint, index);
          d = {};
          continue;
        }
        coordinate_of(index) = {tree_.nodes[last].iq, tree_.nodes[last].iv, kind == Node::Kind::ball};
        kind == Node::Kind::ball ? name_ball(last) : name_scalar(dof.name);
        d = {};
      }
      if (dofs.empty()) last = add_node(Node::Kind::fixed, last, d, {});
    }
    tree_.origin[last] = at_child;
    for (int i = first; i < last; ++i) tree_.origin[i] = at_child;
    if (is_modal(body))
      add_modal(link.body, last);
    else
      put_body(link.body, last, at_child);
    if (implied) return;
    tree_.first_node_of_joint[link.joint] = first;
    tree_.last_node_of_joint[link.joint] = last;
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      const int copies = dofs[k].kind == Dof::Kind::ball ? 3 : 1;
      for (int c = 0; c < copies; ++c) tree_.coordinates[link.joint].push_back(coordinates[k]);
      const double reference = joint->reference[tree_.coordinates[link.joint].size() - copies];
      if (copies == 1 && !coordinates[k].is_driven()) tree_.q_reference[coordinates[k].iq] = reference;
    }
  }

  // The neighbours from `first` on that are coordinates of one guide.
  int add_guided(const std::vector<Dof>& dofs, std::size_t first, bool reversed, int parent, const Vec3d& d,
                 std::vector<Coordinate>& coordinates) {
    Node node;
    node.kind = Node::Kind::guided;
    node.guide = reversed ? std::make_shared<const Reversed>(dofs[first].guide) : dofs[first].guide;
    const int index = add_node(std::move(node), parent, d);
    for (int k = 0; k < tree_.nodes[index].nv(); ++k) {
      const Dof& dof = dofs[first + k];
      if (dof.is_guided_angle) tree_.nodes[index].guided_angles |= static_cast<std::uint8_t>(1U << k);
      coordinates[first + k] = {tree_.nodes[index].iq + k, tree_.nodes[index].iv + k, false};
      name_scalar(dof.name);
    }
    return index;
  }

  // The one coordinate of a guide, which follows its drive.
  int add_led(const TreeLink& link, std::size_t dof, int parent, const Vec3d& d, std::vector<Coordinate>& coordinates) {
    Node node;
    node.kind = Node::Kind::slid;  // along its guide
    const auto& guide = model_.joints[link.joint].shape.dofs[dof].guide;
    node.guide = link.reversed ? std::make_shared<const Reversed>(guide) : guide;
    const int index = add_node(std::move(node), parent, d);
    coordinates[dof] = {-1, -1, false, index};
    follow(index, link.joint, dof);
    return index;
  }

  // A driven coordinate is no unknown, unless a coupler or a force on it asks for one: then the drive is a constraint. Scalar
  // coordinates and degrees of freedom have the same numbers up to the first ball, and a ball has no drive. One of several of a guide is a constraint too.
  bool follows_drive(int j, std::size_t dof) const {
    const model::Joint& joint = model_.joints[j];
    const Dof& of = joint.shape.dofs[dof];
    if (of.kind == Dof::Kind::ball || (of.guide && of.guide->coordinates() > 1)) return false;
    if (dof >= joint.drive.size() || !joint.drive[dof]) return false;
    const auto uses = [&](int used, int k) { return used == j && k == static_cast<int>(dof); };
    for (const model::Contribution& what : model_.contributions) {
      if (what.on_coordinate() && uses(what.joint, what.dof)) return false;
      if (!what.row) continue;
      for (const auto& term : what.row->terms) {
        if (uses(term.joint, term.dof)) return false;
      }
    }
    return true;
  }

  void follow(int node, int joint, std::size_t dof) {
    tree_.nodes[node].drive = &*model_.joints[joint].drive[dof];
    tree_.nodes[node].drive_reference = model_.joints[joint].reference[dof];
    tree_.driven.push_back({node, joint, static_cast<int>(dof)});
  }

  static bool is_translation_then_ball(const std::vector<Dof>& dofs) {
    if (dofs.size() != 4 || dofs[3].kind != Dof::Kind::ball) return false;
    for (int k = 0; k < 3; ++k) {
      if (dofs[k].kind != Dof::Kind::prismatic || dofs[k].axis[k] != 1.0) return false;
    }
    return true;
  }

  int add_node(Node::Kind kind, int parent, const Vec3d& d, const Vec3d& axis) {
    Node node;
    node.kind = kind;
    if (node.nq() == 1 || node.is_driven()) set_axis(node, axis);
    return add_node(std::move(node), parent, d);
  }
  int add_node(Node node, int parent, const Vec3d& d) {
    const Node::Kind kind = node.kind;
    node.parent = parent;
    node.d = d;
    node.iq = tree_.nq;
    node.iv = tree_.nv;
    node.scalars = node.nq() - (node.rotates() ? 4 : 0);
    const int index = static_cast<int>(tree_.nodes.size());
    if (kind == Node::Kind::ball) tree_.quaternions.push_back({node.iq, node.iv, index});
    if (kind == Node::Kind::free) tree_.quaternions.push_back({node.iq + 3, node.iv + 3, index});
    tree_.nq += node.nq();
    tree_.nv += node.nv();
    tree_.q_design.resize(tree_.nq, 0.0);
    tree_.q_reference.resize(tree_.nq, 0.0);
    if (kind == Node::Kind::ball || kind == Node::Kind::free) tree_.q_design[tree_.quaternions.back().iq] = 1.0;
    for (int k = 0; k < node.nv(); ++k) tree_.node_of_v.push_back(index), tree_.v_owner.push_back(owner_);
    tree_.nodes.push_back(std::move(node));
    tree_.origin.push_back({});
    tree_.root.push_back(parent == 0 ? index : tree_.root[parent]);
    return index;
  }

  void name_scalar(const std::string& dof) {
    tree_.q_names.push_back(owner_ + "." + dof);
    tree_.v_names.push_back(owner_ + "." + dof + "_rate");
  }
  void name_ball(int) {
    for (const char* c : {"qw", "qx", "qy", "qz"}) tree_.q_names.push_back(owner_ + "." + c);
    for (const char* c : {"wx", "wy", "wz"}) tree_.v_names.push_back(owner_ + "." + c);
  }
  void name_free(int node, const std::vector<Dof>& dofs) {
    for (int k = 0; k < 3; ++k) name_scalar(dofs[k].name);
    name_ball(node);
  }

  // The reference frame with the modes, on the last node of the joint, and the points that are used.
  void add_modal(int b, int parent) {
    const model::Body& body = model_.bodies[b];
    const model::ModalBody& modal = *body.modal;
    owner_ = body.name;
    Node frame;
    frame.kind = Node::Kind::modal;
    frame.moments = moments_of(modal, body.axes, flexible::hinged_frame(model_, b).has_value());
    const int index = add_node(std::move(frame), parent, body.at - tree_.origin[parent]);
    tree_.origin[index] = body.at;
    for (int k = 0; k < modal.modes; ++k) {
      const auto number = static_cast<std::size_t>(k);
      name_scalar(number < modal.mode_names.size() ? modal.mode_names[number] : "mode_" + std::to_string(k + 1));
    }
    put_body(b, index, body.at);
    tree_.nodes[index].massless = true;  // to all that know rigid bodies alone
    const Node& node = tree_.nodes[index];
    ModalNode out{index, b, node.iq, node.iv, modal.modes, {}, {}, near_of(modal)};
    for (const int p : moving_points_in_use(model_, b))
      out.points.push_back(add_point(body, p, index)), out.point_of.push_back(p);
    tree_.modal.push_back(std::move(out));
  }
  int add_point(const model::Body& body, int number, int parent) {
    const model::ModalPoint& point = body.modal->points[number];
    Waist waist{tree_.nodes[parent].iq, tree_.nodes[parent].iv, body.modal->modes, {}};
    waist.B.resize(static_cast<std::size_t>(8 * waist.modes));
    for (int k = 0; k < waist.modes; ++k) {
      const Vec3d shift = body.axes * point.shift[k], turn = body.axes * point.turn[k];
      for (int c = 0; c < 3; ++c) waist.B[8 * k + c] = shift[c], waist.B[8 * k + c + 3] = turn[c];
    }
    Node node;
    node.kind = Node::Kind::point;
    node.guide = waist_guide();
    node.waist = std::make_shared<const Waist>(std::move(waist));
    const Vec3d d = body.axes * point.at;
    const int index = add_node(std::move(node), parent, d);
    tree_.origin[index] = body.at + d;
    return index;
  }

  // The body with all its coordinates on the ground, and those of its stations that are used and move.
  void add_mesh(int b) {
    const model::Body& body = model_.bodies[b];
    owner_ = body.name;
    Node frame;
    frame.kind = Node::Kind::mesh;
    const std::shared_ptr<const model::NodalMesh>& mesh = body.modal->mesh;
    frame.mesh = std::make_shared<const MeshInertia>(mesh);
    frame.is_followed = std::ranges::any_of(model_.contributions, [&](const model::Contribution& what) {
      return what.from.body == b && model::on_line(what.law.get());
    });
    const int index = add_node(std::move(frame), 0, body.at);
    tree_.origin[index] = body.at;
    for (const std::string& name : mesh->names) name_scalar(name);
    tree_.node_of_body[b] = index;
    MeshNode out{index, b, tree_.nodes[index].iq, tree_.nodes[index].iv, mesh, {}};
    std::ranges::copy(mesh->design, tree_.q_reference.begin() + out.iq);
    for (const model::MeshStation& s : moving_stations_in_use(model_, b)) out.stations.push_back(add_station(out, s));
    tree_.meshes.push_back(std::move(out));
  }
  static Waist waist_of(const MeshNode& mesh, const model::MeshStation::Part& part) {
    Waist out{mesh.iq + part.first, mesh.iv + part.first, part.count, {}};
    out.B.resize(static_cast<std::size_t>(8 * out.modes));
    for (int k = 0; k < out.modes; ++k) {
      for (int c = 0; c < 6; ++c) out.B[8 * k + c] = part.B[c * out.modes + k];
    }
    return out;
  }
  int add_station(const MeshNode& mesh, const model::MeshStation& station) {
    int last = mesh.node;
    for (const model::MeshStation::Part& part : station.parts) {
      Node node;
      node.kind = Node::Kind::station;
      node.guide = part.guide;
      node.waist = std::make_shared<const Waist>(waist_of(mesh, part));
      last = add_node(std::move(node), last, station.at - tree_.origin[last]);
      tree_.origin[last] = station.at;
    }
    return last;
  }

  // Bodies may stand on its stations.
  void load_mesh(const MeshNode& mesh) {
    std::vector<MeshLoad> loads;
    for (const int last : mesh.stations) {
      if (!tree_.nodes[last].leaf) loads.push_back(load_of(mesh, last));
    }
    if (!loads.empty()) tree_.nodes[mesh.node].mesh = std::make_shared<const MeshInertia>(mesh.mesh, std::move(loads));
  }
  MeshLoad load_of(const MeshNode& mesh, int last) const {
    MeshLoad out;
    for (int s = last; s != mesh.node; s = tree_.nodes[s].parent) out.chain.insert(out.chain.begin(), s);
    std::set<int> coordinates;
    for (const int s : out.chain) {
      const Waist& waist = *tree_.nodes[s].waist;
      for (int k = 0; k < waist.modes; ++k) {
        for (int i = 0; i < 6; ++i) {
          if (waist.factor(i, k) != 0.0) coordinates.insert(waist.iv + k - mesh.iv);
        }
      }
    }
    out.coordinates.assign(coordinates.begin(), coordinates.end());
    return out;
  }

  void put_body(int b, int index, const Vec3d& origin) {
    const model::Body& body = model_.bodies[b];
    Node& node = tree_.nodes[index];
    node.mass = body.mass;
    node.com = body.com - origin;
    node.inertia = body.inertia;
    node.massless =
        body.mass == 0.0 && body.inertia.r0 == Vec3d{} && body.inertia.r1 == Vec3d{} && body.inertia.r2 == Vec3d{};
    tree_.node_of_body[b] = index;
  }

  const model::Model& model_;
  const Topology& topology_;
  Tree tree_;
  std::string owner_;
};

}  // namespace

Tree build_tree(const model::Model& model, const Topology& topology) { return Builder(model, topology).build(); }

}  // namespace skyhook::formalism::recursive
