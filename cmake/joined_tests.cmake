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
  while(left)
    list(SUBLIST left 0 ${SKYHOOK_JOIN_TESTS} batch)
    list(REMOVE_ITEM left ${batch})
    list(LENGTH sources number)
    set(joined ${CMAKE_BINARY_DIR}/generated/tests/${name}_${number}.cpp)
    list(JOIN batch "|" files)
    add_custom_command(OUTPUT ${joined}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${joined} -DROOT=${CMAKE_SOURCE_DIR} -DFILES=${files}
              -P ${CMAKE_SOURCE_DIR}/cmake/join_tests.cmake
      DEPENDS ${batch} ${CMAKE_SOURCE_DIR}/cmake/join_tests.cmake COMMENT "Joining tests of ${name}" VERBATIM)
    # A target with nothing before it: otherwise tests were joined, and compiled, only behind the libraries that they link.
    add_custom_target(${name}_${number}_joined DEPENDS ${joined})
    list(APPEND sources ${joined})
  endwhile()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
