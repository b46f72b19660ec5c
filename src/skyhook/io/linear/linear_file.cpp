#include "skyhook/io/linear/linear_file.h"

#include <fmt/format.h>
#include <matio.h>

#include <array>
#include <cerrno>
#include <memory>

#include "skyhook/base/new_file.h"
#include "skyhook/base/table.h"
#include "skyhook/base/utf8.h"

namespace skyhook::io {
namespace {

using formalism::NamedQuantity;
constexpr const char* what_is_written = "the linear system";

std::vector<NamedQuantity> inputs_of(const LinearSystem& s) {
  std::vector<NamedQuantity> out;
  for (const auto& input : s.linear.inputs) out.push_back(input.what);
  return out;
}
std::vector<NamedQuantity> coordinates_of(const LinearSystem& s) {
  return {s.linear.states.begin(), s.linear.states.begin() + s.linear.coordinates};
}

std::string json_of(const std::vector<NamedQuantity>& list) {
  std::string out = "[";
  for (const auto& q : list)
    out += fmt::format("{}{{\"name\": {}, \"unit\": {}}}", out.size() > 1 ? ", " : "", json_string(q.name),
                       json_string(q.unit));
  return out + "]";
}
std::string json_of(const DenseMatrix& a) {
  std::string out = "[";
  for (int i = 0; i < a.rows; ++i) {
    out += i ? ",\n  [" : "[";
    for (int j = 0; j < a.cols; ++j) out += (j ? ", " : "") + json_number(a(i, j));
    out += "]";
  }
  return out + "]";
}

using MatFile = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using MatVariable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

void put_variable(mat_t* file, const MatVariable& variable, const std::filesystem::path& path) {
  if (!variable || Mat_VarWrite(file, variable.get(), MAT_COMPRESSION_NONE) != 0)
    refuse_to_write(path, what_is_written, ENOSPC);
}
MatVariable matrix(const char* name, const DenseMatrix& a) {
  std::array<std::size_t, 2> size{static_cast<std::size_t>(a.rows), static_cast<std::size_t>(a.cols)};
  return {Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), const_cast<double*>(a.value.data()), 0),
          Mat_VarFree};
}
MatVariable texts(const std::string& name, const std::vector<NamedQuantity>& list, std::string NamedQuantity::*which) {
  std::array<std::size_t, 2> size{list.size(), 1};
  MatVariable out(Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, size.data(), nullptr, 0), Mat_VarFree);
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::u16string units = to_utf16(list[i].*which);
    std::array<std::size_t, 2> length{1, units.size()};
    Mat_VarSetCell(out.get(), static_cast<int>(i),
                   Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF16, 2, length.data(), units.data(), 0));
  }
  return out;
}

DenseMatrix columns(const DenseMatrix& a, const std::vector<int>& which) {
  std::vector<int> rows;
  for (int i = 0; i < a.rows; ++i) rows.push_back(i);
  return a.select(rows, which);
}

}  // namespace

void keep_inputs_of(LinearSystem& s, const std::vector<int>& inputs) {
  std::vector<analysis::LinearInput> kept;
  for (const int k : inputs) kept.push_back(s.linear.inputs[static_cast<std::size_t>(k)]);
  s.linear.inputs = kept;
  for (DenseMatrix* m : {&s.linear.B, &s.linear.F, &s.linear.input_shape, &s.linear.input_drift})
    *m = columns(*m, inputs);
  if (s.outputs.D.cols > 0) s.outputs.D = columns(s.outputs.D, inputs);
}

std::string to_json(const LinearSystem& s) {
  std::string values;
  for (const double x : s.outputs.at_point) values += (values.empty() ? "" : ", ") + json_number(x);
  return fmt::format(
      "{{\"title\": {}, \"inputs\": {},\n\"outputs\": {},\n\"states\": {},\n\"A\": {},\n\"B\": {},\n\"C\": {},\n"
      "\"D\": {},\n\"second_order\": {{\"coordinates\": {},\n\"M\": {},\n\"D\": {},\n\"K\": {},\n\"E\": {},\n\"B\": "
      "{}}},\n\"at\": {{\"outputs\": [{}]}}}}\n",
      json_string(s.title), json_of(inputs_of(s)), json_of(s.outputs.outputs), json_of(s.linear.states),
      json_of(s.linear.A), json_of(s.linear.B), json_of(s.outputs.C), json_of(s.outputs.D), json_of(coordinates_of(s)),
      json_of(s.linear.M), json_of(s.linear.D), json_of(s.linear.K), json_of(s.linear.E), json_of(s.linear.F), values);
}

std::string to_csv(const LinearSystem& s) {
  Table table;
  table.add_column("row");
  const auto title = [](const NamedQuantity& q) { return fmt::format("{} [{}]", q.name, q.unit); };
  for (const auto& q : s.linear.states) table.add_column(title(q));
  for (const auto& q : inputs_of(s)) table.add_column(title(q));
  const auto add = [&](const std::string& name, const DenseMatrix& left, const DenseMatrix& right, int i) {
    std::vector<Cell> row{name};
    for (int j = 0; j < left.cols; ++j) row.push_back(left(i, j));
    for (int j = 0; j < right.cols; ++j) row.push_back(right(i, j));
    table.add_row(row);
  };
  for (int i = 0; i < s.linear.A.rows; ++i)
    add(fmt::format("d/dt {}", title(s.linear.states[static_cast<std::size_t>(i)])), s.linear.A, s.linear.B, i);
  for (int i = 0; i < s.outputs.C.rows; ++i)
    add(title(s.outputs.outputs[static_cast<std::size_t>(i)]), s.outputs.C, s.outputs.D, i);
  return table.to_csv();
}

void write_mat(const LinearSystem& s, const std::filesystem::path& path) {
  NewFile place(path, what_is_written);
  MatFile file(Mat_CreateVer(place.part().c_str(), "Skyhook linear system", MAT_FT_MAT5), Mat_Close);
  if (!file) refuse_to_write(path, what_is_written, errno);
  const std::vector<std::pair<const char*, const DenseMatrix*>> matrices{
      {"A", &s.linear.A},         {"B", &s.linear.B},     {"C", &s.outputs.C},
      {"D", &s.outputs.D},        {"mass", &s.linear.M},  {"damping", &s.linear.D},
      {"stiffness", &s.linear.K}, {"inner", &s.linear.E}, {"force", &s.linear.F}};
  std::size_t least = 0;
  for (const auto& [name, a] : matrices) put_variable(file.get(), matrix(name, *a), path), least += 8 * a->value.size();
  const std::vector<std::pair<std::string, std::vector<NamedQuantity>>> lists{
      {"state", s.linear.states}, {"input", inputs_of(s)}, {"output", s.outputs.outputs}};
  for (const auto& [name, list] : lists) {
    put_variable(file.get(), texts(name + "_names", list, &NamedQuantity::name), path);
    put_variable(file.get(), texts(name + "_units", list, &NamedQuantity::unit), path);
  }
  const bool closed = Mat_Close(file.release()) == 0;
  std::error_code special;  // what is no ordinary file has no size
  const auto size = std::filesystem::file_size(place.part(), special);
  if (!closed || (!special && size < least)) refuse_to_write(path, what_is_written, ENOSPC);
  place.finish();
}

}  // namespace skyhook::io
