// The lines of a mesh: frames on them, and large steps that bend them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "skyhook/flexible/ancf_station.h"

namespace skyhook::flexible {

// A straight line of equal elements, and how the vectors of its nodes are sums of the coordinates of the mesh.
struct AncfLine {
  std::string prefix;  // of the names of its nodes
  Vec3d from;
  Mat3d axes;
  AncfBeam::Kind kind;
  int elements;
  double length;  // of an element
  std::vector<AncfVector> vectors;
  std::vector<AncfSum> sum;  // of all numbers of all nodes
  int first = 0;             // of its own coordinates; those of lines before it come before

  std::string name_of(int node) const {
    return prefix + (node == 0 ? "start" : node == elements ? "end" : std::to_string(node));
  }
  Vec3d at(double s) const { return from + s * axes.column(0); }
  double whole() const { return elements * length; }
  int dimension() const { return dimension_of(kind); }
  double design_of(int node, AncfVector v, int c) const {
    if (v == AncfVector::r) return c == 0 ? node * length : 0.0;
    return c == static_cast<int>(v) - 1 ? 1.0 : 0.0;
  }
  // Whether this is a coordinate of the line's own, by itself.
  bool owns(const AncfSum& what) const { return what.size() == 1 && what[0].second == 1.0 && what[0].first >= first; }
  const AncfSum& of(int node, std::size_t vector, int c) const {
    return sum[(static_cast<std::size_t>(node) * vectors.size() + vector) * static_cast<std::size_t>(dimension()) +
               static_cast<std::size_t>(c)];
  }
};

class AncfLines final : public model::MeshLines {
 public:
  AncfLines(std::vector<AncfLine> lines, double near) : lines_(std::move(lines)), near_(near) {}
  model::MeshStation nearest(const Vec3d& place) const override;
  // Where lines run through a place that are not welded there, and so have frames of their own: the names of two such points. Else none.
  std::vector<std::string> apart_at(const Vec3d& place) const;
  // q + step to first order, but with the nodes turned and not stretched: vectors of a node turn together, chords between nodes by themselves.
  void bend(std::span<const double> step, std::span<double> q) const;

 private:
  model::MeshStation frame(const AncfLine& line, double s) const;
  bool goes_with_lines_before(const AncfLine& line, double s) const;

  std::vector<AncfLine> lines_;
  double near_;
};

}  // namespace skyhook::flexible
