// The little of HDF5's C API that result files need, with owned handles and failures as exceptions. Private to
// io/result and io/flexible: no other folder sees an HDF5 type. Debian's library is built thread-safe, so no lock is taken here.
#pragma once
#include <hdf5.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace skyhook::io::hdf5 {

// A call failed. Reader and writer turn it into a ModelError that names the file.
struct Failure : std::runtime_error {
  explicit Failure(const std::string& what, int number = 0) : std::runtime_error(what), error(number) {}
  int error;  // of the system; 0: HDF5's own
};

// While one lives, HDF5 prints nothing to stderr in this thread.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Owns any kind of handle.
class Id {
 public:
  Id() = default;
  Id(hid_t id, const std::string& doing);  // throws Failure if the call that made `id` failed
  Id(Id&& other) noexcept;
  Id& operator=(Id&& other) noexcept;
  ~Id();
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
};

// Throws Failure("doing: HDF5's reason") if `status` is negative.
void require(herr_t status, const std::string& doing);
// All messages of the error stack of the last failed call, innermost last.
std::string error_stack();

// Access properties of reader and writer: newest format (SWMR asks for it), no file locks, so that a file can be
// read while it is written, also over a network.
Id access_properties();

// Names and attributes stand in the header of the file or group, which has room for so many. HDF5 would put more than eight into trees,
// which takes it longer than all else that a short run writes.
Id creation_properties(hid_t of_file_or_group, unsigned members);
Id create_group(hid_t parent, const std::string& name, unsigned members);

Id string_type(std::size_t bytes);  // fixed length, zero-padded, UTF-8

void write_text(hid_t parent, const std::string& name, const std::string& text);
void write_strings(hid_t parent, const std::string& name, const std::vector<std::string>& strings);
void write_array(hid_t parent, const std::string& name, hid_t type, const void* values, std::size_t count);
std::string read_text(hid_t parent, const std::string& name);
std::vector<std::string> read_strings(hid_t parent, const std::string& name);

void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, long value);
void read_attribute(hid_t object, const std::string& name, std::string& value);
void read_attribute(hid_t object, const std::string& name, double& value);
void read_attribute(hid_t object, const std::string& name, long& value);

// A dataset that holds one number, made before SWMR starts and overwritten later.
Id create_scalar(hid_t parent, const std::string& name, hid_t type, const void* value);

// Size of each dimension.
std::vector<hsize_t> extent(hid_t dataset);

// The part [first, first + count) of the leading dimension, and of the second dimension the columns
// [column, column + columns) if columns > 0. Everything of further dimensions.
struct Part {
  hsize_t first = 0, count = 0, column = 0, columns = 0;
};
void read_part(hid_t dataset, hid_t type, const Part& part, void* values);

}  // namespace skyhook::io::hdf5
