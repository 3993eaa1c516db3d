# Bundles the report with npm's packages into one page and puts it into the command. Where that is not possible the
# command is built without it, and says so.
find_program(TACTUS_NPM npm)
find_program(TACTUS_NODE NAMES node nodejs)
set(report_dir ${CMAKE_CURRENT_SOURCE_DIR}/report)
set(report_build ${CMAKE_CURRENT_BINARY_DIR}/report)
file(MAKE_DIRECTORY ${report_build})

set(report_reason "")
if(NOT TACTUS_NPM OR NOT TACTUS_NODE)
  set(report_reason "node or npm is missing; to get them: sudo apt-get install nodejs npm")
else()
  # Outside of the source tree, so that it stays clean; anew only when the packages' list has changed.
  file(SHA256 ${report_dir}/package-lock.json lock)
  set(have "")
  if(EXISTS ${report_build}/lock)
    file(READ ${report_build}/lock have)
  endif()
  if(NOT have STREQUAL lock)
    message(STATUS "Fetching the report's packages with npm")
    file(COPY ${report_dir}/package.json ${report_dir}/package-lock.json ${report_dir}/.npmrc DESTINATION ${report_build})
    execute_process(COMMAND ${TACTUS_NPM} ci --ignore-scripts --loglevel=error WORKING_DIRECTORY ${report_build}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE error TIMEOUT 600)
    if(failed)
      string(REGEX MATCH "[^\n]*code [A-Z0-9]+" error "${error}")
      if(NOT error)
        set(error "${failed}")
      endif()
      set(report_reason "npm could not fetch its packages (${error})")
    else()
      file(WRITE ${report_build}/lock ${lock})
    endif()
  endif()
endif()
if(report_reason)
  message(WARNING "The tactus command is built without --report: ${report_reason}.")
  return()
endif()

file(GLOB report_sources CONFIGURE_DEPENDS ${report_dir}/src/* ${report_dir}/*.html ${report_dir}/*.mjs)
set(report_page ${report_build}/page.html)
add_custom_command(
  OUTPUT ${report_page}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${report_dir}/src ${report_build}/src
  COMMAND ${CMAKE_COMMAND} -E copy ${report_dir}/build.mjs ${report_dir}/template.html ${report_build}
  COMMAND ${TACTUS_NODE} build.mjs ${report_page}
  DEPENDS ${report_sources} ${report_build}/lock
  WORKING_DIRECTORY ${report_build}
  COMMENT "Bundling the report"
  VERBATIM)
file(CONFIGURE OUTPUT ${report_build}/page.S @ONLY CONTENT [[
// The report's page as bytes of the command.
.section .rodata
.global tactus_report_page, tactus_report_page_end
.balign 16
tactus_report_page:
.incbin "@report_page@"
tactus_report_page_end:
.section .note.GNU-stack, "", %progbits
]])
set_source_files_properties(${report_build}/page.S PROPERTIES OBJECT_DEPENDS ${report_page})
enable_language(ASM)
target_sources(tactus_host PRIVATE ${report_build}/page.S)
target_compile_definitions(tactus_host PRIVATE TACTUS_REPORT_PAGE)
