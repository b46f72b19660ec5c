// A dataset that grows along its first dimension. Rows are gathered as the chunks of the file and go there as they are: HDF5, asked to
// write rows, spends as much on taking them apart as the system on writing them.
#pragma once
#include <string>
#include <vector>

#include "skyhook/io/result/hdf5.h"

namespace skyhook::io::hdf5 {

class Rows {
 public:
  struct Shape {
    std::vector<hsize_t> row;    // further dimensions: {channels}, {bodies, 7}
    std::vector<hsize_t> chunk;  // rows of a chunk, then as `row`, cut to it; whole beyond the second dimension
  };
  // Where nothing but missing rows has come, these are written as NaN or not at all: the dataset reads as NaN there (is_left_out()).
  enum class Missing { written, left_out };

  Rows() = default;
  Rows(hid_t parent, const std::string& name, hid_t type, const Shape& shape, Missing missing = Missing::written);

  void append(const void* rows, std::size_t count = 1);  // as the type says
  void append_missing();                                 // a row of NaN
  void write();  // to HDF5, which also happens when a band of chunks is full; after a failure it may be tried again
  void flush();  // HDF5 to the file

 private:
  void begin_row();
  void put(const std::byte* row);
  void write_band();

  std::string name_;
  Id dataset_;
  std::vector<hsize_t> size_, chunk_;
  std::size_t row_bytes_ = 0, piece_bytes_ = 0;  // piece: what a chunk has of a row
  std::size_t chunks_ = 0, chunk_bytes_ = 0;     // side by side
  std::vector<std::byte> band_;                  // those that are being filled, one after the other
  hsize_t first_ = 0, used_ = 0, written_ = 0;   // rows before the band, in it, and in the file
  Missing missing_ = Missing::written;
  bool has_values_ = false;  // there is something to write
};

// Rows that were never written read as NaN here, and are not lost.
bool is_left_out(hid_t dataset);

}  // namespace skyhook::io::hdf5
