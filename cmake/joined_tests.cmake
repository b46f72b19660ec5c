# Tests cost more for the headers they read than for what they say. So some of them are compiled at once: headers first, then
# each file in a namespace of its own, where no name of one meets a name of another (cmake/join_tests.cmake).

set(SKYHOOK_JOIN_TESTS 8 CACHE STRING "How many test files are compiled at once; 1: each by itself")

# skyhook_join_tests(result name files...): what to compile in place of the files. Those with the property
# SKIP_UNITY_BUILD_INCLUSION stay as they are.
function(skyhook_join_tests result name)
  set(sources "")
  set(left "")
  foreach(file ${ARGN})
    get_source_file_property(alone ${file} SKIP_UNITY_BUILD_INCLUSION)
    if(alone OR SKYHOOK_JOIN_TESTS LESS 2)
      list(APPEND sources ${file})
    else()
      list(APPEND left ${file})
    endif()
  endforeach()
  # Which files go together follows from their names, not from their order: a new file changes one batch, not all behind it.
  list(LENGTH left count)
  math(EXPR batches "(${count} + ${SKYHOOK_JOIN_TESTS} - 1) / ${SKYHOOK_JOIN_TESTS}")
  if(batches GREATER 3)
    math(EXPR batches "(${batches} + 3) / 4 * 4")
  endif()
  foreach(file ${left})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    string(MD5 digest ${path})
    string(SUBSTRING ${digest} 0 6 digits)
    math(EXPR number "0x${digits} % ${batches}")
    list(APPEND batch_${number} ${file})
  endforeach()
  foreach(number RANGE ${batches})
    if(NOT batch_${number})
      continue()
    endif()
    set(joined ${CMAKE_BINARY_DIR}/generated/tests/${name}_${number}.cpp)
    list(JOIN batch_${number} "|" files)
    add_custom_command(OUTPUT ${joined}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${joined} -DROOT=${CMAKE_SOURCE_DIR} -DFILES=${files}
              -P ${CMAKE_SOURCE_DIR}/cmake/join_tests.cmake
      DEPENDS ${batch_${number}} ${CMAKE_SOURCE_DIR}/cmake/join_tests.cmake COMMENT "Joining tests of ${name}" VERBATIM)
    # A target with nothing before it: otherwise tests were joined, and compiled, only behind the libraries that they link.
    add_custom_target(${name}_${number}_joined DEPENDS ${joined})
    list(APPEND sources ${joined})
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
