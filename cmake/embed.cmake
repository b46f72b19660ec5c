# skyhook_embed(target files...): builds the files into the program; apps/skyhook/embedded.h finds them by their path in
# the source tree. By the assembler's .incbin: no copy of them in generated code, and no limit of a string literal.
function(skyhook_embed target)
  set(EMBEDDED_DATA "")
  set(EMBEDDED_DECLARATIONS "")
  set(EMBEDDED_CASES "")
  set(number 0)
  foreach(file ${ARGN})
    set(label embedded_${number})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    string(APPEND EMBEDDED_DATA "    \"${label}: .incbin \\\"${file}\\\"\\n${label}_end: .byte 0\\n\"\n")
    string(APPEND EMBEDDED_DECLARATIONS
      "extern const char ${label}[] __attribute__((visibility(\"hidden\")));\n"
      "extern const char ${label}_end[] __attribute__((visibility(\"hidden\")));\n")
    string(APPEND EMBEDDED_CASES
      "  if (path == \"${path}\") return {${label}, static_cast<std::size_t>(${label}_end - ${label})};\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/generated/embedded.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded.cpp.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}" SKIP_UNITY_BUILD_INCLUSION ON)  # .incbin is invisible to the compiler
  target_sources(${target} PRIVATE ${source})
endfunction()
