# The tests' vocabulary. Every test is named SUITE.name, and SUITE is the preset: host, host-sanitize, a board.
#
#   tactus_unit_test(NAME SOURCE...)   a Unity program. On the host it runs; on an emulated board the same file is
#                                      linked with the board and runs in QEMU; for a real board it is left out.
#   tactus_case_test(NAME SOURCE...)   a Unity program that reads the reference cases of tests/data, or compares with
#                                      another solver of tests/oracle; host only, and with sanitizers only with
#                                      TACTUS_LONG, for the time that they take to compile.

set(TACTUS_CASES_DIR ${PROJECT_SOURCE_DIR}/tests/data CACHE PATH "Folder of the reference cases")
# What others own is not in the tree; tests/CMakeLists.txt says which test reads it.
set(TACTUS_OTHERS_CASES_DIR ${PROJECT_SOURCE_DIR}/../shared/cases CACHE PATH "Folder of reference cases that are others' data")

# Exit status 0 is not enough: a watchdog reset also ends QEMU with 0. Unity's last lines are the pass marker.
set(TACTUS_DEMAND_PASS ${PROJECT_SOURCE_DIR}/cmake/demand_pass.sh)

add_library(tactus_unity STATIC ${TACTUS_UNITY_DIR}/unity.c ${PROJECT_SOURCE_DIR}/tests/unity/no_fixture.c)
target_include_directories(tactus_unity SYSTEM PUBLIC ${TACTUS_UNITY_DIR})
target_compile_definitions(tactus_unity PUBLIC UNITY_INCLUDE_DOUBLE UNITY_SUPPORT_64)
if(TACTUS_BOARD)
  # The board gives `extern "C" void board_put_char(int)`; Unity's default is putchar, which brings stdio and malloc.
  # What main() returns must become QEMU's exit status, clamped to 8 bits.
  target_compile_definitions(tactus_unity PUBLIC UNITY_OUTPUT_CHAR=board_put_char
                                                 "UNITY_OUTPUT_CHAR_HEADER_DECLARATION=board_put_char(int)")
  target_link_libraries(tactus_unity PUBLIC tactus_board)
  # Tests nest deeper than the firmware: 48 kB, where its thread has 16.
  target_link_options(tactus_unity INTERFACE -Wl,--defsym=__thread_stack_size=0xC000)
endif()

# The tests' own code runs for milliseconds: -O2 for it compiles a third faster than the release's -O3. Sanitizers and
# boards have their own flags.
if(NOT TACTUS_BOARD AND CMAKE_BUILD_TYPE STREQUAL Release)
  target_compile_options(tactus_unity INTERFACE -O2)
endif()

function(tactus_unit_test name)
  if(TACTUS_BOARD AND NOT TACTUS_EMULATOR)
    return()
  endif()
  set(target test_${name})
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE tactus_core tactus_unity tactus_warnings)
  if(TACTUS_BOARD)
    tactus_check_image(${target})
    add_test(NAME ${TACTUS_SUITE}.${name} COMMAND ${TACTUS_DEMAND_PASS} ${TACTUS_EMULATOR} $<TARGET_FILE:${target}>)
  else()
    # Together with eigen_assert (the sanitized build has it) this stops at any allocation inside Eigen.
    target_compile_definitions(${target} PRIVATE EIGEN_NO_MALLOC)
    add_test(NAME ${TACTUS_SUITE}.${name} COMMAND ${TACTUS_DEMAND_PASS} $<TARGET_FILE:${target}>)
  endif()
  set_tests_properties(${TACTUS_SUITE}.${name} PROPERTIES TIMEOUT 300)
endfunction()

function(tactus_case_test name)
  if(TACTUS_BOARD OR (TACTUS_SANITIZE AND NOT TACTUS_LONG))
    return()
  endif()
  set(target case_${name})
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE tactus_core tactus_unity tactus_warnings nlohmann_json::nlohmann_json)
  target_compile_definitions(${target} PRIVATE TACTUS_CASES_DIR="${TACTUS_CASES_DIR}")
  add_test(NAME ${TACTUS_SUITE}.cases.${name} COMMAND ${TACTUS_DEMAND_PASS} $<TARGET_FILE:${target}>)
  set_tests_properties(${TACTUS_SUITE}.cases.${name} PROPERTIES TIMEOUT 600)
endfunction()
