#include "skyhook/flexible/modal_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "skyhook/flexible/stiffening.h"

namespace skyhook::flexible {
namespace {

using model::ModalBody;

std::size_t at(const ModalBody& b, int k, int l) {
  return static_cast<std::size_t>(k) * static_cast<std::size_t>(b.modes + 1) + static_cast<std::size_t>(l);
}

// Columns 3 k + alpha: component alpha of field k, b_0 = X first, at the points of the mass.
Dense fields_of(const FeModel& part, const Dense& shapes) {
  const int points = static_cast<int>(part.field.at.size()), modes = static_cast<int>(shapes.cols());
  const Dense moved = part.field.shift * shapes;
  Dense fields(points, 3 * (modes + 1));
  for (int p = 0; p < points; ++p) {
    for (int a = 0; a < 3; ++a) {
      fields(p, a) = part.field.at[static_cast<std::size_t>(p)][a];
      for (int k = 0; k < modes; ++k) fields(p, 3 * (k + 1) + a) = moved(3 * p + a, k);
    }
  }
  return fields;
}

// In one order, wherever the entries lie in memory: Eigen's own sum begins at the first aligned one, and a model read twice would differ in the last digit.
double sum_of(const Sparse& a) {
  double sum = 0;
  for (int j = 0; j < a.outerSize(); ++j) {
    for (Sparse::InnerIterator it(a, j); it; ++it) sum += it.value();
  }
  return sum;
}

void integrate(const FeModel& part, const Dense& shapes, ModalBody& body) {
  const Dense fields = fields_of(part, shapes), weighted = part.field.mass * fields;
  const Dense second = fields.transpose() * weighted;
  const Column& one = part.field.one;
  const Eigen::RowVectorXd first =
      one.size() ? Eigen::RowVectorXd(one.transpose() * weighted) : Eigen::RowVectorXd(weighted.colwise().sum());
  body.mass = one.size() ? one.dot(part.field.mass * one) : sum_of(part.field.mass);
  for (int k = 0; k <= body.modes; ++k) {
    body.first.push_back({first[3 * k], first[3 * k + 1], first[3 * k + 2]});
    for (int l = 0; l <= body.modes; ++l) {
      Mat3d m;
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) m[a][b] = (second(3 * k + a, 3 * l + b) + second(3 * l + b, 3 * k + a)) / 2;
      }
      body.second.push_back(m);
    }
  }
}

// Where the mass is known by its matrix alone: what that says of the motion as a whole and of each mode wins over the estimate.
void correct(const FeModel& part, const Dense& shapes, ModalBody& body) {
  const Dense R = rigid_motions(part), MR = part.mass * R, rigid = R.transpose() * MR,
              coupling = shapes.transpose() * MR;
  body.mass = (rigid(0, 0) + rigid(1, 1) + rigid(2, 2)) / 3;
  body.first[0] = {(rigid(1, 5) - rigid(2, 4)) / 2, (rigid(2, 3) - rigid(0, 5)) / 2, (rigid(0, 4) - rigid(1, 3)) / 2};
  const double half = (rigid(3, 3) + rigid(4, 4) + rigid(5, 5)) / 2;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) body.second[0][a][b] = (a == b ? half : 0.0) - rigid(3 + a, 3 + b);
  }
  for (int k = 1; k <= body.modes; ++k) {
    body.first[static_cast<std::size_t>(k)] = {coupling(k - 1, 0), coupling(k - 1, 1), coupling(k - 1, 2)};
    const Vec3d spin{coupling(k - 1, 3), coupling(k - 1, 4), coupling(k - 1, 5)};  // integral of X x b_k
    Mat3d& m = body.second[at(body, 0, k)];
    const Mat3d even = 0.5 * (m + transpose(m));
    m = even - 0.5 * skew(spin);  // (X b^T - b X^T) / 2 = -skew(X x b) / 2
    body.second[at(body, k, 0)] = transpose(m);
  }
}

double trace_of(const ModalBody& b, int k, int l) { return trace(b.second[at(b, k, l)]); }

void set_rotary(const FeModel& part, const Dense& shapes, ModalBody& body) {
  const Dense M = shapes.transpose() * (part.mass * shapes);
  for (int k = 1; k <= body.modes; ++k) {
    for (int l = 1; l <= body.modes; ++l) body.rotary.push_back(M(k - 1, l - 1) - trace_of(body, k, l));
  }
}

void set_stiffness(const Reduced& r, const DampingOptions& damping, ModalBody& body) {
  const int m = body.modes;
  body.stiffness.assign(static_cast<std::size_t>(m) * static_cast<std::size_t>(m), 0.0);
  body.damping = body.stiffness;
  for (int k = 0; k < m; ++k) {
    const std::size_t kk = static_cast<std::size_t>(k) * static_cast<std::size_t>(m + 1);
    const double omega = std::sqrt(r.squares[k]), hz = omega / (2 * std::numbers::pi);
    body.frequencies_hz.push_back(hz);
    body.stiffness[kk] = r.mass[k] * r.squares[k];
    body.damping[kk] =
        r.mass[k] * (2 * damping_ratio(damping, hz) * omega + damping.alpha + damping.beta * r.squares[k]);
  }
}

// Neighbours of each node, by the lines and triangles of the mesh: the rotation of a node without one of its own.
std::vector<int> around(const FeModel& part, int node) {
  std::vector<int> found{node};
  const auto add = [&](const auto& corners) {
    if (std::ranges::find(corners, node) != corners.end()) found.insert(found.end(), corners.begin(), corners.end());
  };
  for (const auto& t : part.triangles) add(t);
  for (const auto& l : part.lines) add(l);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

model::ModalPoint point_of(const Place& place, const Dense& shapes) {
  const Dense moved = place.rows * shapes;
  model::ModalPoint p{place.name, place.at, {}, {}};
  for (int k = 0; k < shapes.cols(); ++k) {
    p.shift.push_back({moved(0, k), moved(1, k), moved(2, k)});
    p.turn.push_back({moved(3, k), moved(4, k), moved(5, k)});
  }
  return p;
}

Place place_with_turn(const FeModel& part, int number) {
  const FeNode& node = part.nodes[static_cast<std::size_t>(number)];
  Place own = place_of_node(part, number);
  if (node.has_rotations()) return own;
  const std::vector<int> patch = around(part, number);
  if (patch.size() < 4) return own;
  try {
    const Place fit = place_of_nodes(part, node.name, patch, part.where);
    Dense rows(own.rows);
    rows.bottomRows(3) = Dense(fit.rows).bottomRows(3);
    own.rows = rows.sparseView();
    own.has_turn = true;
  } catch (const ModelError&) {  // neighbours on one line: it moves without turning
  }
  return own;
}

// Nodes that the picture needs, and the places; these by their names.
void set_points(const FeModel& part, const std::vector<Place>& places, const Dense& shapes, ModalBody& body) {
  std::vector<int> number(part.nodes.size(), -1);
  std::vector<char> is_drawn(part.nodes.size(), part.triangles.empty() && part.lines.empty());
  for (const auto& l : part.lines)
    is_drawn[static_cast<std::size_t>(l[0])] = is_drawn[static_cast<std::size_t>(l[1])] = 1;
  for (const auto& t : part.triangles) {
    for (const int n : t) is_drawn[static_cast<std::size_t>(n)] = 1;
  }
  for (const Place& place : places) {
    if (place.nodes.size() == 1) {
      number[static_cast<std::size_t>(place.nodes[0])] = static_cast<int>(body.points.size());
      Place own = place_with_turn(part, place.nodes[0]);
      own.name = place.name;
      body.points.push_back(point_of(own, shapes));
    } else {
      body.points.push_back(point_of(place, shapes));
    }
  }
  for (std::size_t n = 0; n < part.nodes.size(); ++n) {
    if (number[n] >= 0 || !is_drawn[n]) continue;
    number[n] = static_cast<int>(body.points.size());
    body.points.push_back(point_of(place_with_turn(part, static_cast<int>(n)), shapes));
  }
  const auto of = [&](int n) { return number[static_cast<std::size_t>(n)]; };
  for (const auto& l : part.lines) body.lines.push_back({of(l[0]), of(l[1])});
  for (const auto& t : part.triangles) body.triangles.push_back({of(t[0]), of(t[1]), of(t[2])});
}

}  // namespace

double damping_ratio(const DampingOptions& d, double hz) {
  if (d.ratio.empty()) return 0;
  if (hz <= d.hz.front() || d.hz.size() == 1) return d.ratio.front();
  for (std::size_t i = 1; i < d.hz.size(); ++i) {
    if (hz <= d.hz[i])
      return d.ratio[i - 1] + (hz - d.hz[i - 1]) / (d.hz[i] - d.hz[i - 1]) * (d.ratio[i] - d.ratio[i - 1]);
  }
  return d.ratio.back();
}

ModalBody modal_body(const FeModel& part, const std::vector<Place>& places, const Reduced& reduced,
                     const BodyOptions& options) {
  ModalBody body;
  body.name = part.name, body.where = part.where;
  body.modes = static_cast<int>(reduced.shapes.cols());
  for (int k = 1; k <= body.modes; ++k) body.mode_names.push_back(fmt::format("mode_{}", k));
  integrate(part, reduced.shapes, body);
  if (!part.field.is_exact) {
    correct(part, reduced.shapes, body);
    set_rotary(part, reduced.shapes, body);
  }
  set_stiffness(reduced, options.damping, body);
  if (options.with_stiffening && !options.held.empty())
    body.geometric = geometric_stiffness(part, options.held, reduced.shapes);
  set_points(part, places, reduced.shapes, body);
  return body;
}

double moment_error(const FeModel& part, const Reduced& reduced, const ModalBody& body) {
  const Dense R = rigid_motions(part), MR = part.mass * R, rigid = R.transpose() * MR;
  const Dense M = reduced.shapes.transpose() * (part.mass * reduced.shapes), coupling = reduced.shapes.transpose() * MR;
  const int m = body.modes;
  Dense own(m, m), cross_terms(m, 6), whole(6, 6);
  for (int k = 1; k <= m; ++k) {
    for (int l = 1; l <= m; ++l)
      own(k - 1, l - 1) = trace_of(body, k, l) +
                          (body.rotary.empty() ? 0.0 : body.rotary[static_cast<std::size_t>((k - 1) * m + l - 1)]);
    const Mat3d& s = body.second[at(body, 0, k)];
    const Vec3d& f = body.first[static_cast<std::size_t>(k)];
    cross_terms.row(k - 1) << f.x, f.y, f.z, s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0];
  }
  const Mat3d &s = body.second[0], J = trace(s) * Mat3d::identity() - s, c = skew(body.first[0]);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      whole(a, b) = a == b ? body.mass : 0, whole(3 + a, 3 + b) = J[a][b];
      whole(3 + a, b) = c[a][b], whole(b, 3 + a) = c[a][b];
    }
  }
  const auto relative = [](const Dense& is, const Dense& should) {
    return should.size() == 0 ? 0.0
                              : (is - should).cwiseAbs().maxCoeff() / std::max(1e-300, should.cwiseAbs().maxCoeff());
  };
  const double coupling_scale = std::sqrt(M.cwiseAbs().maxCoeff() * rigid.cwiseAbs().maxCoeff());
  return std::max(
      {relative(own, M), (cross_terms - coupling).cwiseAbs().maxCoeff() / coupling_scale, relative(whole, rigid)});
}

RigidData rigid_data(const ModalBody& body) {
  RigidData out;
  out.mass = body.mass;
  if (body.mass <= 0) return out;
  out.com = (1 / body.mass) * body.first[0];
  const Mat3d about = body.second[0] - body.mass * outer(out.com, out.com);
  out.inertia = trace(about) * Mat3d::identity() - about;
  return out;
}

}  // namespace skyhook::flexible
