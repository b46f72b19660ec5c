// Standard input data: what each class says of a cloud of particles, by its definition; written and read back; messages.
#include "skyhook/io/flexible/sid.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "skyhook/io/flexible/sid_classes.h"

using namespace skyhook;
using namespace skyhook::io::fe;

namespace {

struct Particle {
  double mass;
  Vec3d at;
  std::vector<Vec3d> shape;
};

// Any particles and shapes; all of them are nodes too, with any rotations.
struct Cloud {
  std::vector<Particle> particles;
  model::ModalBody body;
  explicit Cloud(int modes) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vec = [&] { return Vec3d{any(engine), any(engine), any(engine)}; };
    for (int p = 0; p < 9; ++p) {
      particles.push_back({2 + any(engine), vec(), {}});
      for (int k = 0; k < modes; ++k) particles.back().shape.push_back(vec());
    }
    body.name = "cloud", body.modes = modes;
    for (int k = 0; k <= modes; ++k) body.first.push_back(sum<Vec3d>([&](const Particle& p) { return field(p, k); }));
    for (int k = 0; k <= modes; ++k) {
      for (int l = 0; l <= modes; ++l)
        body.second.push_back(sum<Mat3d>([&](const Particle& p) { return outer(field(p, k), field(p, l)); }));
    }
    for (const Particle& p : particles) body.mass += p.mass;
    for (const Particle& p : particles) {
      body.points.push_back({std::to_string(10 + body.points.size()), p.at, p.shape, {}});
      for (int k = 0; k < modes; ++k) body.points.back().turn.push_back(vec());
    }
    const auto n = static_cast<std::size_t>(modes);
    for (auto* matrix : {&body.stiffness, &body.damping}) {
      matrix->assign(n * n, 0.0);
      for (std::size_t k = 0; k < n; ++k) (*matrix)[k * n + k] = 100 * (2 + any(engine));
    }
    // stress that stiffens: symmetric matrices
    const auto random_symmetric = [&] {
      std::vector<double> m(n * n);
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l <= k; ++l) m[k * n + l] = m[l * n + k] = any(engine);
      }
      return m;
    };
    for (auto& m : body.geometric.acceleration) m = random_symmetric();
    for (auto& m : body.geometric.angular_acceleration) m = random_symmetric();
    for (auto& m : body.geometric.centrifugal) m = random_symmetric();
  }
  static Vec3d field(const Particle& p, int k) { return k == 0 ? p.at : p.shape[static_cast<std::size_t>(k - 1)]; }
  template <class T, class Of>
  T sum(Of&& of) const {
    T all{};
    for (const Particle& p : particles) all += p.mass * of(p);
    return all;
  }
};

// All that (21.3) knows of a body: constant coefficients of its moments in the coordinates.
struct Coefficients {
  std::vector<double> inertia, spin, across, shortening, mass, stiffness, damping, first, spin_design;
  explicit Coefficients(const model::ModalBody& b) : stiffness(b.stiffness), damping(b.damping) {
    const auto axial = [](const Mat3d& m) { return Vec3d{m.r1.z - m.r2.y, m.r2.x - m.r0.z, m.r0.y - m.r1.x}; };
    const auto entry = [&](const std::vector<double>& m, int k, int l) {
      return m.empty() ? 0.0 : m[static_cast<std::size_t>(k * b.modes + l)];
    };
    const auto put = [](std::vector<double>& to, const Vec3d& x) { to.insert(to.end(), {x.x, x.y, x.z}); };
    constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    for (const Vec3d& x : b.first) put(first, x);
    for (int k = 0; k <= b.modes; ++k) {
      if (k > 0) put(spin_design, axial(b.moment(0, k)));
      for (int l = 0; l <= b.modes; ++l) {
        const Mat3d &m = b.moment(k, l), I = 2 * trace(m) * Mat3d::identity() - m - transpose(m);
        const bool bends = k > 0 && l > 0;
        for (std::size_t c = 0; c < 6; ++c)
          inertia.push_back(I[pairs[c][0]][pairs[c][1]] -
                            (bends ? (c < 3 ? 2 : 1) * entry(b.geometric.centrifugal[c], k - 1, l - 1) : 0.0));
        if (!bends) continue;
        Vec3d e = axial(b.moment(l, k));
        put(across, e);
        for (int c = 0; c < 3; ++c)
          e[c] += entry(b.geometric.angular_acceleration[static_cast<std::size_t>(c)], k - 1, l - 1);
        put(spin, e);
        for (std::size_t c = 0; c < 3; ++c) shortening.push_back(entry(b.geometric.acceleration[c], k - 1, l - 1));
        mass.push_back(trace(m) + entry(b.rotary, k - 1, l - 1));
      }
    }
  }
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, largest = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i])), largest = std::max(largest, std::abs(a[i]));
  return worst / largest;
}

template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "none";
}

std::string replaced(std::string text, const std::string& from, const std::string& by) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), by);
}

int line_of(const std::string& text, const std::string& what) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')) + 1;
}

}  // namespace

// Reference: sums over the particles as [Wallrapp 1993] defines the classes, with skew matrices, which our own moments do not use. 12 digits are written.
TEST_CASE("SID: what is written of a cloud of particles are the sums that define the classes") {
  Cloud cloud(3);
  cloud.body.geometric = {};
  const SidClasses sid = read_sid_classes(sid_text(cloud.body).text, "cloud.SID_FEM");
  const auto of = [&](const char* name) -> const SidMatrix& { return sid.matrices.at(name); };
  const double close = 1e-10;
  CHECK(sid.mass == doctest::Approx(cloud.body.mass).epsilon(1e-11));
  const Mat3d J = cloud.sum<Mat3d>([](const Particle& p) { return transpose(skew(p.at)) * skew(p.at); });
  CHECK(std::abs(of("J").at(0, 0) - J[0][0]) < close);
  CHECK(std::abs(of("J").at(3, 0) - J[0][1]) < close);
  CHECK(std::abs(of("J").at(4, 0) - J[0][2]) < close);
  CHECK(std::abs(of("J").at(5, 0) - J[1][2]) < close);
  for (int k = 0; k < 3; ++k) {
    const auto shape = [k](const Particle& p) { return Cloud::field(p, k + 1); };
    const Vec3d Ct = cloud.sum<Vec3d>(shape),
                Cr = cloud.sum<Vec3d>([&](const Particle& p) { return skew(p.at) * shape(p); });
    const Mat3d Gr = cloud.sum<Mat3d>([&](const Particle& p) { return -2.0 * (skew(p.at) * skew(shape(p))); });
    const Mat3d Oe =
        cloud.sum<Mat3d>([&](const Particle& p) { return skew(shape(p)) * skew(p.at); });  // tau_k = w . Oe w
    for (int i = 0; i < 3; ++i) {
      CHECK(std::abs(of("Ct").at(k, i) - Ct[i]) < close);
      CHECK(std::abs(of("mdCM").at(i, k, 0) - Ct[i]) < close);
      CHECK(std::abs(of("Cr").at(k, i) - Cr[i]) < close);
      CHECK(std::abs(of("Oe").at(k, i) - Oe[i][i]) < close);
      for (int j = 0; j < 3; ++j) CHECK(std::abs(of("Gr").at(i, 3 * k + j) - Gr[i][j]) < close);
    }
    CHECK(std::abs(of("Oe").at(k, 3) - Oe[0][1] - Oe[1][0]) < close);
    CHECK(std::abs(of("Oe").at(k, 4) - Oe[1][2] - Oe[2][1]) < close);
    CHECK(std::abs(of("Oe").at(k, 5) - Oe[0][2] - Oe[2][0]) < close);
    for (int l = 0; l < 3; ++l) {
      const auto other = [l](const Particle& p) { return Cloud::field(p, l + 1); };
      double Me = 0;
      for (const Particle& p : cloud.particles) Me += p.mass * dot(shape(p), other(p));
      CHECK(std::abs(of("Me").at(k, l) - Me) < close);
      const Vec3d Ge =
          cloud.sum<Vec3d>([&](const Particle& p) { return -2.0 * (transpose(skew(other(p))) * shape(p)); });
      const Mat3d rate = cloud.sum<Mat3d>([&](const Particle& p) { return skew(shape(p)) * skew(other(p)); });
      for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(of("Ge").at(k, 3 * l + i) - Ge[i]) < close);  // 2 phi_k . (w x phi_l)
        CHECK(std::abs(of("Oe").at(k, l, i) - (rate[i][i] + transpose(rate)[i][i]) / 2) < close);
      }
    }
  }
}

TEST_CASE("SID: a body that is written and read back has the same equations, stress that stiffens included") {
  const Cloud cloud(4);
  const SidText written = sid_text(cloud.body);
  CHECK(written.notes.empty());
  SidBody back = read_sid(written.text, "cloud.SID_FEM", {});
  CHECK(back.notes.empty());
  CHECK(back.body.points.size() == cloud.body.points.size());
  CHECK(back.body.points[3].name == "13");
  // A unit of a coordinate is another one after reading: both are made so here.
  model::ModalBody once = back.body;
  once = read_sid(sid_text(once).text, "once.SID_FEM", {}).body;
  const auto same = [&](const Coefficients& a, const Coefficients& b) {
    const double twelve_digits = 1e-10;  // written with twelve; sums of some lose two
    CHECK(difference(a.inertia, b.inertia) < twelve_digits);
    CHECK(difference(a.spin, b.spin) < twelve_digits);
    CHECK(difference(a.across, b.across) < twelve_digits);
    CHECK(difference(a.shortening, b.shortening) < twelve_digits);
    CHECK(difference(a.mass, b.mass) < twelve_digits);
    CHECK(difference(a.stiffness, b.stiffness) < twelve_digits);
    CHECK(difference(a.damping, b.damping) < twelve_digits);
    CHECK(difference(a.first, b.first) < twelve_digits);
    CHECK(difference(a.spin_design, b.spin_design) < twelve_digits);
  };
  same(Coefficients(back.body), Coefficients(once));
  // Against the body itself, in its own units: the factor of each coordinate follows from the shape of a node.
  model::ModalBody own = cloud.body;
  std::vector<double> by;
  for (int k = 0; k < 4; ++k) {
    const auto i = static_cast<std::size_t>(k);
    by.push_back(norm(back.body.points[0].shift[i]) / norm(own.points[0].shift[i]));
  }
  const auto factor = [&](int k) { return k == 0 ? 1.0 : by[static_cast<std::size_t>(k - 1)]; };
  for (int k = 0; k <= 4; ++k) {
    own.first[static_cast<std::size_t>(k)] = factor(k) * own.first[static_cast<std::size_t>(k)];
    for (int l = 0; l <= 4; ++l)
      own.second[static_cast<std::size_t>(5 * k + l)] =
          factor(k) * factor(l) * own.second[static_cast<std::size_t>(5 * k + l)];
  }
  const auto scale = [&](std::vector<double>& m) {
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < 4; ++l) m[static_cast<std::size_t>(4 * k + l)] *= factor(k + 1) * factor(l + 1);
    }
  };
  scale(own.stiffness), scale(own.damping);
  for (auto& m : own.geometric.acceleration) scale(m);
  for (auto& m : own.geometric.angular_acceleration) scale(m);
  for (auto& m : own.geometric.centrifugal) scale(m);
  same(Coefficients(own), Coefficients(back.body));
}

TEST_CASE("SID: units of length and mass") {
  const Cloud cloud(2);
  const std::string text = sid_text(cloud.body).text;
  const model::ModalBody si = read_sid(text, "a.SID_FEM", {}).body, mm = read_sid(text, "a.SID_FEM", {1e-3, 1e3}).body;
  CHECK(mm.mass == doctest::Approx(1e3 * si.mass).epsilon(1e-12));
  CHECK(norm(mm.points[2].at - 1e-3 * si.points[2].at) < 1e-15);
  CHECK(norm(mm.first[0] - si.first[0]) < 1e-9);  // t mm is kg m
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(mm.frequencies_hz[k] == doctest::Approx(si.frequencies_hz[k]).epsilon(1e-12));
}

TEST_CASE("SID: messages name the line") {
  const std::string good = sid_text(Cloud(2).body).text;
  const auto said = [](const std::string& text) { return refusal_of([&] { read_sid(text, "b.SID_FEM", {}); }); };
  const auto at = [](int line) { return "b.SID_FEM:" + std::to_string(line) + ":1: "; };
  CHECK(said(good) == "none");
  CHECK(said("").find("b.SID_FEM") != std::string::npos);
  CHECK(said("solid cube\n").find(at(1) + "the first line should begin with the numbers of nodes and of modes") !=
        std::string::npos);
  CHECK(said(good.substr(0, good.find("           end Ke"))).find("the class \"Ke\" is not closed") !=
        std::string::npos);
  CHECK(said(replaced(good, "end mdCM", "end J"))
            .find(at(line_of(good, "end mdCM")) + "\"end J\" comes before \"end mdCM\"") != std::string::npos);
  CHECK(said(replaced(good, "m0( 1, 1)", "m0( 4, 1)"))
            .find(at(line_of(good, "m0( 1, 1)")) + "m0( 4, 1) is outside of its matrix of 3 x 1") != std::string::npos);
  // sizes that come late would move the entries
  const std::size_t first = good.find("structure"), behind = good.find('\n', first) + 1;
  const std::string late = good.substr(0, behind) + "nrow = 40\n" + good.substr(behind);
  CHECK_MESSAGE(said(late).find("nrow comes behind structure, or the class comes twice") != std::string::npos,
                said(late));
  CHECK(said(replaced(late, "nrow = 40", "order = 1")).find("order comes behind structure") != std::string::npos);
  CHECK(said(replaced(good, "nelastq", "nelastk")).find("\"nelastk\" is not known here") != std::string::npos);
  CHECK(said(replaced(good, "    9    2", "    8    2")).find("the first line says 8 nodes, but the file has 9") !=
        std::string::npos);
  std::string without = good;
  without.erase(without.find("           Oe\n"), without.find("           ksigma\n") - without.find("           Oe\n"));
  CHECK(said(without).find("the class \"Oe\" is missing") != std::string::npos);
  const std::size_t Me = good.find("           Me\n"), value = good.find('=', good.find("m0( 1, 1)", Me));
  std::string negative = good;
  negative[value + 1] = '-';
  CHECK(said(negative).find(at(line_of(good, "           Me\n")) +
                            "the mass matrix of the modes, Me, is not positive definite") != std::string::npos);
}
