# Starts a throw-away cluster and stops it when nobody holds the other end of its input any more, however that came about.
# BIN is where the programs of the server are, OPTIONS what it is started with. Used by tests in Rust and by journeys.
set -e
trap '' INT TERM HUP
umask 077
dir=$(mktemp -d "${TMPDIR:-/tmp}/geotrawl-pg.XXXXXX")
cd "$dir"
if "$BIN/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1 &&
   "$BIN/pg_ctl" -D data -w -t 60 -l server.log -o "$OPTIONS -k '$dir'" start >>log 2>&1
then echo "ready $dir"
else cat log server.log 2>/dev/null | tr '\n' ' '; echo; rm -rf "$dir"; exit 1
fi
cat >/dev/null
"$BIN/pg_ctl" -D data -m immediate stop >>log 2>&1 || true
cd /
rm -rf "$dir"
