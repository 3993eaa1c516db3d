# Cortex-M7 with single and double precision FPU.
set(TACTUS_CPU_FLAGS "-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard")
include(${CMAKE_CURRENT_LIST_DIR}/../armv7m/toolchain.cmake)
