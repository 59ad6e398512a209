# Messages of the deploy scripts: to standard error, so that what a command prints stays clean. Sourced.
# shellcheck shell=bash
say() { printf '%s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }
