#include "skyhook/io/result/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace skyhook::io::hdf5 {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t product(const std::vector<hsize_t>& sizes, std::size_t from) {
  std::size_t count = 1;
  for (std::size_t i = from; i < sizes.size(); ++i) count *= sizes[i];
  return count;
}

Id create(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& size,
          const std::vector<hsize_t>& chunk, Rows::Missing missing) {
  const std::string doing = "creating " + name;
  std::vector<hsize_t> most = size;
  if (!chunk.empty()) most[0] = H5S_UNLIMITED;
  const Id space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), doing);
  const Id properties(H5Pcreate(H5P_DATASET_CREATE), doing);
  if (!chunk.empty()) require(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), doing);
  if (missing == Rows::Missing::left_out) require(H5Pset_fill_value(properties, type, &nan), doing);
  return Id(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), doing);
}

// As many pieces as of `most`, but alike: the last one would be written whole, however little is in it.
hsize_t evenly(hsize_t size, hsize_t most) {
  const hsize_t pieces = (size + most - 1) / most;
  return (size + pieces - 1) / pieces;
}

}  // namespace

Rows::Rows(hid_t parent, const std::string& name, hid_t type, const Shape& shape, Missing missing)
    : name_(name), size_{0}, row_bytes_(H5Tget_size(type) * product(shape.row, 0)), missing_(missing) {
  size_.insert(size_.end(), shape.row.begin(), shape.row.end());
  if (row_bytes_ > 0) {  // else nothing will ever be written, and HDF5 has no chunk of width zero
    chunk_ = shape.chunk;
    for (std::size_t i = 1; i < chunk_.size(); ++i) chunk_[i] = evenly(size_[i], chunk_[i]);
    piece_bytes_ = H5Tget_size(type) * product(chunk_, 1);
    chunk_bytes_ = chunk_[0] * piece_bytes_;
    chunks_ = (row_bytes_ + piece_bytes_ - 1) / piece_bytes_;
  }
  dataset_ = create(parent, name, type, size_, chunk_, missing);
}

void Rows::append(const void* rows, std::size_t count) {
  if (row_bytes_ == 0) return;
  const auto* row = static_cast<const std::byte*>(rows);
  for (std::size_t k = 0; k < count; ++k, row += row_bytes_) begin_row(), put(row);
}

void Rows::begin_row() {
  if (used_ == chunk_[0]) write(), first_ += used_, used_ = 0;
  if (has_values_) return;
  has_values_ = true;
  band_.resize(chunks_ * chunk_bytes_);
  if (missing_ == Missing::written) return;
  for (std::size_t at = 0; at < band_.size(); at += sizeof nan) std::memcpy(&band_[at], &nan, sizeof nan);
}

void Rows::put(const std::byte* row) {
  const std::byte* const end = row + row_bytes_;
  std::byte* to = band_.data() + used_ * piece_bytes_;
  for (; row < end; row += piece_bytes_, to += chunk_bytes_)
    std::memcpy(to, row, std::min(piece_bytes_, static_cast<std::size_t>(end - row)));
  ++used_;
}

void Rows::append_missing() {
  if (row_bytes_ == 0) return;
  if (missing_ == Missing::left_out && !has_values_) {
    if (used_ == chunk_[0]) first_ += used_, used_ = 0;
    return void(++used_);
  }
  begin_row();
  for (std::size_t k = 0; k < chunks_; ++k) {
    std::byte* const to = band_.data() + k * chunk_bytes_ + used_ * piece_bytes_;
    for (std::size_t at = 0; at < piece_bytes_; at += sizeof nan) std::memcpy(to + at, &nan, sizeof nan);
  }
  ++used_;
}

void Rows::write() {
  if (first_ + used_ == written_) return;
  const Quiet quiet;
  size_[0] = first_ + used_;
  require(H5Dset_extent(dataset_, size_.data()), "extending " + name_);
  if (has_values_) write_band();
  written_ = size_[0];
}

// Whole, whatever of it was written before: a chunk has its room in the file from the first time on.
void Rows::write_band() {
  std::vector<hsize_t> at(chunk_.size(), 0);
  at[0] = first_;
  for (std::size_t k = 0; k < chunks_; ++k) {
    if (at.size() > 1) at[1] = k * chunk_[1];
    const std::byte* const chunk = band_.data() + k * chunk_bytes_;
    require(H5Dwrite_chunk(dataset_, H5P_DEFAULT, 0, at.data(), chunk_bytes_, chunk), "writing " + name_);
  }
}

void Rows::flush() { require(H5Dflush(dataset_), "flushing " + name_); }

bool is_left_out(hid_t dataset) {
  const Id properties(H5Dget_create_plist(dataset), "asking for missing values");
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  require(H5Pfill_value_defined(properties, &defined), "asking for missing values");
  double value = 0;
  if (defined != H5D_FILL_VALUE_USER_DEFINED) return false;
  require(H5Pget_fill_value(properties, H5T_NATIVE_DOUBLE, &value), "asking for missing values");
  return std::isnan(value);
}

}  // namespace skyhook::io::hdf5
