# What machine this is. Sourced.
# shellcheck shell=bash
on_pi() { [ -r /proc/device-tree/model ] && grep -qa 'Raspberry Pi' /proc/device-tree/model; }
