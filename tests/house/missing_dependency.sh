#!/bin/sh
# missing_dependency.sh TREE FOLDER DEPS: a missing dependency gives one sentence with its name and the command that gets it.
rm -rf "$2"
for pair in 'Eigen3:Eigen 3.4 is missing; to get it: sudo apt-get install libeigen3-dev' \
            'etl:ETL, the Embedded Template Library 20.39 is missing; to get it: sudo apt-get install libetlcpp-dev' \
            'fmt:The tactus command and its tests miss libraries; to get them: sudo apt-get install libfmt-dev'; do
  name=${pair%%:*} sentence=${pair#*:} deps=$3
  [ "$name" != etl ] || deps=$2/none
  log=$(cmake -S "$1" -B "$2/$name" -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_"$name"=ON -DTACTUS_FETCH=OFF \
              -DTACTUS_DEPS_DIR="$deps" 2>&1) && { echo "configured without $name"; exit 1; }
  printf '%s\n' "$log" | tr -s '\n ' ' ' | grep -qF "$sentence" || { printf 'not said: %s\n%s\n' "$sentence" "$log"; exit 1; }
done
