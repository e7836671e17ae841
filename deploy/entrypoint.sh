#!/bin/sh
# Starts geotrawl in a container. The database password is read from a file, so that it appears neither in the
# container's configuration nor on a command line: GEOTRAWL_STORE may contain the placeholder @PASSWORD@, and
# GEOTRAWL_PASSWORD_FILE names the file. The password becomes part of a URL: letters and digits need no escaping.
set -eu
case "${GEOTRAWL_STORE:-}" in
*@PASSWORD@*)
    password=$(cat "$GEOTRAWL_PASSWORD_FILE")
    GEOTRAWL_STORE=${GEOTRAWL_STORE%%@PASSWORD@*}$password${GEOTRAWL_STORE#*@PASSWORD@}
    export GEOTRAWL_STORE
    unset password
    ;;
esac
exec geotrawl "$@"
