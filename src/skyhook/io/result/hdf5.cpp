#include "skyhook/io/result/hdf5.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace skyhook::io::hdf5 {
namespace {

herr_t collect(unsigned, const H5E_error2_t* error, void* text) {
  std::string& all = *static_cast<std::string*>(text);
  if (error->desc) all += (all.empty() ? "" : "; ") + std::string(error->desc);
  return 0;
}

// HDF5 writes "errno = 28" into its messages.
int system_error(const std::string& stack) {
  const std::string mark = "errno = ";
  const auto at = stack.find(mark);
  return at == std::string::npos ? 0 : std::atoi(stack.c_str() + at + mark.size());
}

// The reason a user understands: the system's message if there is one, else HDF5's innermost.
std::string reason(const std::string& stack = error_stack()) {
  const std::string mark = "error message = '";
  if (const auto at = stack.find(mark); at != std::string::npos) {
    const auto begin = at + mark.size();
    return stack.substr(begin, stack.find('\'', begin) - begin);
  }
  const auto last = stack.rfind("; ");
  return last == std::string::npos ? stack : stack.substr(last + 2);
}

std::size_t count_of(const std::vector<hsize_t>& sizes) {
  std::size_t count = 1;
  for (const hsize_t n : sizes) count *= n;
  return count;
}

Id simple_space(const std::vector<hsize_t>& sizes, const hsize_t* most = nullptr) {
  return Id(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), most), "making a data space");
}

Id create_dataset(hid_t parent, const std::string& name, hid_t type, hid_t space, hid_t properties = H5P_DEFAULT) {
  return Id(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), "creating " + name);
}

void write_all(hid_t dataset, hid_t type, const void* values, const std::string& name) {
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "writing " + name);
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Id space(H5Screate(H5S_SCALAR), "making a data space");
  const Id attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), "creating " + name);
  require(H5Awrite(attribute, type, value), "writing " + name);
}

Id open_attribute(hid_t object, const std::string& name) {
  Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "opening attribute " + name);
  const Id space(H5Aget_space(attribute), "opening attribute " + name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure("attribute " + name + " is not a single value");
  return attribute;
}

void read_attribute(hid_t object, const std::string& name, hid_t type, void* value) {
  require(H5Aread(open_attribute(object, name), type, value), "reading attribute " + name);
}

// The length of a fixed-length string type; Failure for any other type.
std::size_t string_bytes(hid_t type, const std::string& name) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    throw Failure(name + " is not of fixed-length strings");
  }
  return H5Tget_size(type);
}

std::string without_padding(const char* text, std::size_t bytes) {
  while (bytes > 0 && text[bytes - 1] == '\0') --bytes;
  return std::string(text, bytes);
}

}  // namespace

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  if (std::uncaught_exceptions() == 0) H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

Id::Id(hid_t id, const std::string& doing) : id_(id) { require(id < 0 ? -1 : 0, doing); }
Id::Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

Id& Id::operator=(Id&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Id::~Id() {
  if (id_ >= 0) H5Idec_ref(id_);
}

void require(herr_t status, const std::string& doing) {
  if (status >= 0) return;
  const std::string stack = error_stack();
  throw Failure(doing + ": " + reason(stack), system_error(stack));
}

std::string error_stack() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &text);
  return text;
}

Id access_properties() {
  Id properties(H5Pcreate(H5P_FILE_ACCESS), "setting file access");
  require(H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "setting the format version");
  // What HDF5 notes of its datasets stands together, and goes to the file in few pieces.
  constexpr hsize_t block = 64 << 10;
  require(H5Pset_meta_block_size(properties, block), "setting the size of blocks");
  require(H5Pset_small_data_block_size(properties, block), "setting the size of blocks");
#if H5_VERSION_GE(1, 10, 7)
  require(H5Pset_file_locking(properties, false, true), "switching file locking off");
#endif
  return properties;
}

Id creation_properties(hid_t of_file_or_group, unsigned members) {
  constexpr unsigned name_bytes = 16;
  const char* doing = "making creation properties";
  Id properties(H5Pcreate(of_file_or_group), doing);
  require(H5Pset_link_phase_change(properties, members, members / 2), doing);
  require(H5Pset_est_link_info(properties, members, name_bytes), doing);
  require(H5Pset_attr_phase_change(properties, members, members / 2), doing);
  return properties;
}

Id create_group(hid_t parent, const std::string& name, unsigned members) {
  const Id properties = creation_properties(H5P_GROUP_CREATE, members);
  return Id(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), "creating " + name);
}

Id string_type(std::size_t bytes) {
  Id type(H5Tcopy(H5T_C_S1), "making a string type");
  require(H5Tset_size(type, std::max<std::size_t>(bytes, 1)), "making a string type");
  require(H5Tset_strpad(type, H5T_STR_NULLPAD), "making a string type");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "making a string type");
  return type;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  create_scalar(parent, name, string_type(text.size()), text.c_str());
}

void write_strings(hid_t parent, const std::string& name, const std::vector<std::string>& strings) {
  std::size_t bytes = 1;
  for (const std::string& s : strings) bytes = std::max(bytes, s.size());
  std::vector<char> packed(bytes * strings.size(), '\0');
  for (std::size_t i = 0; i < strings.size(); ++i) std::copy(strings[i].begin(), strings[i].end(), &packed[i * bytes]);
  write_array(parent, name, string_type(bytes), packed.data(), strings.size());
}

void write_array(hid_t parent, const std::string& name, hid_t type, const void* values, std::size_t count) {
  const Id dataset = create_dataset(parent, name, type, simple_space({count}));
  if (count > 0) write_all(dataset, type, values, name);
}

std::string read_text(hid_t parent, const std::string& name) {
  const std::vector<std::string> strings = read_strings(parent, name);
  if (strings.size() != 1) throw Failure(name + " is not a single text");
  return strings[0];
}

std::vector<std::string> read_strings(hid_t parent, const std::string& name) {
  const Id dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "opening " + name);
  const Id type(H5Dget_type(dataset), "opening " + name);
  const std::size_t bytes = string_bytes(type, name);
  std::vector<std::string> strings(count_of(extent(dataset)));
  std::vector<char> packed(bytes * strings.size());
  if (strings.empty()) return strings;
  require(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), "reading " + name);
  for (std::size_t i = 0; i < strings.size(); ++i) strings[i] = without_padding(&packed[i * bytes], bytes);
  return strings;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  write_attribute(object, name, string_type(value.size()), value.c_str());
}

void write_attribute(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, long value) {
  write_attribute(object, name, H5T_NATIVE_LONG, &value);
}

void read_attribute(hid_t object, const std::string& name, std::string& value) {
  const Id attribute = open_attribute(object, name);
  const Id type(H5Aget_type(attribute), "opening attribute " + name);
  std::vector<char> text(string_bytes(type, "attribute " + name));
  require(H5Aread(attribute, type, text.data()), "reading attribute " + name);
  value = without_padding(text.data(), text.size());
}

void read_attribute(hid_t object, const std::string& name, double& value) {
  read_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

void read_attribute(hid_t object, const std::string& name, long& value) {
  read_attribute(object, name, H5T_NATIVE_LONG, &value);
}

Id create_scalar(hid_t parent, const std::string& name, hid_t type, const void* value) {
  const Id space(H5Screate(H5S_SCALAR), "making a data space");
  Id dataset = create_dataset(parent, name, type, space);
  write_all(dataset, type, value, name);
  return dataset;
}

std::vector<hsize_t> extent(hid_t dataset) {
  const Id space(H5Dget_space(dataset), "asking for the size of a dataset");
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) throw Failure("asking for the size of a dataset: " + reason());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) require(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "asking for the size of a dataset");
  return sizes;
}

void read_part(hid_t dataset, hid_t type, const Part& part, void* values) {
  std::vector<hsize_t> count = extent(dataset), start(count.size(), 0);
  if (count.empty() || part.first + part.count > count[0]) throw Failure("reading beyond the end of a dataset");
  start[0] = part.first;
  count[0] = part.count;
  if (part.columns > 0) {
    if (count.size() < 2 || part.column + part.columns > count[1]) throw Failure("reading a column that is not there");
    start[1] = part.column;
    count[1] = part.columns;
  }
  if (count_of(count) == 0) return;
  const Id file_space(H5Dget_space(dataset), "reading");
  require(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "reading");
  require(H5Dread(dataset, type, simple_space(count), file_space, H5P_DEFAULT, values), "reading");
}

}  // namespace skyhook::io::hdf5
