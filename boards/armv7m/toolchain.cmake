# What every ARMv7-M board is compiled with. A board's toolchain.cmake sets TACTUS_CPU_FLAGS and includes this file.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

foreach(language IN ITEMS C CXX ASM)
  set(CMAKE_${language}_FLAGS_INIT "${TACTUS_CPU_FLAGS} -mthumb -ffunction-sections -fdata-sections")
  # -Os costs Eigen four times the instructions, -O3 gains nothing on these kernels.
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -g -DNDEBUG" CACHE STRING "")
endforeach()
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
# Threaded jumps enter loops at two places, and tests/image/deadline.py proves no bound of such a loop.
string(APPEND CMAKE_CXX_FLAGS_INIT " -fno-thread-jumps")
# No fused multiply-add that the host would not do; no errno behind a square root; nothing that needs a runtime.
string(APPEND CMAKE_C_FLAGS_INIT " -ffp-contract=off -fno-math-errno")
string(APPEND CMAKE_CXX_FLAGS_INIT " -ffp-contract=off -fno-math-errno -fno-exceptions -fno-rtti"
                                   " -fno-threadsafe-statics -fno-use-cxa-atexit -fno-unwind-tables"
                                   " -fno-asynchronous-unwind-tables")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections -Wl,--build-id=sha1 -Wl,--no-warn-rwx-segments")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
