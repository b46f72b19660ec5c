#include "skyhook/flexible/ancf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "skyhook/flexible/ancf_lines.h"
#include "skyhook/flexible/ancf_shape.h"
#include "skyhook/flexible/ancf_station.h"
#include "skyhook/math/elimination.h"

namespace skyhook::flexible {
// Joined builds put files of a folder together: names of this one stand apart.
namespace ancf_line {
namespace {

using Kind = AncfBeam::Kind;

void refuse(const AncfBeam& beam, const std::string& why, const std::string& advice) {
  throw ModelError(beam.where, fmt::format("beam \"{}\" {}", beam.name, why), advice);
}

void check(const AncfBeam& beam) {
  const Section& s = beam.section;
  const bool bends = s.iz > 0 && (dimension_of(beam.kind) == 2 || is_cable(beam.kind) || (s.iy > 0 && s.it > 0));
  if (!(s.area > 0) || !bends)
    refuse(beam, fmt::format("has a section without area or second moments (area {:.3g} m^2).", s.area),
           "Give its size, for example rectangle: [40 mm, 40 mm].");
  if (!(beam.material.young > 0)) refuse(beam, "has no modulus of elasticity.", "Write `material: steel`, or young.");
  if (!(beam.material.density > 0))
    refuse(beam, "has no density: its coordinates need mass.", "Write `material: steel`, or density.");
  if (!(beam.poisson > -1 && beam.poisson < 0.5))
    refuse(
        beam,
        fmt::format("has Poisson's ratio {:.3g}: it must be above -1 and below 0.5, where nothing changes its volume.",
                    beam.poisson),
        "Steel has 0.3; rubber about 0.49.");
  if (beam.elements < 1) refuse(beam, "has no elements.", "Write elements: 4.");
  if (beam.kind == Kind::cable && std::abs(s.iy - s.iz) > 1e-6 * std::max(s.iy, s.iz))
    refuse(beam, "is a cable in space, which bends alike in all directions, but iy and iz of its section differ.",
           "Give it a round section, or write `type: beam`.");
}

// A line of elements of one kind. Their numbers, in the axes of the line, are sums of the mesh's coordinates: those of neighbours overlap, an element has its node and the
// next.
struct LineForces {
  AncfElement element;
  int elements = 0;
  std::vector<double> design;
  std::vector<AncfSum> sum;  // none: held at its design value
  struct Slot {
    int entry, to;
    double factor;
  };
  std::vector<std::vector<Slot>> slots;  // of each element: where its matrix goes

  std::size_t place(int which, int i) const { return static_cast<std::size_t>(which * element.numbers() / 2 + i); }
};

class MeshForces final : public model::ElasticForces {
 public:
  explicit MeshForces(std::vector<LineForces> lines) : lines_(std::move(lines)) {}

  double energy(std::span<const double> q) const override {
    double total = 0;
    Numbers e;
    for (const LineForces& line : lines_) {
      for (int k = 0; k < line.elements; ++k) gather(line, k, q, true, e), total += line.element.energy(whole(line, e));
    }
    return total;
  }
  double dissipation(std::span<const double> q, std::span<const double> v) const override {
    double total = 0;
    Numbers e, rate;
    for (const LineForces& line : lines_) {
      for (int k = 0; k < line.elements && line.element.damping != 0.0; ++k) {
        gather(line, k, q, true, e), gather(line, k, v, false, rate);
        total += line.element.dissipation(whole(line, e), whole(line, rate));
      }
    }
    return total;
  }
  void add(std::span<const double> q, std::span<const double> v, std::span<double> f) const override {
    Numbers e, rate, force;
    for (const LineForces& line : lines_) {
      const int n = line.element.numbers();
      for (int k = 0; k < line.elements; ++k) {
        gather(line, k, q, true, e), gather(line, k, v, false, rate);
        force.fill(0.0);
        line.element.add_forces(whole(line, e), whole(line, rate),
                                std::span(force.data(), static_cast<std::size_t>(n)));
        for (int i = 0; i < n; ++i) {
          for (const auto& [to, factor] : line.sum[line.place(k, i)])
            f[static_cast<std::size_t>(to)] += factor * force[static_cast<std::size_t>(i)];
        }
      }
    }
  }
  void add_derivatives(std::span<const double> q, std::span<const double> v, std::span<double> by_q,
                       std::span<double> by_v) const override {
    Numbers e, rate;
    std::array<double, static_cast<std::size_t>(AncfElement::most_numbers) * AncfElement::most_numbers> K, D;
    for (const LineForces& line : lines_) {
      const auto n = static_cast<std::size_t>(line.element.numbers());
      for (int k = 0; k < line.elements; ++k) {
        gather(line, k, q, true, e), gather(line, k, v, false, rate);
        std::fill_n(K.begin(), n * n, 0.0), std::fill_n(D.begin(), n * n, 0.0);
        line.element.add_derivatives(whole(line, e), whole(line, rate), std::span(K.data(), n * n),
                                     std::span(D.data(), n * n));
        for (const LineForces::Slot& s : line.slots[static_cast<std::size_t>(k)]) {
          by_q[static_cast<std::size_t>(s.to)] += s.factor * K[static_cast<std::size_t>(s.entry)];
          by_v[static_cast<std::size_t>(s.to)] += s.factor * D[static_cast<std::size_t>(s.entry)];
        }
      }
    }
  }

 private:
  using Numbers = std::array<double, AncfElement::most_numbers>;
  static std::span<const double> whole(const LineForces& line, const Numbers& e) {
    return {e.data(), static_cast<std::size_t>(line.element.numbers())};
  }
  static void gather(const LineForces& line, int element, std::span<const double> from, bool with_design, Numbers& e) {
    for (int i = 0; i < line.element.numbers(); ++i) {
      const std::size_t at = line.place(element, i);
      double x = with_design ? line.design[at] : 0.0;
      for (const auto& [k, factor] : line.sum[at]) x += factor * from[static_cast<std::size_t>(k)];
      e[static_cast<std::size_t>(i)] = x;
    }
  }

  std::vector<LineForces> lines_;
};

class MeshBuilder {
 public:
  MeshBuilder(const std::string& name, const Location& where, const std::vector<AncfBeam>& beams)
      : beams_(beams), has_names_(beams.size() > 1) {
    out_.name = name, out_.where = where;
  }

  model::NodalMesh build() {
    double largest = 0;
    for (const AncfBeam& beam : beams_) {
      check(beam), largest = std::max(largest, norm(beam.to - beam.from));
      lines_.push_back({has_names_ ? beam.name + "." : "",
                        beam.from,
                        ancf_axes(beam),
                        beam.kind,
                        beam.elements,
                        norm(beam.to - beam.from) / beam.elements,
                        vectors_of(beam.kind),
                        {},
                        0});
    }
    for (const AncfBeam& beam : beams_)
      out_.wave_rate =
          std::max(out_.wave_rate, std::sqrt(beam.material.young / beam.material.density) / norm(beam.to - beam.from));
    out_.near = 1e-6 * largest;
    for (std::size_t b = 0; b < beams_.size(); ++b) number_line(b);
    out_.coordinates = static_cast<int>(out_.names.size());
    add_inertia(), add_forces(), add_pictures(), add_curves();
    out_.lines = std::make_shared<const AncfLines>(lines_, out_.near);
    return std::move(out_);
  }

 private:
  // How far a unit of the vector moves material: errors of slopes count as those of the positions that they cause. What turns the line somewhere moves the rest
  // of it, however short its elements are: by their length, errors of r_x could be strains that grow as meshes become finer.
  static double reach(const AncfBeam& beam, AncfVector v) {
    if (v == AncfVector::r) return 1.0;
    return v == AncfVector::rx
               ? norm(beam.to - beam.from)
               : std::sqrt((v == AncfVector::ry ? beam.section.iz : beam.section.iy) / beam.section.area);
  }

  void number_line(std::size_t which) {
    const AncfBeam& beam = beams_[which];
    AncfLine& line = lines_[which];
    line.first = static_cast<int>(out_.names.size());
    for (int node = 0; node <= line.elements; ++node) {
      out_.nodes.push_back({line.name_of(node), line.at(node * line.length)});
      const AncfBeam::End end = node == 0 ? beam.start : node == line.elements ? beam.end : AncfBeam::End::free;
      const AncfBeam::Partner partner = node == 0               ? beam.start_on
                                        : node == line.elements ? beam.end_on
                                                                : AncfBeam::Partner{};
      if (partner.line >= 0) check_partner(which, node, partner);
      const std::size_t before = out_.names.size();
      for (const AncfVector v : line.vectors) {
        for (int c = 0; c < line.dimension(); ++c) {
          if (partner.line >= 0 && (v == AncfVector::r || partner.is_welded))
            line.sum.push_back(shared(which, partner, v, c));
          else if (is_held(line.kind, end, v, c))
            line.sum.emplace_back();
          else
            line.sum.push_back({{add_coordinate(beam, line, node, v, c), 1.0}});
        }
      }
      tell_eliminated(line, node, end, partner,
                      line.vectors.size() * static_cast<std::size_t>(line.dimension()) - (out_.names.size() - before));
    }
  }
  void tell_eliminated(const AncfLine& line, int node, AncfBeam::End end, const AncfBeam::Partner& partner,
                       std::size_t count) {
    if (count == 0) return;
    const std::string how = partner.line < 0
                                ? end == AncfBeam::End::hinged ? "hinged" : "clamped"
                                : fmt::format("{} to {}", partner.is_welded ? "welded" : "hinged",
                                              lines_[static_cast<std::size_t>(partner.line)].name_of(partner.node));
    out_.eliminated.push_back(fmt::format("{} {} ({})", line.name_of(node), how, count));
  }
  int add_coordinate(const AncfBeam& beam, const AncfLine& line, int node, AncfVector v, int c) {
    static const char* const letters = "xyz";
    const std::string of = v == AncfVector::r ? "" : fmt::format("slope_{}_", letters[static_cast<int>(v) - 1]);
    out_.names.push_back(fmt::format("{}{}{}_{}", line.prefix, of, letters[c], node));
    out_.design.push_back(line.design_of(node, v, c));
    out_.size.push_back(norm(beam.to - beam.from) / reach(beam, v));
    out_.is_length.push_back(v == AncfVector::r);
    return static_cast<int>(out_.names.size()) - 1;
  }

  void check_partner(std::size_t which, int node, const AncfBeam::Partner& partner) const {
    const AncfBeam& beam = beams_[which];
    const AncfLine &line = lines_[which], &other = lines_[static_cast<std::size_t>(partner.line)];
    const std::string here = node == 0 ? "start" : "end", there = other.name_of(partner.node);
    const double away = norm(line.at(node * line.length) - other.at(partner.node * other.length));
    if (away > out_.near)
      refuse(beam,
             fmt::format("is joined to \"{}\" by its {}, but at design these are {:.3g} m apart.", there, here, away),
             "Let it begin or end at that node.");
    if (line.dimension() != other.dimension() ||
        (line.dimension() == 2 && std::abs(dot(line.axes.column(2), other.axes.column(2))) < 1 - 1e-9))
      refuse(beam, fmt::format("is joined to \"{}\", but does not move in the same plane.", there),
             "Give both the same `normal`, or make both cables or beams in space.");
    if (!partner.is_welded) return;
    if (line.kind != other.kind)
      refuse(beam, fmt::format("is welded to \"{}\", which is of another type.", there),
             "Give both the same `type`, or hinge them.");
    if (is_cable(line.kind) && std::abs(dot(line.axes.column(0), other.axes.column(0))) < 1 - 1e-9)
      refuse(beam,
             fmt::format("is a cable that is welded to \"{}\" at an angle: cables have no section that would keep it.",
                         there),
             "Hinge them, or write `type: planar_beam` or `type: beam`.");
  }

  // Component c of a vector of this line in terms of the partner's node: r is the same; welded, so is the gradient F, r_x = F x.
  AncfSum shared(std::size_t which, const AncfBeam::Partner& partner, AncfVector v, int c) const {
    const AncfLine &line = lines_[which], &other = lines_[static_cast<std::size_t>(partner.line)];
    AncfSum out;
    for (std::size_t k = 0; k < other.vectors.size(); ++k) {
      const AncfVector of = other.vectors[k];
      if ((of == AncfVector::r) != (v == AncfVector::r)) continue;
      const double share = v == AncfVector::r ? 1.0
                                              : dot(other.axes.column(static_cast<int>(of) - 1),
                                                    line.axes.column(static_cast<int>(v) - 1));
      for (int i = 0; i < other.dimension(); ++i) {
        const double factor = share * dot(line.axes.column(c), other.axes.column(i));
        if (std::abs(factor) < 1e-12) continue;
        for (const auto& [number, own] : other.of(partner.node, k, i)) out.push_back({number, factor * own});
      }
    }
    return out;
  }

  // Integral of N_k N_l dm of an element, and of N_k dm; those of r_y and r_z with the second moments of the section.
  struct ElementInertia {
    std::vector<double> M, first;
  };
  static ElementInertia element_inertia(const AncfBeam& beam, const AncfLine& line) {
    const std::size_t n = line.vectors.size();
    const double mass = beam.material.density * line.length;
    const auto moment = [&](AncfVector a, AncfVector b) {
      if (is_across(a) != is_across(b) || (is_across(a) && a != b)) return 0.0;
      return a == AncfVector::ry ? beam.section.iz : a == AncfVector::rz ? beam.section.iy : beam.section.area;
    };
    ElementInertia out{std::vector<double>(4 * n * n, 0.0), std::vector<double>(2 * n, 0.0)};
    for (const AncfPoint& g : ancf_gauss(4)) {
      for (std::size_t k = 0; k < 2 * n; ++k) {
        const double a = ancf_shape(line.vectors[k % n], k >= n, g.at, line.length).value;
        if (!is_across(line.vectors[k % n])) out.first[k] += mass * beam.section.area * g.weight * a;
        for (std::size_t l = 0; l < 2 * n; ++l)
          out.M[2 * n * k + l] += mass * g.weight * moment(line.vectors[k % n], line.vectors[l % n]) * a *
                                  ancf_shape(line.vectors[l % n], l >= n, g.at, line.length).value;
      }
    }
    return out;
  }

  void add_inertia() {
    out_.first.assign(static_cast<std::size_t>(out_.coordinates), {});
    std::vector<ElementInertia> inertia;
    const auto each = [&](auto&& use) {
      for (std::size_t b = 0; b < beams_.size(); ++b) {
        const AncfLine& line = lines_[b];
        const std::size_t n = line.vectors.size();
        for (int e = 0; e < line.elements; ++e) {
          for (std::size_t k = 0; k < 2 * n; ++k) {
            for (std::size_t l = 0; l < 2 * n; ++l) {
              const double m = inertia[b].M[2 * n * k + l];
              for (int c = 0; c < line.dimension() && m != 0.0; ++c) {
                for (const auto& [i, x] : line.of(e + (k >= n), k % n, c)) {
                  for (const auto& [j, y] : line.of(e + (l >= n), l % n, c)) use(i, j, x * y * m);
                }
              }
            }
          }
        }
      }
    };
    for (std::size_t b = 0; b < beams_.size(); ++b) {
      inertia.push_back(element_inertia(beams_[b], lines_[b]));
      const double m = beams_[b].material.density * beams_[b].section.area * lines_[b].whole();
      out_.total_mass += m, out_.first_design += 0.5 * m * (beams_[b].from + beams_[b].to);
      add_first_moments(lines_[b], inertia.back());
    }
    PatternBuilder pattern(out_.coordinates, out_.coordinates);
    each([&](int i, int j, double) { pattern.add(i, j), pattern.add(j, i); });
    out_.mass = Csc(std::make_shared<const Pattern>(closed_under_elimination(pattern.build())));
    each(
        [&](int i, int j, double m) { out_.mass.value[static_cast<std::size_t>(out_.mass.pattern->find(i, j))] += m; });
  }
  void add_first_moments(const AncfLine& line, const ElementInertia& inertia) {
    const std::size_t n = line.vectors.size();
    for (int e = 0; e < line.elements; ++e) {
      for (std::size_t k = 0; k < 2 * n; ++k) {
        for (int c = 0; c < line.dimension(); ++c) {
          for (const auto& [i, factor] : line.of(e + (k >= n), k % n, c))
            out_.first[static_cast<std::size_t>(i)] += factor * inertia.first[k] * line.axes.column(c);
        }
      }
    }
  }

  void add_forces() {
    std::vector<LineForces> lines;
    PatternBuilder pattern(out_.coordinates, out_.coordinates);
    for (int j = 0; j < out_.coordinates; ++j) {  // holds that of M
      for (int k = out_.mass.pattern->start[j]; k < out_.mass.pattern->start[j + 1]; ++k)
        pattern.add(out_.mass.pattern->row[k], j);
    }
    for (std::size_t b = 0; b < beams_.size(); ++b) {
      LineForces line{ancf_element(beams_[b], lines_[b].length), lines_[b].elements, {}, lines_[b].sum, {}};
      for (int node = 0; node <= line.elements; ++node) {
        for (const AncfVector v : lines_[b].vectors) {
          for (int c = 0; c < lines_[b].dimension(); ++c) line.design.push_back(lines_[b].design_of(node, v, c));
        }
      }
      each_entry(line, [&](int, int, int i, int j, double) { pattern.add(i, j); });
      lines.push_back(std::move(line));
    }
    out_.pattern = pattern.build();
    for (LineForces& line : lines) {
      line.slots.resize(static_cast<std::size_t>(line.elements));
      each_entry(line, [&](int e, int entry, int i, int j, double factor) {
        line.slots[static_cast<std::size_t>(e)].push_back({entry, out_.pattern.find(i, j), factor});
      });
    }
    out_.forces = std::make_shared<const MeshForces>(std::move(lines));
  }
  // use(element, entry of its matrix, coordinates i and j, factor)
  template <class Use>
  static void each_entry(const LineForces& line, Use&& use) {
    const int n = line.element.numbers();
    for (int e = 0; e < line.elements; ++e) {
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
          for (const auto& [i, x] : line.sum[line.place(e, a)]) {
            for (const auto& [j, y] : line.sum[line.place(e, b)]) use(e, a * n + b, i, j, x * y);
          }
        }
      }
    }
  }

  void add_pictures() {
    for (std::size_t b = 0; b < beams_.size(); ++b) {
      const AncfLine& line = lines_[b];
      const flexible::Section& section = beams_[b].section;
      model::MeshPicture picture;
      picture.name = has_names_ ? beams_[b].name : "";
      picture.origin = line.from, picture.axes = line.axes;
      picture.height = std::sqrt(12 * section.iz / section.area), picture.width = section.area / picture.height;
      draw(line, picture);
      out_.pictures.push_back(std::move(picture));
    }
  }
  // Vectors of the nodes: those whose components are coordinates by themselves as such, others as sums of vectors with one component each.
  void draw(const AncfLine& line, model::MeshPicture& picture) {
    constexpr int parts = 4;
    std::vector<std::vector<model::MeshPicture::Term>> drawn;
    for (int node = 0; node <= line.elements; ++node) {
      for (std::size_t k = 0; k < line.vectors.size(); ++k) {
        model::MeshPicture::Vector whole;
        drawn.push_back({{static_cast<int>(picture.vectors.size()), 1.0}});
        std::vector<model::MeshPicture::Vector> more;
        for (int c = 0; c < line.dimension(); ++c) {
          whole.design[c] = line.design_of(node, line.vectors[k], c);
          const AncfSum& sum = line.of(node, k, c);
          if (sum.size() == 1 && sum[0].second == 1.0) {
            whole.coordinate[c] = sum[0].first;
            continue;
          }
          for (const auto& [i, factor] : sum) {
            drawn.back().push_back({static_cast<int>(picture.vectors.size() + 1 + more.size()), factor});
            more.emplace_back().coordinate[c] = i;
          }
        }
        picture.vectors.push_back(whole);
        picture.vectors.insert(picture.vectors.end(), more.begin(), more.end());
      }
    }
    for (int e = 0; e < line.elements; ++e) {
      for (int p = 0; p < parts + (e + 1 == line.elements ? 1 : 0); ++p)
        picture.stations.push_back(picture_station(line, e, static_cast<double>(p) / parts, drawn));
    }
  }
  static model::MeshPicture::Station picture_station(const AncfLine& line, int element, double xi,
                                                     const std::vector<std::vector<model::MeshPicture::Term>>& drawn) {
    const std::size_t n = line.vectors.size();
    model::MeshPicture::Station out{(element + xi) * line.length, {}, {}, {}, {}};
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const AncfVector v = line.vectors[k % n];
      const AncfShape f = ancf_shape(v, k >= n, xi, line.length);
      const auto put = [&](std::vector<model::MeshPicture::Term>& to, double weight) {
        if (weight == 0.0) return;
        for (const model::MeshPicture::Term& t : drawn[(static_cast<std::size_t>(element) + k / n) * n + k % n])
          to.push_back({t.vector, weight * t.weight});
      };
      if (is_across(v))
        put(v == AncfVector::ry ? out.y : out.z, f.value);
      else
        put(out.position, f.value), put(out.slope, f.slope);
    }
    return out;
  }

  void add_curves() {
    for (std::size_t b = 0; b < beams_.size(); ++b) {
      const AncfLine& line = lines_[b];
      model::MeshCurve curve{has_names_ ? beams_[b].name : "", line.axes, line.dimension() == 2, line.length, {}, {}};
      std::set<int> moving;
      for (int e = 0; e < line.elements; ++e) {
        curve.elements.push_back(curve_element(line, e));
        for (const model::MeshCurve::Share& share : curve.elements.back().shares) moving.insert(share.coordinate);
      }
      curve.coordinates.assign(moving.begin(), moving.end());
      for (model::MeshCurve::Element& element : curve.elements) {
        for (model::MeshCurve::Share& share : element.shares)
          share.number = static_cast<int>(std::distance(moving.begin(), moving.find(share.coordinate)));
      }
      out_.curves.push_back(std::move(curve));
    }
  }
  // r and r_x of its first node, then of its second.
  static model::MeshCurve::Element curve_element(const AncfLine& line, int element) {
    model::MeshCurve::Element out{};
    for (int end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < line.vectors.size(); ++k) {
        if (is_across(line.vectors[k])) continue;
        const int which = 2 * end + (line.vectors[k] == AncfVector::rx);
        out.design[which] =
            line.vectors[k] == AncfVector::rx ? line.axes.column(0) : line.at((element + end) * line.length);
        for (int c = 0; c < line.dimension(); ++c) {
          for (const auto& [i, factor] : line.of(element + end, k, c)) {
            auto share = std::ranges::find(out.shares, i, &model::MeshCurve::Share::coordinate);
            if (share == out.shares.end()) share = out.shares.insert(share, {i, -1, {}});
            share->adds[which] += factor * line.axes.column(c);
          }
        }
      }
    }
    return out;
  }

  const std::vector<AncfBeam>& beams_;
  bool has_names_;
  std::vector<AncfLine> lines_;
  model::NodalMesh out_;
};

}  // namespace
}  // namespace ancf_line

Mat3d ancf_axes(const AncfBeam& beam) {
  const Vec3d along = beam.to - beam.from;
  if (!(norm(along) > 0))
    ancf_line::refuse(beam, "begins and ends at the same point: it has no length.",
                      "Give `from` and `to` different points.");
  const Vec3d x = normalized(along);
  Vec3d across = beam.up - dot(beam.up, x) * x;
  const bool is_along = !(norm(across) > 1e-6 * norm(beam.up));
  if (is_along && beam.kind == AncfBeam::Kind::cable)  // round: any will do
    across = perpendicular(x);
  else if (is_along)
    ancf_line::refuse(beam,
                      dimension_of(beam.kind) == 2 ? "bends in a plane, but its normal runs along the beam."
                                                   : "has an `up` that runs along it.",
                      dimension_of(beam.kind) == 2
                          ? "Give a direction across the beam and its plane, for example normal: [0, 1, 0]."
                          : "Give a direction across the beam, for example up: [0, 1, 0].");
  const Vec3d z = normalized(across);
  return Mat3d::columns(x, cross(z, x), z);
}

model::NodalMesh ancf_mesh(const std::string& name, const Location& where, const std::vector<AncfBeam>& lines) {
  return ancf_line::MeshBuilder(name, where, lines).build();
}

model::NodalMesh ancf_mesh(const AncfBeam& beam) { return ancf_mesh(beam.name, beam.where, {beam}); }

}  // namespace skyhook::flexible
