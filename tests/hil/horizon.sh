#!/bin/sh
# horizon.sh BOARD: the row of this board in the firmware README's table of horizons is what the board does.
board=$1
said=$(build/host/hil/hil_lockstep build/"$board"/firmware.elf fifo 10000 | grep '^20 steps ahead') || exit 1
row=$(sed -n '/^| board | half a beat/,/^$/p' firmware/README.md | grep -F "\`$board\`") || { echo "README has no row of $board"; exit 1; }
echo "$said" | awk -F'|' -v row="$row" '
  { split($0, word, /[ ,]+/)  # 20 steps ahead: A to B are taken at most C of BEAT counts
    split(row, cell, /\|/); split(cell[4], steps, / +/)
    if (cell[3] + 0 != word[13] / 2 || steps[2] != word[4] || steps[4] != word[6]) bad = 1
    if (cell[5] + 0 < 0.95 * word[11] || cell[5] + 0 > 1.05 * word[11]) bad = 1
    if (bad) print "README says" row "but: " $0
    exit bad }'
