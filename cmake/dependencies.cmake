# Every library the project uses, each as one target. All are Debian packages: tools/setup installs them.

find_package(PkgConfig REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(doctest REQUIRED)
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

# A target of headers and libraries that come without a usable CMake or pkg-config file.
function(skyhook_import target header suffix)
  string(TOUPPER ${target} name)
  find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${suffix} REQUIRED)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${${name}_INCLUDE_DIR})
  foreach(library ${ARGN})  # its archive, where there is one: each shared library costs every start of the program a little
    find_library(${name}_${library}_FILE NAMES lib${library}.a ${library} REQUIRED)
    target_link_libraries(${target} INTERFACE ${${name}_${library}_FILE})
    mark_as_advanced(${name}_${library}_FILE)
  endforeach()
  mark_as_advanced(${name}_INCLUDE_DIR)
endfunction()

skyhook_import(yaml_cpp yaml-cpp/yaml.h "" yaml-cpp)
skyhook_import(klu klu.h suitesparse klu btf amd colamd suitesparseconfig)

# Not by SUNDIALS' own CMake file: Debian's asks for MPI, PETSc and Trilinos.
skyhook_import(sundials_ida ida/ida.h "" sundials_ida sundials_nvecserial sundials_sunmatrixdense
  sundials_sunmatrixsparse sundials_generic)

# "hdf5-serial", since plain "hdf5" is the MPI build when libsundials-dev has brought that in.
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(matio REQUIRED IMPORTED_TARGET matio)
# Their archives, where they are there: the shared HDF5 brings libcurl and forty others, which each start of the program would load.
find_library(HDF5_ARCHIVE libhdf5_serial.a)
find_library(MATIO_ARCHIVE libmatio.a)
find_library(SZ_LIBRARY NAMES libsz.a sz)
find_library(AEC_LIBRARY NAMES libaec.a aec)
mark_as_advanced(HDF5_ARCHIVE MATIO_ARCHIVE SZ_LIBRARY AEC_LIBRARY)
if(HDF5_ARCHIVE AND MATIO_ARCHIVE AND SZ_LIBRARY AND AEC_LIBRARY)
  add_library(hdf5_archive STATIC IMPORTED GLOBAL)
  set_target_properties(hdf5_archive PROPERTIES IMPORTED_LOCATION "${HDF5_ARCHIVE}"
    INTERFACE_LINK_LIBRARIES "${SZ_LIBRARY};${AEC_LIBRARY};ZLIB::ZLIB;Threads::Threads;${CMAKE_DL_LIBS};m")
  add_library(matio_archive STATIC IMPORTED GLOBAL)
  set_target_properties(matio_archive PROPERTIES IMPORTED_LOCATION "${MATIO_ARCHIVE}"
    INTERFACE_LINK_LIBRARIES hdf5_archive)
  set_target_properties(PkgConfig::hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES hdf5_archive)
  set_target_properties(PkgConfig::matio PROPERTIES INTERFACE_LINK_LIBRARIES matio_archive)
endif()
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
set_target_properties(PkgConfig::cairo PROPERTIES INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")  # loaded on demand: io/plot/cairo_library

# The oracle of the expression tests; they are built without it if it is not there.
pkg_check_modules(muparser QUIET IMPORTED_TARGET muparser)

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
add_library(cli11 INTERFACE IMPORTED)
target_include_directories(cli11 INTERFACE ${CLI11_INCLUDE_DIR})
mark_as_advanced(CLI11_INCLUDE_DIR)
