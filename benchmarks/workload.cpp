#include "workload.h"

#include <cmath>

namespace skyhook::bench {
namespace {

using Joint = WorkloadBody::Joint;

Joint hinge(int i) { return static_cast<Joint>(i % 3); }

void add_free_position(int body, std::vector<double>& q) {
  for (int k = 0; k < 3; ++k) q.push_back(0.3 * std::sin(2.0 + 3 * body + k));
  const double x = 0.3 * std::sin(1.0 + 3 * body), y = 0.3 * std::sin(2.0 + 3 * body),
               z = 0.3 * std::sin(3.0 + 3 * body);
  const double size = std::sqrt(1 + x * x + y * y + z * z);
  for (const double c : {1.0, x, y, z}) q.push_back(c / size);
}

// An arbitrary state with nothing zero.
Workload with_state(Workload w) {
  int nv = 0;
  for (int i = 0; i < w.size(); ++i) {
    if (w.bodies[i].joint == Joint::free) {
      add_free_position(i, w.q);
    } else {
      w.q.push_back(0.3 * std::sin(1.0 + i));
    }
    nv += w.bodies[i].nv();
  }
  for (int i = 0; i < nv; ++i) w.v.push_back(0.2 * std::cos(2.0 + 3 * i)), w.a.push_back(0.1 * std::sin(5.0 + 2 * i));
  return w;
}

}  // namespace

Workload chain(int n) {
  Workload w{"chain of " + std::to_string(n), {}, {}, {}, {}};
  for (int i = 0; i < n; ++i) w.bodies.push_back({i - 1, hinge(i), {0, 0, i > 0 ? -0.5 : 0.0}});
  return with_state(std::move(w));
}

Workload binary_tree(int n) {
  Workload w{"binary tree of " + std::to_string(n), {}, {}, {}, {}};
  for (int i = 0; i < n; ++i) {
    w.bodies.push_back({i > 0 ? (i - 1) / 2 : -1, hinge(i), {i % 2 == 1 ? 0.1 : -0.1, 0, i > 0 ? -0.5 : 0.0}});
  }
  return with_state(std::move(w));
}

Workload free_bodies() {
  Workload w{"seven free bodies", {}, {}, {}, {}};
  for (int i = 0; i < 7; ++i) w.bodies.push_back({-1, Joint::free, {2.0 * i, 0, 0}});
  return with_state(std::move(w));
}

std::vector<Workload> all_workloads() {
  std::vector<Workload> all;
  for (const int n : {2, 4, 8, 16, 32, 64, 128, 256}) all.push_back(chain(n));
  all.push_back(binary_tree(63));
  all.push_back(free_bodies());
  return all;
}

}  // namespace skyhook::bench
