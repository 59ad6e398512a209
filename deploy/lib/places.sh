# Where an installed companion lives. Sourced by install and uninstall; the files themselves are in deploy/rootfs.
# shellcheck shell=bash disable=SC2034
service=atlantis-companion.service
user=atlantis
program=/opt/atlantis-companion
library=/usr/local/lib/atlantis-companion
state=/var/lib/atlantis-companion
cache=/var/cache/atlantis-companion
# The files that were installed, a path from the root a line.
manifest=$program/files
# A link to the release in use, and one to the release that was in use before it.
current=$program/current
previous=$program/previous
# There while systemd runs.
systemd=/run/systemd/system
