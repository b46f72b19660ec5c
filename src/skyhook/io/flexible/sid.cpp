#include "skyhook/io/flexible/sid.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include <set>

#include "skyhook/io/flexible/sid_classes.h"
#include "skyhook/io/flexible/text_table.h"

namespace skyhook::io::fe {
namespace {

using model::ModalBody;

std::size_t place_of(const ModalBody& b, int k, int l) { return static_cast<std::size_t>(k * (b.modes + 1) + l); }
std::size_t of_modes(const ModalBody& b, int k, int l) { return static_cast<std::size_t>(k * b.modes + l); }

// int a x b of int a b^T
Vec3d axial_of_moment(const Mat3d& m) { return {m.r1.z - m.r2.y, m.r2.x - m.r0.z, m.r0.y - m.r1.x}; }
// int (2 a.b 1 - a b^T - b a^T) of int a b^T: the second derivative of the inertia; and back, with the vector above.
Mat3d inertia_of_moment(const Mat3d& m) { return 2 * trace(m) * Mat3d::identity() - m - transpose(m); }
Mat3d moment_of(const Mat3d& inertia, const Vec3d& axial) {
  return trace(inertia) / 4 * Mat3d::identity() - 0.5 * inertia - 0.5 * skew(axial);
}

// Entries xx, yy, zz, xy, xz, yz of J; xx, yy, zz, xy, yz, xz of Oe and of the products of angular velocities.
constexpr std::array<std::array<int, 2>, 6> of_inertia{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
constexpr std::array<std::array<int, 2>, 6> of_products{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};
// -w . I w / 2 holds mixed products twice.
double share_of(int c) { return c < 3 ? -0.5 : -1.0; }

template <class Entry>
Mat3d tensor_of(const std::array<std::array<int, 2>, 6>& places, Entry&& entry) {
  Mat3d out;
  for (int c = 0; c < 6; ++c) {
    const auto [i, j] = places[static_cast<std::size_t>(c)];
    out[i][j] = out[j][i] = entry(c);
  }
  return out;
}

// --- reading

class BodyOfClasses {
 public:
  BodyOfClasses(SidClasses given, const std::string& file, const FeUnits& units) : in_(std::move(given)), file_(file) {
    to_si(units);
  }

  SidBody result() {
    ModalBody& b = out_.body;
    b.where = {file_}, b.modes = in_.modes, b.mass = in_.mass;
    for (int k = 1; k <= b.modes; ++k) b.mode_names.push_back(fmt::format("mode_{}", k));
    take_moments(), take_matrices(), take_stress_that_stiffens(), take_nodes();
    normalise();
    say_frequencies();
    return std::move(out_);
  }

 private:
  // Rows and columns as they should be; `needed`: refused where it is missing.
  const SidMatrix* find(const std::string& name, int rows, int columns, bool needed) {
    const auto found = in_.matrices.find(name);
    if (found == in_.matrices.end()) {
      if (needed)
        throw ModelError(in_.where, fmt::format("the class \"{}\" is missing.", name),
                         "It is needed for the inertia or the stiffness of the modes.");
      return nullptr;
    }
    check_size(name, found->second, rows, columns);
    return &found->second;
  }
  void check_size(const std::string& name, const SidMatrix& m, int rows, int columns) const {
    if (m.rows != rows || m.columns != columns)
      throw ModelError(m.where, fmt::format("{} has {} x {} entries, but should have {} x {}.", name, m.rows, m.columns,
                                            rows, columns));
    if (m.order > 0 && m.modes != in_.modes)
      throw ModelError(m.where,
                       fmt::format("{} is a series in {} modes, but the body has {}.", name, m.modes, in_.modes));
  }

  // A coordinate stays what it is: what is linear in shapes takes a length, all that is quadratic in them or in places two.
  void to_si(const FeUnits& u) {
    const auto scale = [](SidMatrix& m, double by) {
      for (double& x : m.m0) x *= by;
      for (double& x : m.m1) x *= by;
    };
    in_.mass *= u.mass;
    for (auto& [name, m] : in_.matrices)
      scale(m, name == "mdCM" || name == "Ct" ? u.mass * u.length : u.mass * u.length * u.length);
    for (SidNode& node : in_.nodes) {
      for (auto& [name, m] : node.matrices) {
        if (name == "origin" || name == "phi") scale(m, u.length);
      }
    }
  }

  // First derivative of the inertia by a mode, at rest: of J, or of Oe where J is given without.
  Mat3d inertia_rate(const SidMatrix& J, const SidMatrix& Oe, int k) const {
    if (J.order > 0) return tensor_of(of_inertia, [&](int c) { return J.at(c, k, 0); });
    return tensor_of(of_products, [&](int c) { return Oe.at(k, c) / share_of(c); });
  }

  void take_moments() {
    ModalBody& b = out_.body;
    const int n = b.modes;
    const SidMatrix &mdCM = *find("mdCM", 3, 1, true), &J = *find("J", 6, 1, true), &Ct = *find("Ct", n, 3, true),
                    &Cr = *find("Cr", n, 3, true), &Oe = *find("Oe", n, 6, true), *Ge = find("Ge", n, 3 * n, false);
    b.first.assign(static_cast<std::size_t>(n + 1), {}),
        b.second.assign(static_cast<std::size_t>((n + 1) * (n + 1)), {});
    const auto row = [](const SidMatrix& m, int i) { return Vec3d{m.at(i, 0), m.at(i, 1), m.at(i, 2)}; };
    b.first[0] = {mdCM.at(0, 0), mdCM.at(1, 0), mdCM.at(2, 0)};
    const Mat3d inertia = tensor_of(of_inertia, [&](int c) { return J.at(c, 0); });
    b.second[0] = trace(inertia) / 2 * Mat3d::identity() - inertia;
    for (int k = 0; k < n; ++k) {
      b.first[static_cast<std::size_t>(k + 1)] = row(Ct, k);
      const Mat3d m = moment_of(inertia_rate(J, Oe, k), row(Cr, k));
      b.second[place_of(b, 0, k + 1)] = m, b.second[place_of(b, k + 1, 0)] = transpose(m);
    }
    if (Oe.order == 0) out_.notes.push_back("Oe is of order 0: terms of second order in the modes are left out.");
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) {
        const Mat3d rate =
            tensor_of(of_products, [&](int c) { return (Oe.at(k, l, c) + Oe.at(l, k, c)) / 2 / share_of(c); });
        Vec3d across;  // int b_k x b_l, from the Coriolis forces or from Cr
        for (int c = 0; c < 3; ++c)
          across[c] = Ge ? (Ge->at(l, 3 * k + c) - Ge->at(k, 3 * l + c)) / 4 : (Cr.at(l, k, c) - Cr.at(k, l, c)) / 2;
        b.second[place_of(b, k + 1, l + 1)] = moment_of(rate, across);
      }
    }
  }

  std::vector<double> square(const SidMatrix& m) const {
    std::vector<double> out;
    for (int k = 0; k < in_.modes; ++k) {
      for (int l = 0; l < in_.modes; ++l) out.push_back((m.at(k, l) + m.at(l, k)) / 2);
    }
    return out;
  }

  void refuse_skew(const std::string& name, const SidMatrix& m) const {
    double largest = 0, off = 0;
    for (int k = 0; k < m.rows; ++k) {
      for (int l = 0; l < k; ++l) off = std::max(off, std::abs(m.at(k, l) - m.at(l, k)));
      for (int l = 0; l < m.rows; ++l) largest = std::max(largest, std::abs(m.at(k, l)));
    }
    if (off > 1e-6 * largest) throw ModelError(m.where, fmt::format("{} is not symmetric.", name));
  }

  void take_matrices() {
    ModalBody& b = out_.body;
    const int n = b.modes;
    const SidMatrix &Me = *find("Me", n, n, true), &Ke = *find("Ke", n, n, true), *De = find("De", n, n, false);
    refuse_skew("Me", Me), refuse_skew("Ke", Ke);
    const std::vector<double> mass = square(Me);
    const Eigen::Map<const Eigen::MatrixXd> M(mass.data(), n, n);
    if (Eigen::LLT<Eigen::MatrixXd>(M).info() != Eigen::Success)
      throw ModelError(Me.where, "the mass matrix of the modes, Me, is not positive definite.",
                       "A mode may have no inertia: leave it out where the file is made.");
    b.stiffness = square(Ke);
    for (int k = 0; k < n; ++k) {
      if (b.stiffness[of_modes(b, k, k)] < 0)
        throw ModelError(
            Ke.where, fmt::format("the stiffness matrix of the modes, Ke, is not positive: mode {} has {:.6g}.", k + 1,
                                  b.stiffness[of_modes(b, k, k)]));
    }
    if (De)
      b.damping = square(*De);
    else
      b.damping.assign(static_cast<std::size_t>(n * n), 0.0);
    double off = 0;
    std::vector<double> rest = mass;
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) {
        rest[of_modes(b, k, l)] -= trace(b.second[place_of(b, k + 1, l + 1)]);
        off = std::max(off, std::abs(rest[of_modes(b, k, l)]));
      }
    }
    if (off > 1e-10 * M.cwiseAbs().maxCoeff()) b.rotary = rest;
    if (const SidMatrix* stress = find("ksigma", n, 1, false)) {
      if (std::ranges::any_of(stress->m0, [](double x) { return x != 0; }))
        throw ModelError(stress->where, "ksigma is not zero: the part is under stress at rest, which is not supported.",
                         "Make the file without initial stress.");
    }
  }

  // The symmetric parts of what Ct and Cr add with the modes; that of Oe stands in the moments already, where it acts in the same way.
  void take_stress_that_stiffens() {
    ModalBody& b = out_.body;
    const auto symmetric_part = [&](const SidMatrix& m, int c) {
      std::vector<double> out;
      double largest = 0;
      for (int k = 0; k < b.modes; ++k) {
        for (int l = 0; l < b.modes; ++l) {
          out.push_back((m.at(k, l, c) + m.at(l, k, c)) / 2);
          largest = std::max(largest, std::abs(out.back()));
        }
      }
      return largest > 0 ? out : std::vector<double>{};
    };
    const SidMatrix &Ct = in_.matrices.at("Ct"), &Cr = in_.matrices.at("Cr");
    for (int c = 0; c < 3; ++c) {
      b.geometric.acceleration[static_cast<std::size_t>(c)] = symmetric_part(Ct, c);
      b.geometric.angular_acceleration[static_cast<std::size_t>(c)] = symmetric_part(Cr, c);
    }
  }

  void take_nodes() {
    std::set<std::string> names;
    int turned = 0;
    for (SidNode& node : in_.nodes) {
      if (!names.insert(node.name).second)
        throw ModelError(node.where, fmt::format("node {} is there twice.", node.name));
      const auto matrix = [&](const char* name, int columns) -> const SidMatrix& {
        const auto found = node.matrices.find(name);
        if (found == node.matrices.end())
          throw ModelError(node.where, fmt::format("node {} has no class \"{}\".", node.name, name));
        check_size(fmt::format("{} of node {}", name, node.name), found->second, 3, columns);
        return found->second;
      };
      const SidMatrix &origin = matrix("origin", 1), &phi = matrix("phi", in_.modes), &psi = matrix("psi", in_.modes);
      model::ModalPoint point{node.name, {origin.at(0, 0), origin.at(1, 0), origin.at(2, 0)}, {}, {}};
      for (int k = 0; k < in_.modes; ++k) {
        point.shift.push_back({phi.at(0, k), phi.at(1, k), phi.at(2, k)});
        point.turn.push_back({psi.at(0, k), psi.at(1, k), psi.at(2, k)});
      }
      out_.body.points.push_back(std::move(point));
      if (const auto AP = node.matrices.find("AP");
          AP != node.matrices.end() && AP->second.rows == 3 && AP->second.columns == 3) {
        for (int i = 0; i < 3; ++i) turned += std::abs(AP->second.at(i, i) - 1) > 1e-6 ? 1 : 0;
      }
    }
    if (turned > 0)
      out_.notes.push_back(
          "axes of nodes that are turned against those of the body are not used: markers have axes of their own.");
  }

  // A unit of each coordinate moves a node by 1 m, or turns it by 1 rad for each tenth of the size, whichever is reached first: as our own shapes.
  void normalise() {
    ModalBody& b = out_.body;
    Vec3d low, high;
    for (const model::ModalPoint& p : b.points) {
      for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p.at[i]), high[i] = std::max(high[i], p.at[i]);
    }
    std::vector<double> by;
    for (int k = 0; k < b.modes; ++k) {
      double size = 0;
      for (const model::ModalPoint& p : b.points)
        size = std::max({size, norm(p.shift[static_cast<std::size_t>(k)]),
                         norm(high - low) / 10 * norm(p.turn[static_cast<std::size_t>(k)])});
      by.push_back(size > 0 && std::abs(size - 1) > 1e-9 ? 1 / size : 1.0);
    }
    const auto factor = [&](int k) { return k == 0 ? 1.0 : by[static_cast<std::size_t>(k - 1)]; };
    for (int k = 0; k <= b.modes; ++k) {
      b.first[static_cast<std::size_t>(k)] = factor(k) * b.first[static_cast<std::size_t>(k)];
      for (int l = 0; l <= b.modes; ++l)
        b.second[place_of(b, k, l)] = factor(k) * factor(l) * b.second[place_of(b, k, l)];
    }
    const auto scale = [&](std::vector<double>& m) {
      for (int k = 0; !m.empty() && k < b.modes; ++k) {
        for (int l = 0; l < b.modes; ++l) m[of_modes(b, k, l)] *= factor(k + 1) * factor(l + 1);
      }
    };
    scale(b.stiffness), scale(b.damping), scale(b.rotary);
    for (auto& m : b.geometric.acceleration) scale(m);
    for (auto& m : b.geometric.angular_acceleration) scale(m);
    for (model::ModalPoint& p : b.points) {
      for (int k = 0; k < b.modes; ++k) {
        const auto i = static_cast<std::size_t>(k);
        p.shift[i] = by[i] * p.shift[i], p.turn[i] = by[i] * p.turn[i];
      }
    }
  }

  void say_frequencies() {
    ModalBody& b = out_.body;
    for (int k = 0; k < b.modes; ++k) {
      const double mass =
          trace(b.second[place_of(b, k + 1, k + 1)]) + (b.rotary.empty() ? 0.0 : b.rotary[of_modes(b, k, k)]);
      b.frequencies_hz.push_back(std::sqrt(b.stiffness[of_modes(b, k, k)] / mass) / (2 * std::numbers::pi));
    }
  }

  SidClasses in_;
  std::string file_;
  SidBody out_;
};

// --- writing

class SidWriter {
 public:
  explicit SidWriter(const ModalBody& body) : b_(body), n_(body.modes) {}

  SidText result() {
    name_nodes();
    fmt::format_to(to(), "{:5d}{:5d}    :No. nodes, No. modes:written by Skyhook: {}\n part\n", b_.points.size(), n_,
                   b_.name);
    line(6, "new modal", "");
    write_refmod();
    text_ += "           frame\n";
    for (std::size_t i = 0; i < b_.points.size(); ++i) write_node(i);
    text_ += "           end frame\n";
    write_moments();
    text_ += "      end modal\n end part\n";
    return {std::move(text_), std::move(notes_)};
  }

 private:
  std::back_insert_iterator<std::string> to() { return std::back_inserter(text_); }
  // All values stand behind an equals sign in column 49.
  void line(int indent, const std::string& key, const std::string& value) {
    fmt::format_to(to(), "{:<48}={}\n", std::string(static_cast<std::size_t>(indent), ' ') + key, value);
  }
  static std::string real(double x) {
    std::string text = fmt::format("{: .11E}", x);
    text[text.find('E')] = 'D';
    return text;
  }

  // Numbers: those that the points have as names, or by their order.
  void name_nodes() {
    const bool are_numbers = std::ranges::all_of(b_.points, [](const auto& p) {
      return !p.name.empty() && p.name.size() < 9 &&
             std::ranges::all_of(p.name, [](char c) { return c >= '0' && c <= '9'; });
    });
    std::string said;
    for (std::size_t i = 0; i < b_.points.size(); ++i) {
      numbers_.push_back(are_numbers ? b_.points[i].name : std::to_string(i + 1));
      if (!are_numbers && i < 20) said += fmt::format("{}{} {}", i ? ", " : "", i + 1, b_.points[i].name);
    }
    if (!are_numbers)
      notes_.push_back(
          fmt::format("nodes have numbers in the file: {}{}.", said, b_.points.size() > 20 ? ", ..." : ""));
  }

  void write_refmod() {
    text_ += "           refmod\n";
    line(16, "mass", real(b_.mass)), line(16, "nelastq", fmt::format("{:5d}", n_));
    for (int k = 0; k < n_; ++k)
      line(16, fmt::format("ielastq ({:4d})", k + 1),
           fmt::format(" Eigen Mode {:4d} : {:12.3f} Hz", k + 1,
                       b_.frequencies_hz.empty() ? 0.0 : b_.frequencies_hz[static_cast<std::size_t>(k)]));
    text_ += "           end refmod\n";
  }

  // entry(i, j) of order 0 and rate(i, k, j) of order 1.
  template <class Entry, class Rate>
  void matrix(int indent, const std::string& name, int rows, int columns, int structure, Entry&& entry, Rate&& rate,
              bool has_rate) {
    fmt::format_to(to(), "{:{}}{}\n", "", indent, name);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, int>>{{"order", has_rate ? 1 : 0},
                                                                                       {"nrow", rows},
                                                                                       {"ncol", columns},
                                                                                       {"nq", n_},
                                                                                       {"nqn", 0},
                                                                                       {"structure", structure}})
      line(26, key, fmt::format("{:5d}", value));
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (const double x = entry(i, j); x != 0) line(26, fmt::format("m0({:2d},{:2d})", i + 1, j + 1), real(x));
      }
    }
    for (int j = 0; has_rate && j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < n_; ++k) {
          if (const double x = rate(i, k, j); x != 0)
            line(26, fmt::format("m1({:2d},{:2d},{:2d})", i + 1, k + 1, j + 1), real(x));
        }
      }
    }
    fmt::format_to(to(), "{:{}}end {}\n", "", indent, name);
  }
  static constexpr auto none = [](int, int, int) { return 0.0; };

  void write_node(std::size_t number) {
    const model::ModalPoint& p = b_.points[number];
    const auto shift = [&](int i, int k) { return p.shift[static_cast<std::size_t>(k)][i]; };
    const auto turn = [&](int i, int k) { return p.turn[static_cast<std::size_t>(k)][i]; };
    line(16, "new node", fmt::format("{:>8}", numbers_[number]));
    line(21, "rframe", " body ref");
    matrix(
        21, "origin", 3, 1, 3, [&](int i, int) { return p.at[i]; }, [&](int i, int k, int) { return shift(i, k); },
        true);
    matrix(21, "phi", 3, n_, 3, shift, none, false), matrix(21, "psi", 3, n_, 3, turn, none, false);
    matrix(
        21, "AP", 3, 3, 3, [](int i, int j) { return i == j ? 1.0 : 0.0; },
        [&](int i, int k, int j) { return skew(p.turn[static_cast<std::size_t>(k)])[i][j]; }, true);
    text_ += "                end node\n";
  }

  const Mat3d& moment(int k, int l) const { return b_.second[place_of(b_, k, l)]; }
  static double symmetric(const std::vector<double>& m, std::size_t a, std::size_t b) {
    return m.empty() ? 0.0 : (m[a] + m[b]) / 2;
  }
  double stiffening(const std::vector<double>& m, int k, int l) const {
    return symmetric(m, of_modes(b_, k, l), of_modes(b_, l, k));
  }
  // Change of int rho x b_k with mode l, and of the inertia's derivative by k.
  Vec3d spin_rate(int k, int l) const {
    Vec3d e = axial_of_moment(moment(l + 1, k + 1));
    for (int c = 0; c < 3; ++c)
      e[c] += stiffening(b_.geometric.angular_acceleration[static_cast<std::size_t>(c)], k, l);
    return e;
  }
  Mat3d inertia_rate(int k, int l) const {
    Mat3d I = inertia_of_moment(moment(k + 1, l + 1));
    for (int c = 0; c < 6; ++c) {
      const auto [i, j] = of_products[static_cast<std::size_t>(c)];
      const double x = stiffening(b_.geometric.centrifugal[static_cast<std::size_t>(c)], k, l) / share_of(c);
      I[i][j] += x;
      if (i != j) I[j][i] += x;
    }
    return I;
  }

  void write_moments() {
    const auto& by_a = b_.geometric.acceleration;
    const bool shortens = std::ranges::any_of(by_a, [](const auto& m) { return !m.empty(); });
    const auto inertia = [&](int k) { return inertia_of_moment(moment(0, k + 1)); };
    const Mat3d at_rest = trace(moment(0, 0)) * Mat3d::identity() - moment(0, 0);
    const auto in_J = [](const Mat3d& I, int c) {
      return I[of_inertia[static_cast<std::size_t>(c)][0]][of_inertia[static_cast<std::size_t>(c)][1]];
    };
    const auto in_Oe = [](const Mat3d& I, int c) {
      return share_of(c) * I[of_products[static_cast<std::size_t>(c)][0]][of_products[static_cast<std::size_t>(c)][1]];
    };
    const auto first = [&](int k, int i) { return b_.first[static_cast<std::size_t>(k)][i]; };
    const auto stiffened = [&](int k, int l, int c) { return stiffening(by_a[static_cast<std::size_t>(c)], k, l); };
    // moment per rate of mode k and angular velocity: I_k - [e_k]
    const auto gyro = [](const Mat3d& I, const Vec3d& e, int i, int j) { return I[i][j] - skew(e)[i][j]; };
    matrix(
        11, "mdCM", 3, 1, 3, [&](int i, int) { return first(0, i); },
        [&](int i, int k, int) { return first(k + 1, i); }, true);
    matrix(
        11, "J", 6, 1, 3, [&](int c, int) { return in_J(at_rest, c); },
        [&](int c, int k, int) { return in_J(inertia(k), c); }, true);
    matrix(
        11, "Ct", n_, 3, 3, [&](int k, int i) { return first(k + 1, i); }, stiffened, shortens);
    matrix(
        11, "Cr", n_, 3, 3, [&](int k, int i) { return axial_of_moment(moment(0, k + 1))[i]; },
        [&](int k, int l, int i) { return spin_rate(k, l)[i]; }, true);
    matrix(
        11, "Me", n_, n_, 2,
        [&](int k, int l) {
          return trace(moment(k + 1, l + 1)) + (b_.rotary.empty() ? 0.0 : b_.rotary[of_modes(b_, k, l)]);
        },
        none, false);
    matrix(
        11, "Gr", 3, 3 * n_, 3,
        [&](int i, int j) { return gyro(inertia(j / 3), axial_of_moment(moment(0, j / 3 + 1)), i, j % 3); },
        [&](int i, int l, int j) { return gyro(inertia_rate(j / 3, l), spin_rate(j / 3, l), i, j % 3); }, true);
    matrix(
        11, "Ge", n_, 3 * n_, 3, [&](int k, int j) { return 2 * axial_of_moment(moment(j / 3 + 1, k + 1))[j % 3]; },
        none, false);
    matrix(
        11, "Oe", n_, 6, 3, [&](int k, int c) { return in_Oe(inertia(k), c); },
        [&](int k, int l, int c) { return in_Oe(inertia_rate(k, l), c); }, true);
    matrix(
        11, "ksigma", n_, 1, 0, [](int, int) { return 0.0; }, none, false);
    const auto of = [&](const std::vector<double>& m) { return [&](int k, int l) { return stiffening(m, k, l); }; };
    matrix(11, "Ke", n_, n_, 2, of(b_.stiffness), none, false),
        matrix(11, "De", n_, n_, 2, of(b_.damping), none, false);
  }

  const ModalBody& b_;
  int n_;
  std::string text_;
  std::vector<std::string> numbers_, notes_;
};

}  // namespace

SidBody read_sid(const std::string& text, const std::string& file, const FeUnits& units) {
  return BodyOfClasses(read_sid_classes(text, file), file, units).result();
}

SidText sid_text(const model::ModalBody& body) { return SidWriter(body).result(); }

}  // namespace skyhook::io::fe
