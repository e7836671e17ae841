# Starts a throw-away server and stops it when its input ends, whatever ended it.
# BIN is the directory of the server's programs, OPTIONS its command line. Used by tests in Rust and by journeys.
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
