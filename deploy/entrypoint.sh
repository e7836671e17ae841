#!/bin/sh
# Starts geotrawl in a container. The password of the database is read from a file, so that it stands neither in the
# description of the container nor on a command line: GEOTRAWL_STORE may have @PASSWORD@ in its place, and
# GEOTRAWL_PASSWORD_FILE says where it is. It becomes part of a URL: letters and digits need no escaping.
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
