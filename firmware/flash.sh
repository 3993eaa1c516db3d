#!/bin/sh
# flash.sh CONFIGURATION IMAGE: writes an image to a real board; CONFIGURATION is openocd's name for the board.
command -v openocd > /dev/null || { echo 'openocd is missing, and comes by: sudo apt-get install openocd' >&2; exit 1; }
exec openocd -f "$1" -c "program $2 verify reset exit"
