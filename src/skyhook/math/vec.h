// Small fixed-size vectors and matrices over any scalar (double, Dual, Lanes). Row-major matrices.
#pragma once
#include <cmath>

namespace skyhook {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  constexpr Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  template <class U>
  constexpr explicit operator Vec3<U>() const {
    return {U(x), U(y), U(z)};
  }
  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
inline Vec3<double> normalized(const Vec3<double>& a) { return (1.0 / norm(a)) * a; }
// Any unit vector perpendicular to the unit vector `a`; deterministic: crosses with the axis of a's smallest entry.
inline Vec3<double> perpendicular(const Vec3<double>& a) {
  const double x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
  const Vec3<double> e = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                         : y <= z         ? Vec3<double>{0, 1, 0}
                                          : Vec3<double>{0, 0, 1};
  return normalized(cross(a, e));
}

template <class T>
struct Mat3 {
  Vec3<T> r0, r1, r2;  // rows
  static constexpr Mat3 identity() { return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}; }
  static constexpr Mat3 diagonal(const Vec3<T>& d) { return {{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}; }
  static constexpr Mat3 columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
  }
  constexpr Vec3<T>& operator[](int i) { return i == 0 ? r0 : i == 1 ? r1 : r2; }
  constexpr const Vec3<T>& operator[](int i) const { return i == 0 ? r0 : i == 1 ? r1 : r2; }
  constexpr Vec3<T> column(int j) const { return {r0[j], r1[j], r2[j]}; }
  template <class U>
  constexpr explicit operator Mat3<U>() const {
    return {Vec3<U>(r0), Vec3<U>(r1), Vec3<U>(r2)};
  }
  constexpr Mat3& operator+=(const Mat3& b) { return r0 += b.r0, r1 += b.r1, r2 += b.r2, *this; }
  constexpr Mat3& operator-=(const Mat3& b) { return r0 -= b.r0, r1 -= b.r1, r2 -= b.r2, *this; }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
  friend constexpr Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
  friend constexpr Mat3 operator-(Mat3 a, const Mat3& b) { return a -= b; }
  friend constexpr Mat3 operator*(const T& s, const Mat3& a) { return {s * a.r0, s * a.r1, s * a.r2}; }
  friend constexpr Vec3<T> operator*(const Mat3& a, const Vec3<T>& v) {
    return {dot(a.r0, v), dot(a.r1, v), dot(a.r2, v)};
  }
  friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    auto row = [&](const Vec3<T>& r) { return r.x * b.r0 + r.y * b.r1 + r.z * b.r2; };
    return {row(a.r0), row(a.r1), row(a.r2)};
  }
};

template <class T>
constexpr Mat3<T> transpose(const Mat3<T>& a) {
  return {a.column(0), a.column(1), a.column(2)};
}
// aᵀ v without forming the transpose
template <class T>
constexpr Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& v) {
  return v.x * a.r0 + v.y * a.r1 + v.z * a.r2;
}
// [v]× : skew(v) w = v × w
template <class T>
constexpr Mat3<T> skew(const Vec3<T>& v) {
  return {{T(0), -v.z, v.y}, {v.z, T(0), -v.x}, {-v.y, v.x, T(0)}};
}
// a bᵀ
template <class T>
constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b, a.y * b, a.z * b};
}
template <class T>
constexpr T trace(const Mat3<T>& a) {
  return a.r0.x + a.r1.y + a.r2.z;
}

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

}  // namespace skyhook
