# Flags of this project's own targets; a project that takes tactus in keeps its own.

# What all of our code is compiled with: target_link_libraries(mine PRIVATE tactus_warnings).
add_library(tactus_warnings INTERFACE)
target_compile_options(tactus_warnings INTERFACE -Wall -Wextra -Wshadow -Wdouble-promotion -Werror
                                                 $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

if(NOT CMAKE_CROSSCOMPILING)
  # The kernels call fused multiply-adds: an instruction from x86-64-v3 on, a slow call of libm before.
  if(NOT DEFINED TACTUS_MARCH)
    include(CheckCXXSourceRuns)
    check_cxx_source_runs("
      #if !defined(__x86_64__)
      #error only x86-64 has levels
      #endif
      int main() {
        return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\"));
      }" TACTUS_CPU_IS_X86_64_V3)
    if(TACTUS_CPU_IS_X86_64_V3)
      set(default_march x86-64-v3)
    endif()
  endif()
  set(TACTUS_MARCH "${default_march}" CACHE STRING "Value of -march for the host; empty for the compiler's own")
  if(TACTUS_MARCH)
    add_compile_options(-march=${TACTUS_MARCH})
  endif()
endif()

if(TACTUS_SANITIZE)
  # The five checks of pointers cost much of the compile time, and what comes of a bad pointer AddressSanitizer sees.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options(-fsanitize-address-outline-instrumentation)  # compiles in three quarters of the time
  endif()
endif()
if(TACTUS_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
  find_program(TACTUS_GCOVR gcovr)
  if(TACTUS_GCOVR)
    add_custom_target(coverage COMMAND ${CMAKE_CTEST_COMMAND} -LE long --quiet
                               COMMAND ${TACTUS_GCOVR} --root ${PROJECT_SOURCE_DIR} --filter ${PROJECT_SOURCE_DIR}/core/
                                       --filter ${PROJECT_SOURCE_DIR}/host_sim/
                               WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Running the tests, counting lines" VERBATIM)
  else()
    message(STATUS "No target coverage without gcovr; to get it: sudo apt-get install gcovr")
  endif()
endif()
