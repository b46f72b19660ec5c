#include "skyhook/formulation/ggl.h"

#include <algorithm>
#include <cmath>

#include "skyhook/formalism/way.h"
#include "skyhook/formulation/ggl_work.h"
#include "skyhook/formulation/line_rates.h"

namespace skyhook::formulation {

using formalism::Blocks;
using formalism::Drives;
using formalism::EquationsOfMotion;
using formalism::Input;
using formalism::Output;

namespace {

double dot3(const double (&a)[3], double x, double y, double z) { return a[0] * x + a[1] * y + a[2] * z; }

}  // namespace

Ggl::Ggl(EquationsOfMotion equations, Unknowns z, LineRates rates)
    : equations_(std::move(equations)),
      nq_(equations_.nq()),
      nv_(equations_.nv()),
      ng_(equations_.ng()),
      nn_(static_cast<int>(equations_.rotations().size())),
      nz_(z == Unknowns::kept ? equations_.nz() : 0) {
  build_structure();
  if (rates == LineRates::by_strain) count_lines_by_strain(equations_, v(), structure_);
  build_pattern();
  build_maps();
  if (nz_ > 0) map_unknowns();
}

void Ggl::build_structure() {
  const auto& eq = equations_;
  structure_.inputs = equations_.inputs();
  q_of_v_.clear();
  for (int i = 0; i < nv_; ++i) q_of_v_.push_back(eq.position_of(i));
  quaternion_of_v_.assign(nv_, -1);
  for (int s = 0; s < nn_; ++s) {
    for (int k = 0; k < 3; ++k) quaternion_of_v_[eq.rotations()[s].iv + k] = s;
  }
  auto add = [&](int index, const std::string& name, const std::string& row, double nominal = 1.0) {
    structure_.y.push_back({.index = index, .nominal = nominal, .in_error_test = index == 0, .name = name});
    structure_.rows.push_back(row);
  };
  const std::vector<bool> ways = formalism::which_count_ways(equations_);
  for (int i = 0; i < nq_; ++i) {
    add(0, eq.position_names()[i], "kinematics of " + eq.position_names()[i], equations_.position_nominal(i));
    structure_.y.back().counts_way = ways[static_cast<std::size_t>(i)];
  }
  for (int i = 0; i < nv_; ++i)
    add(0, eq.velocity_names()[i], "dynamics of " + eq.velocity_names()[i], equations_.nominal(i));
  for (int k : equations_.active())
    add(2, "force of " + equations_.rows()[k].name(), "velocity constraint of " + equations_.rows()[k].name());
  for (int k : equations_.active())
    add(2, "correction of " + equations_.rows()[k].name(), "constraint of " + equations_.rows()[k].name());
  for (const auto& rotation : eq.rotations())
    add(2, "norm correction of " + eq.owner_of_velocity(rotation.iv),
        "quaternion norm of " + eq.owner_of_velocity(rotation.iv));
  for (int k = 0; k < nz_; ++k)
    add(1, equations_.unknown_name(k), "condition of " + equations_.unknown_name(k), equations_.unknown_nominal(k));
  structure_.products = {{}, nq_, v(), lambda()};
  for (int k = 0; k < ng_; ++k) structure_.products.list.push_back({eta() + k, lambda() + k});
}

// Blocks of dF/dy, which build_maps() finds again and derivatives() fills; q' and M v' add the identity and M in dF/dyp:
//
//                    q                       v           lambda   eta      nu
//   kinematics       d(-H (v - G^T eta))/dq  -H                   H G^T    p
//   dynamics         d tau/dq                d tau/dv    G^T
//   velocity rows    d(G v + gI)/dq          G
//   position rows    G
//   norms            p
void Ggl::build_pattern() {
  const int n = structure_.size();
  PatternBuilder builder(n, n);
  const Pattern &tangent = equations_.tangent_pattern(), &loop = equations_.loop_pattern(),
                &rows = equations_.constraint_pattern();
  const auto& rotations = equations_.rotations();
  // q rows or columns that belong to tangent coordinate j
  auto for_each_q = [&](int j, auto&& act) {
    if (q_of_v_[j] >= 0) return act(q_of_v_[j]);
    if (quaternion_of_v_[j] < 0) return;
    for (int c = 0; c < 4; ++c) act(rotations[quaternion_of_v_[j]].iq + c);
  };
  for (int j = 0; j < nv_; ++j) {
    for_each_q(j, [&](int qj) {
      // q' - H v, and d tau/dq
      builder.add(qj, qj);
      builder.add(qj, v() + j);
      for (int k = tangent.start[j]; k < tangent.start[j + 1]; ++k) builder.add(v() + tangent.row[k], qj);
      // d(G v)/dq, G in the position rows, G^T in the columns of eta
      for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
        builder.add(lambda() + rows.row[k], qj);
        builder.add(eta() + rows.row[k], qj);
        builder.add(qj, eta() + rows.row[k]);
      }
      // d(G^T eta)/dq
      for (int k = loop.start[j]; k < loop.start[j + 1]; ++k)
        for_each_q(loop.row[k], [&](int qi) { builder.add(qi, qj); });
    });
    // d tau/dv and M; G in the velocity rows, G^T in the columns of lambda
    for (int k = tangent.start[j]; k < tangent.start[j + 1]; ++k) builder.add(v() + tangent.row[k], v() + j);
    for (int k = rows.start[j]; k < rows.start[j + 1]; ++k) {
      builder.add(lambda() + rows.row[k], v() + j);
      builder.add(v() + j, lambda() + rows.row[k]);
    }
  }
  // quaternions: d(H v)/dp, the columns of nu and the norm rows
  for (int s = 0; s < nn_; ++s) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) builder.add(rotations[s].iq + a, rotations[s].iq + b);
      builder.add(rotations[s].iq + a, nu() + s);
      builder.add(nu() + s, rotations[s].iq + a);
    }
  }
  if (nz_ > 0) add_unknowns(builder);
  structure_.pattern = std::make_shared<Pattern>(builder.build());
}

// Where each block of the equations goes in the values of the matrix. A block has its own pattern over the tangent coordinates (as v has them); in the
// matrix the columns of its entries are those of v, or those of q that belong to them.
void Ggl::build_maps() {
  for (int j = 0; j < nv_; ++j) map_column(j);
  map_transposed_constraints();
  for (int s = 0; s < nn_; ++s) map_quaternion(s);
  map_loop_blocks();
}

namespace {

// First row of a column, -1 where it is empty.
int first_row(const Pattern& block, int j) {
  return block.start[j] < block.start[j + 1] ? block.row[block.start[j]] : -1;
}

// Where column j of a block begins in the matrix, whose rows are those of the block from `row_base` on: a column keeps its rows in one piece.
int begin_in_matrix(const Pattern& matrix, const Pattern& block, int j, int row_base, int column) {
  return first_row(block, j) < 0 ? 0 : matrix.find(row_base + first_row(block, j), column);
}

}  // namespace

// What the tangent coordinate j has of its own: the columns of v_j and, where it is no part of a quaternion, of q_j.
void Ggl::map_column(int j) {
  const Pattern& matrix = *structure_.pattern;
  const Pattern &tangent = equations_.tangent_pattern(), &loop = equations_.loop_pattern(),
                &constraints = equations_.constraint_pattern();
  const int qj = q_of_v_[j];
  const bool has_q = qj >= 0;
  // df/dq and d(G v)/dq: dynamics and velocity rows, column of q
  stiffness_at_.push_back(has_q ? begin_in_matrix(matrix, tangent, j, v(), qj) : -1);
  rate_at_.push_back(has_q ? begin_in_matrix(matrix, constraints, j, lambda(), qj) : -1);
  // df/dv, M and G: dynamics and velocity rows, column of v
  damping_at_.push_back(begin_in_matrix(matrix, tangent, j, v(), v() + j));
  velocity_rows_at_.push_back(begin_in_matrix(matrix, constraints, j, lambda(), v() + j));
  // q' - v: the kinematics row of q_j
  if (has_q) identity_.push_back(matrix.find(qj, qj)), minus_identity_.push_back(matrix.find(qj, v() + j));
  // G from the velocity rows to the position rows, column of q
  const int count = constraints.start[j + 1] - constraints.start[j];
  if (has_q && count > 0)
    position_.push_back({velocity_rows_at_[j], begin_in_matrix(matrix, constraints, j, eta(), qj), count});
  // d(G^T eta)/dq: kinematics rows, column of q; in one piece where no quaternion is among them, else entry by entry
  const auto is_scalar = [&](int i) { return q_of_v_[i] >= 0; };
  const bool all_scalar =
      std::all_of(loop.row.begin() + loop.start[j], loop.row.begin() + loop.start[j + 1], is_scalar);
  const bool in_one_piece = has_q && all_scalar && first_row(loop, j) >= 0;
  loop_at_.push_back(in_one_piece ? matrix.find(q_of_v_[first_row(loop, j)], qj) : -1);
  for (int k = loop.start[j]; k < loop.start[j + 1]; ++k) {
    const int qi = q_of_v_[loop.row[k]];
    if (!in_one_piece && qi >= 0 && has_q) loop_entries_.push_back({k, matrix.find(qi, qj)});
  }
}

// From G in the velocity rows: G^T to (dynamics rows, lambda columns) and to (kinematics rows, eta columns); -df/dlambda to where G^T is.
void Ggl::map_transposed_constraints() {
  const Pattern &matrix = *structure_.pattern, &constraints = equations_.constraint_pattern();
  for (int r = 0; r < ng_; ++r) {
    for (int k = matrix.start[lambda() + r]; k < matrix.start[lambda() + r + 1]; ++k) {
      const int j = matrix.row[k] - v();
      transposed_.push_back(matrix.find(lambda() + r, v() + j));
      if (q_of_v_[j] >= 0) eta_.push_back({transposed_.back(), matrix.find(q_of_v_[j], eta() + r)});
    }
  }
  for (const auto& [row, j] : equations_.loads())
    friction_.push_back({constraints.find(row, j), matrix.find(v() + j, lambda() + row)});
}

// The four columns of a quaternion, which are made of three tangent columns each, and its kinematics and norm rows.
void Ggl::map_quaternion(int s) {
  const Pattern &matrix = *structure_.pattern, &tangent = equations_.tangent_pattern(),
                &constraints = equations_.constraint_pattern();
  QuaternionColumns c{};
  c.iq = equations_.rotations()[s].iq, c.iv = equations_.rotations()[s].iv;
  // from: the three tangent columns in their own patterns
  c.stiffness_count = tangent.start[c.iv + 1] - tangent.start[c.iv];
  c.rate_count = constraints.start[c.iv + 1] - constraints.start[c.iv];
  for (int k = 0; k < 3; ++k)
    c.tangent_start[k] = tangent.start[c.iv + k], c.constraint_start[k] = constraints.start[c.iv + k];
  for (int a = 0; a < 4; ++a) {
    // to: dynamics, velocity and position rows of the column of p_a
    c.stiffness_start[a] = begin_in_matrix(matrix, tangent, c.iv, v(), c.iq + a);
    c.rate_start[a] = begin_in_matrix(matrix, constraints, c.iv, lambda(), c.iq + a);
    c.position_start[a] = begin_in_matrix(matrix, constraints, c.iv, eta(), c.iq + a);
    // kinematics row of p_a: columns of p, v, nu and eta
    for (int b = 0; b < 4; ++b) c.own[4 * a + b] = matrix.find(c.iq + a, c.iq + b);
    for (int k = 0; k < 3; ++k) c.velocity[3 * a + k] = matrix.find(c.iq + a, v() + c.iv + k);
    c.nu[a] = matrix.find(c.iq + a, nu() + s);
    for (int k = constraints.start[c.iv]; k < constraints.start[c.iv + 1]; ++k)
      c.eta.push_back(matrix.find(c.iq + a, eta() + constraints.row[k]));
    // norm row: column of p_a
    c.norm[a] = matrix.find(nu() + s, c.iq + a);
  }
  quaternions_.push_back(std::move(c));
}

// d(H G^T eta)/dq with a quaternion in the row, the column or both: one block for each pair of coordinate groups, a group being one scalar coordinate or
// the three tangent coordinates of a quaternion.
void Ggl::map_loop_blocks() {
  const Pattern &matrix = *structure_.pattern, &loop = equations_.loop_pattern();
  const auto& rotations = equations_.rotations();
  const auto group_start = [&](int j) { return quaternion_of_v_[j] < 0 ? j : rotations[quaternion_of_v_[j]].iv; };
  for (int j = 0; j < nv_; ++j) {
    if (group_start(j) != j) continue;
    for (int k = loop.start[j]; k < loop.start[j + 1]; ++k) {
      const int i = loop.row[k];
      const int row_quaternion = quaternion_of_v_[i], column_quaternion = quaternion_of_v_[j];
      if (group_start(i) != i || (row_quaternion < 0 && column_quaternion < 0)) continue;
      LoopBlock block{
          i, j, row_quaternion < 0 ? 1 : 3, column_quaternion < 0 ? 1 : 3, row_quaternion, column_quaternion, {}, {}};
      // from: 1 or 3 tangent rows and columns of the loop pattern
      for (int a = 0; a < block.rows; ++a) {
        for (int b = 0; b < block.cols; ++b) block.source.push_back(loop.find(i + a, j + b));
      }
      // to: 1 or 4 kinematics rows and columns of q
      const int qi = block.rows == 1 ? q_of_v_[i] : rotations[row_quaternion].iq;
      const int qj = block.cols == 1 ? q_of_v_[j] : rotations[column_quaternion].iq;
      for (int a = 0; a < (block.rows == 1 ? 1 : 4); ++a) {
        for (int b = 0; b < (block.cols == 1 ? 1 : 4); ++b) block.target.push_back(matrix.find(qi + a, qj + b));
      }
      loop_blocks_.push_back(std::move(block));
    }
  }
}

std::unique_ptr<Workspace> Ggl::workspace() const {
  auto work = std::make_unique<Work>();
  work->equations = equations_.workspace();
  for (auto* columns : {&work->stiffness, &work->damping, &work->mass, &work->eta_part, &work->jacobian,
                        &work->g_rate_part, &work->mass_alone})
    columns->resize(nv_);
  work->scratch_stiffness.resize(equations_.tangent_pattern().nonzeros());
  work->scratch_rate.resize(equations_.constraint_pattern().nonzeros());
  work->scratch_loop.resize(equations_.loop_pattern().nonzeros());
  if (!friction_.empty()) {
    const Pattern& rows = equations_.constraint_pattern();
    work->scratch_friction.resize(rows.nonzeros());
    for (int j = 0; j < nv_; ++j) work->friction.push_back(work->scratch_friction.data() + rows.start[j]);
  }
  work->maps.resize(nn_);
  if (nz_ > 0) {
    const Pattern &own = equations_.own_pattern(), &rows = equations_.own_rows_pattern();
    work->scratch_own.resize(own.nonzeros());
    work->scratch_own_stiffness.resize(rows.nonzeros()), work->scratch_own_damping.resize(rows.nonzeros());
    for (int k = 0; k < nz_; ++k) work->own.push_back(work->scratch_own.data() + own.start[k]);
    for (int j = 0; j < nv_; ++j) {
      work->own_stiffness.push_back(work->scratch_own_stiffness.data() + rows.start[j]);
      work->own_damping.push_back(work->scratch_own_damping.data() + rows.start[j]);
    }
  }
  return work;
}

Input Ggl::input(const Point& x) const {
  return {x.t,
          x.y.subspan(q(), nq_),
          x.y.subspan(v(), nv_),
          x.yp.subspan(v(), nv_),
          x.y.subspan(lambda(), ng_),
          x.y.subspan(eta(), ng_),
          Drives::move,
          x.u,
          x.y.subspan(z(), nz_)};
}

// The equations write each of their parts where F has it; what is left are the quaternions.
Eval Ggl::residual(const Point& x, Span F, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  const Output out{.tau = F.subspan(v(), nv_),          // (3.7)
                   .qdot = F.subspan(q(), nq_),         // (3.6): finish_kinematics() makes q' - H (...) of it
                   .g = F.subspan(eta(), ng_),          // (3.9)
                   .g_rate = F.subspan(lambda(), ng_),  // (3.8)
                   .h = F.subspan(z(), nz_)};
  const Eval e = equations_.residual(input(x), out, work.equations);
  if (e != Eval::ok) {
    work.blame = work.equations.blame();
    return e;
  }
  finish_kinematics(x, F);
  return Eval::ok;
}

// q' less what the equations found for it; the quaternions' part of (3.6), and their norms (3.10).
void Ggl::finish_kinematics(const Point& x, Span F) const {
  for (int i = 0; i < nq_; ++i) F[i] = x.yp[i] - F[i];
  const auto& rotations = equations_.rotations();
  for (int s = 0; s < nn_; ++s) {
    const double* p = x.y.data() + rotations[s].iq;
    for (int a = 0; a < 4; ++a) F[rotations[s].iq + a] += p[a] * x.y[nu() + s];
    F[nu() + s] = 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1.0);
  }
}

// Column pointers are set once for a pair of matrices.
void Ggl::point_columns(Csc& dF_dy, Csc& dF_dyp, Work& work) const {
  if (work.pointed_dy == dF_dy.value.data() && work.pointed_dyp == dF_dyp.value.data()) return;
  work.pointed_dy = dF_dy.value.data(), work.pointed_dyp = dF_dyp.value.data();
  std::fill(dF_dy.value.begin(), dF_dy.value.end(), 0.0);
  std::fill(dF_dyp.value.begin(), dF_dyp.value.end(), 0.0);
  const Pattern &tangent = equations_.tangent_pattern(), &loop = equations_.loop_pattern(),
                &rows = equations_.constraint_pattern();
  for (int j = 0; j < nv_; ++j) {
    const bool scalar = q_of_v_[j] >= 0;
    work.stiffness[j] =
        scalar ? dF_dy.value.data() + stiffness_at_[j] : work.scratch_stiffness.data() + tangent.start[j];
    work.g_rate_part[j] = scalar ? dF_dy.value.data() + rate_at_[j] : work.scratch_rate.data() + rows.start[j];
    work.damping[j] = dF_dy.value.data() + damping_at_[j];
    work.mass[j] = dF_dyp.value.data() + damping_at_[j];
    work.jacobian[j] = dF_dy.value.data() + velocity_rows_at_[j];
    work.eta_part[j] = loop_at_[j] >= 0 ? dF_dy.value.data() + loop_at_[j] : work.scratch_loop.data() + loop.start[j];
  }
}

// Of the kinematics: q'.
void Ggl::write_identity(Csc& dF_dyp) const {
  for (int k : identity_) dF_dyp.value[k] = 1.0;
  for (const auto& c : quaternions_) {
    for (int a = 0; a < 4; ++a) dF_dyp.value[c.own[5 * a]] = 1.0;
  }
}

// The integrator may have worked in place: constant entries are written each time too.
void Ggl::write_constants(Csc& dF_dy, Csc& dF_dyp) const {
  write_identity(dF_dyp);
  for (int k : identity_) dF_dy.value[k] = 0.0;
  for (int k : minus_identity_) dF_dy.value[k] = -1.0;
}

// derivatives() has left G in the velocity rows: it is copied, transposed or not, to wherever else it stands (build_maps()).
void Ggl::copy_constraints(Csc& dF_dy, const Work& work) const {
  double* const value = dF_dy.value.data();
  // columns of lambda, which hold nothing but G^T - df/dlambda
  double* transposed = value + structure_.pattern->start[lambda()];
  for (const int from : transposed_) *transposed++ = value[from];
  for (const Copy& e : friction_) value[e.to] += work.scratch_friction[e.from];
  // position rows; columns of eta; d(G^T eta)/dq
  for (const Copy& e : position_) {
    for (int k = 0; k < e.count; ++k) value[e.to + k] = value[e.from + k];
  }
  for (const Copy& e : eta_) value[e.to] = value[e.from];
  for (const Copy& e : loop_entries_) value[e.to] = work.scratch_loop[e.from];
  for (const LoopBlock& b : loop_blocks_) {  // H_i * block * (left inverse of H_j)
    const QuaternionMap* const left = b.row_quaternion < 0 ? nullptr : &work.maps[b.row_quaternion];
    const QuaternionMap* const right = b.column_quaternion < 0 ? nullptr : &work.maps[b.column_quaternion];
    const int columns = right ? 4 : 1;
    double half[3][4];  // block * (left inverse of H_j)
    for (int k = 0; k < b.rows; ++k) {
      const int* const source = &b.source[k * b.cols];
      const double* const x = work.scratch_loop.data();
      for (int c = 0; c < columns; ++c) {
        half[k][c] = x[source[0]];
        if (right) half[k][c] = dot3(right->left_inverse[c], x[source[0]], x[source[1]], x[source[2]]);
      }
    }
    const int* target = b.target.data();
    for (int r = 0; r < (left ? 4 : 1); ++r) {
      for (int c = 0; c < columns; ++c)
        value[*target++] = left ? dot3(left->H[r], half[0][c], half[1][c], half[2][c]) : half[0][c];
    }
  }
}

// Tangent columns become quaternion columns through the left inverse of H: 4 H^T / |p|^2.
void Ggl::quaternion_columns(const Point& x, Csc& dF_dy, const Work& work) const {
  double* const value = dF_dy.value.data();
  for (int s = 0; s < nn_; ++s) {
    const QuaternionColumns& c = quaternions_[s];
    const double* p = x.y.data() + c.iq;
    const double nu_value = x.y[nu() + s];
    const auto& H = work.maps[s].H;
    const Pattern& rows = equations_.constraint_pattern();
    double u[3];  // v - G^T eta
    for (int k = 0; k < 3; ++k) {
      u[k] = x.y[v() + c.iv + k];
      for (int i = 0; i < c.rate_count; ++i)
        u[k] -= work.jacobian[c.iv + k][i] * x.y[eta() + rows.row[rows.start[c.iv + k] + i]];
    }
    for (int a = 0; a < 4; ++a) {
      const auto& to = work.maps[s].left_inverse[a];
      auto turn = [&](const double* k0, const double* k1, const double* k2, int count, double* out) {
        for (int i = 0; i < count; ++i) out[i] = to[0] * k0[i] + to[1] * k1[i] + to[2] * k2[i];
      };
      const auto* ks = work.scratch_stiffness.data();
      turn(ks + c.tangent_start[0], ks + c.tangent_start[1], ks + c.tangent_start[2], c.stiffness_count,
           value + c.stiffness_start[a]);
      const auto* rs = work.scratch_rate.data();
      turn(rs + c.constraint_start[0], rs + c.constraint_start[1], rs + c.constraint_start[2], c.rate_count,
           value + c.rate_start[a]);
      const double *g0 = work.jacobian[c.iv], *g1 = work.jacobian[c.iv + 1], *g2 = work.jacobian[c.iv + 2];
      turn(g0, g1, g2, c.rate_count, value + c.position_start[a]);
      for (int i = 0; i < c.rate_count; ++i)
        value[c.eta[a * c.rate_count + i]] = H[a][0] * g0[i] + H[a][1] * g1[i] + H[a][2] * g2[i];
      for (int k = 0; k < 3; ++k) value[c.velocity[3 * a + k]] = -H[a][k];
      value[c.nu[a]] = p[a];
      value[c.norm[a]] = p[a];
    }
    // -d(H u)/dp + nu 1: H u is linear in p, d(H u)/dp = 1/2 [0 -u; u -[u]x]
    const double hx = 0.5 * u[0], hy = 0.5 * u[1], hz = 0.5 * u[2];
    const double rate[4][4] = {{0, -hx, -hy, -hz}, {hx, 0, hz, -hy}, {hy, -hz, 0, hx}, {hz, hy, -hx, 0}};
    const bool in_loops = c.rate_count > 0;  // then the loop blocks have written here before
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        double& entry = value[c.own[4 * a + b]];
        entry = (in_loops ? entry : 0.0) - rate[a][b] + (a == b ? nu_value : 0.0);
      }
    }
  }
}

Eval Ggl::derivatives(const Point& x, Csc& dF_dy, Csc& dF_dyp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  point_columns(dF_dy, dF_dyp, work);
  write_constants(dF_dy, dF_dyp);
  const Blocks blocks{work.stiffness.data(),
                      work.damping.data(),
                      work.mass.data(),
                      work.eta_part.data(),
                      work.jacobian.data(),
                      work.g_rate_part.data(),
                      work.friction.empty() ? nullptr : work.friction.data(),
                      work.own.data(),
                      work.own_stiffness.data(),
                      work.own_damping.data()};
  const Eval e = equations_.derivatives(input(x), blocks, work.equations);
  if (e != Eval::ok) {
    work.blame = work.equations.blame();
    return e;
  }
  for (int s = 0; s < nn_; ++s) work.maps[s] = QuaternionMap(x.y.data() + quaternions_[s].iq);
  copy_constraints(dF_dy, work);
  quaternion_columns(x, dF_dy, work);
  if (nz_ > 0) copy_unknowns(dF_dy, work);
  return Eval::ok;
}

void Ggl::fill_unknowns(double t, Span y, Workspace& workspace) const {
  if (nz_ == 0) return;
  auto& work = static_cast<Work&>(workspace);
  equations_.find_unknowns(t, y.subspan(q(), nq_), y.subspan(v(), nv_), y.subspan(z(), nz_), work.equations);
}

bool Ggl::mass(const Point& x, Csc& dF_dyp, Workspace& workspace) const {
  auto& work = static_cast<Work&>(workspace);
  std::fill(dF_dyp.value.begin(), dF_dyp.value.end(), 0.0);
  write_identity(dF_dyp);
  for (int j = 0; j < nv_; ++j) work.mass_alone[j] = dF_dyp.value.data() + damping_at_[j];
  equations_.mass_columns(input(x), work.mass_alone.data(), work.equations);
  return true;
}

}  // namespace skyhook::formulation
