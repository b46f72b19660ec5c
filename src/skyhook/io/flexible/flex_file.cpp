#include "skyhook/io/flexible/flex_file.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "skyhook/base/new_file.h"
#include "skyhook/io/result/hdf5.h"

namespace skyhook::io::fe {
namespace {

using namespace hdf5;
using model::ModalBody;

constexpr long flex_version = 1;
constexpr const char* flex_units = "m, kg, s, rad";

// A dataset with all dimensions in one row; its sizes follow from the attributes.
void put_numbers(hid_t file, const char* name, const std::vector<double>& values) {
  write_array(file, name, H5T_NATIVE_DOUBLE, values.data(), values.size());
}

std::vector<double> get_numbers(hid_t file, const std::string& name, std::size_t wanted, bool may_be_empty = false) {
  const Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "opening " + name);
  const auto sizes = extent(dataset);
  const std::size_t count = sizes.empty() ? 1 : sizes[0];
  if (count != wanted && !(may_be_empty && count == 0))
    throw Failure(fmt::format("{} has {} numbers, but {} are needed", name, count, wanted));
  std::vector<double> values(count);
  if (count > 0) read_part(dataset, H5T_NATIVE_DOUBLE, {.first = 0, .count = count}, values.data());
  for (const double v : values) {
    if (!std::isfinite(v)) throw Failure(name + " has entries that are no numbers");
  }
  return values;
}

std::vector<double> flat(const std::vector<Vec3d>& vectors) {
  std::vector<double> out;
  for (const Vec3d& v : vectors) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

std::vector<Vec3d> vectors_of(const std::vector<double>& values) {
  std::vector<Vec3d> out;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) out.push_back({values[i], values[i + 1], values[i + 2]});
  return out;
}

std::vector<double> flat(const std::vector<Mat3d>& matrices) {
  std::vector<double> out;
  for (const Mat3d& m : matrices)
    out.insert(out.end(), {m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z});
  return out;
}

std::vector<Mat3d> matrices_of(const std::vector<double>& v) {
  std::vector<Mat3d> out;
  for (std::size_t i = 0; i + 8 < v.size(); i += 9)
    out.push_back({{v[i], v[i + 1], v[i + 2]}, {v[i + 3], v[i + 4], v[i + 5]}, {v[i + 6], v[i + 7], v[i + 8]}});
  return out;
}

template <std::size_t N>
std::vector<double> flat(const std::vector<std::array<int, N>>& rows) {
  std::vector<double> out;
  for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

// One name for each of the stress states that stiffen, in the order of GeometricStiffness.
template <class Body, class Visit>
void for_each_geometric(Body& body, Visit&& visit) {
  constexpr const char* axes[] = {"x", "y", "z"};
  constexpr const char* products[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
  for (std::size_t i = 0; i < 3; ++i)
    visit(fmt::format("geometric_acceleration_{}", axes[i]), body.geometric.acceleration[i]);
  for (std::size_t i = 0; i < 3; ++i)
    visit(fmt::format("geometric_angular_acceleration_{}", axes[i]), body.geometric.angular_acceleration[i]);
  for (std::size_t i = 0; i < 6; ++i)
    visit(fmt::format("geometric_centrifugal_{}", products[i]), body.geometric.centrifugal[i]);
}

void write_points(hid_t file, const ModalBody& body) {
  std::vector<std::string> names;
  std::vector<Vec3d> at, shift, turn;
  for (const model::ModalPoint& p : body.points) {
    names.push_back(p.name), at.push_back(p.at);
    shift.insert(shift.end(), p.shift.begin(), p.shift.end()), turn.insert(turn.end(), p.turn.begin(), p.turn.end());
  }
  write_strings(file, "point_names", names);
  put_numbers(file, "point_at", flat(at));
  put_numbers(file, "point_shift", flat(shift)), put_numbers(file, "point_turn", flat(turn));
  put_numbers(file, "lines", flat(body.lines)), put_numbers(file, "triangles", flat(body.triangles));
}

void read_points(hid_t file, ModalBody& body) {
  const auto names = read_strings(file, "point_names");
  const std::size_t count = names.size(), m = static_cast<std::size_t>(body.modes);
  const auto at = vectors_of(get_numbers(file, "point_at", 3 * count));
  const auto shift = vectors_of(get_numbers(file, "point_shift", 3 * count * m)),
             turn = vectors_of(get_numbers(file, "point_turn", 3 * count * m));
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&](const std::vector<Vec3d>& all) {
      return std::vector<Vec3d>(all.begin() + static_cast<long>(i * m), all.begin() + static_cast<long>((i + 1) * m));
    };
    body.points.push_back({names[i], at[i], part(shift), part(turn)});
  }
}

template <std::size_t N>
std::vector<std::array<int, N>> rows_of(hid_t file, const char* name, std::size_t points) {
  const Id dataset(H5Dopen2(file, name, H5P_DEFAULT), std::string("opening ") + name);
  const std::size_t count = extent(dataset).at(0);
  const auto values = get_numbers(file, name, count);
  std::vector<std::array<int, N>> rows(count / N);
  for (std::size_t i = 0; i < rows.size() * N; ++i) {
    if (!(values[i] >= 0 && values[i] < static_cast<double>(points)))
      throw Failure(std::string(name) + " name points that are not there");
    rows[i / N][i % N] = static_cast<int>(values[i]);
  }
  return rows;
}

ModalBody body_in(hid_t file) {
  ModalBody body;
  std::string format, units;
  long version = 0, modes = 0;
  read_attribute(file, "format", format), read_attribute(file, "version", version);
  if (format != "skyhook flexible body") throw Failure("it holds no flexible body");
  if (version != flex_version)
    throw Failure(fmt::format("it is of version {}, but {} is known", version, flex_version));
  try {
    read_attribute(file, "units", units);
  } catch (const Failure&) {
    throw Failure("its modes have no units: the attribute `units` is missing");
  }
  if (units != flex_units) throw Failure(fmt::format("its units are \"{}\", but should be \"{}\"", units, flex_units));
  read_attribute(file, "modes", modes), read_attribute(file, "mass", body.mass),
      read_attribute(file, "name", body.name);
  if (modes < 1 || modes > 10000) throw Failure(fmt::format("it has {} modes", modes));
  body.modes = static_cast<int>(modes);
  const std::size_t m = static_cast<std::size_t>(modes);
  body.mode_names = read_strings(file, "mode_names");
  body.frequencies_hz = get_numbers(file, "frequencies", m, true);
  body.first = vectors_of(get_numbers(file, "first", 3 * (m + 1)));
  body.second = matrices_of(get_numbers(file, "second", 9 * (m + 1) * (m + 1)));
  body.rotary = get_numbers(file, "rotary", m * m, true);
  body.stiffness = get_numbers(file, "stiffness", m * m), body.damping = get_numbers(file, "damping", m * m);
  for_each_geometric(body, [&](const std::string& name, std::vector<double>& values) {
    values = get_numbers(file, name, m * m, true);
  });
  read_points(file, body);
  body.lines = rows_of<2>(file, "lines", body.points.size()),
  body.triangles = rows_of<3>(file, "triangles", body.points.size());
  return body;
}

}  // namespace

void write_flex(const ModalBody& body, const std::string& path, const std::string& made_of) {
  NewFile target(path, "the flexible body");
  try {
    const Quiet quiet;
    const Id file(H5Fcreate(target.part().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_properties()), "making the file");
    write_attribute(file, "format", std::string("skyhook flexible body")),
        write_attribute(file, "version", flex_version);
    write_attribute(file, "units", std::string(flex_units)), write_attribute(file, "name", body.name);
    write_attribute(file, "made_of", made_of);
    write_attribute(file, "modes", static_cast<long>(body.modes)), write_attribute(file, "mass", body.mass);
    write_strings(file, "mode_names", body.mode_names);
    put_numbers(file, "frequencies", body.frequencies_hz);
    put_numbers(file, "first", flat(body.first)), put_numbers(file, "second", flat(body.second));
    put_numbers(file, "rotary", body.rotary);
    put_numbers(file, "stiffness", body.stiffness), put_numbers(file, "damping", body.damping);
    for_each_geometric(body, [&](const std::string& name, const std::vector<double>& values) {
      put_numbers(file, name.c_str(), values);
    });
    write_points(file, body);
  } catch (const Failure& failure) {
    refuse_to_write(path, "the flexible body", failure.error);
  }
  target.finish();
}

ModalBody read_flex(const std::string& bytes, const std::string& path) {
  try {
    const Quiet quiet;
    const Id access(H5Pcreate(H5P_FILE_ACCESS), "setting file access");
    require(H5Pset_fapl_core(access, 1 << 16, false), "setting file access");
    require(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()), "setting file access");
    const std::string image =
        fmt::format("skyhook image {}", fmt::ptr(bytes.data()));  // HDF5 refuses the name of a file on the disk
    const Id file(H5Fopen(image.c_str(), H5F_ACC_RDONLY, access), "opening the file");
    ModalBody body = body_in(file);
    body.where = {path};
    return body;
  } catch (const Failure& failure) {
    throw ModelError({path}, std::string("this is no flexible body that can be used: ") + failure.what() + ".",
                     "Write it by `skyhook flex`.");
  }
}

}  // namespace skyhook::io::fe
