# cmake -DNODE=.. -DNPM=.. -DVIEWER=folder -DPAGE=file -DSTAMP=file -P build_viewer.cmake packages|page
# Without network there are no packages: the rest of Skyhook is then built all the same, with an empty page, and the next
# build tries again since the stamp is missing.

math(EXPR last "${CMAKE_ARGC} - 1")
set(task ${CMAKE_ARGV${last}})
get_filename_component(folder ${PAGE} DIRECTORY)
file(MAKE_DIRECTORY ${folder})

if(task STREQUAL "packages")
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${VIEWER}
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    string(REGEX MATCHALL "npm ERR[^\n]*|npm error[^\n]*" reasons "${said}")
    list(SUBLIST reasons 0 4 reasons)
    list(JOIN reasons "\n  " reasons)
    message(WARNING "Left out: `skyhook report` and `skyhook watch`, since the viewer's npm packages could not be fetched. "
                    "The next build tries again.\n  ${reasons}")
    file(REMOVE ${STAMP})
  else()
    file(TOUCH ${STAMP})
  endif()
elseif(NOT EXISTS ${STAMP})
  file(WRITE ${PAGE} "")
else()
  execute_process(COMMAND ${NODE} ${VIEWER}/build.mjs --out ${PAGE} WORKING_DIRECTORY ${VIEWER}
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    file(REMOVE ${PAGE})
    message(FATAL_ERROR "The viewer could not be built:\n${said}")
  endif()
endif()
