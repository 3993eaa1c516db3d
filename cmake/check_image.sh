#!/bin/sh
# check_image.sh NM IMAGE: exit status 1, naming them, if the linked image holds symbols of the heap, of exceptions, of
# run-time type information or of stdio. A stripped image cannot be judged and fails, too.
nm=$1 image=$2
symbols=$("$nm" -C "$image") || exit 1
[ -n "$symbols" ] || { echo "$image: no symbols to check"; exit 1; }
heap='_?(malloc|calloc|realloc|free|memalign)(_r)?|_?sbrk(_r)?|operator (new|delete).*'
exceptions='__cxa_(throw|rethrow|begin_catch|allocate_exception).*|__gxx_personality_.*|_Unwind_(RaiseException|Resume)'
rtti='(typeinfo|vtable|typeinfo name) for .*(__cxxabiv1|std::).*|typeinfo for .*|__dynamic_cast'
stdio='_?v?(f|s|sn|asn|as)?i?printf(_r)?|_?(puts|putchar|fputs|fwrite|fopen)(_r)?|std::.*ostream.*'
found=$(printf '%s\n' "$symbols" | grep -E "^[0-9a-f ]* [A-Za-z] ($heap|$exceptions|$rtti|$stdio)$")
[ -z "$found" ] && exit 0
echo "$image must not contain:"
printf '%s\n' "$found"
exit 1
