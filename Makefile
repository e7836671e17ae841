# `make run` starts a demo, `make test` runs all tests. Both install what they need.

CARGO ?= cargo
# Full builds are faster without it, and instruction counts are comparable between machines.
export CARGO_INCREMENTAL = 0
BIN := target/release/geotrawl
BUILT := $(or $(CARGO_TARGET_DIR),target)/debug
# Waits while another package manager holds the lock, rather than failing. (If the update is locked out, existing lists are used.)
APT := env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600

# Excludes doc tests (the only one just compiles), examples and benchmarks: clippy compiles the latter two.
TESTS := --workspace --exclude geotrawl-bench --lib --bins --tests --locked
# Maintenance commands, built on demand. `test` uses the binary from the workspace build instead: a separate build has other features and recompiles many crates.
XTASK = $(CARGO) xtask

.PHONY: run announce test ready tools build bench levels audit fmt lint unit tidy fuzz clean setup apps browser clients counts database valgrind web web-test docs

run: build
	./$(BIN) demo

build: setup announce web
	$(CARGO) build --release --locked -p geotrawl

# Printed before the first build only, because it takes long.
announce:
	@[ -e $(BIN) ] || echo "The first build compiles about 600 crates: 10 to 20 minutes on 2 cores, and 4 GB below target/. Later builds take a minute or two."

# The web application, which is embedded in the binary. (Not with `npm ci`, which requires the bundler's binaries for all platforms in the lock file.)
# Without Node, the binary has only the API and reports that.
web:
	@command -v npm >/dev/null || { echo "No npm: install Node 20 or newer to build the web application (the binary is built without it)." >&2; exit 0; }; \
	cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --silent --no-audit --no-fund; } \
	|| { echo "The packages of the web application could not be installed (see above); the binary is built without it." >&2; exit 0; }; \
	[ -f dist/index.html ] && [ -z "$$(find src public index.html *.ts *.js *.mjs package-lock.json -newer dist/index.html -print -quit)" ] \
	|| npm run --silent build >/dev/null

# Crawl tests and journeys mostly wait for simulated servers, so running both in parallel takes little longer than one.
# Clippy is CPU-bound, installing tools is mostly downloads. docs/internals/testing.md lists the duration of each step.
test: setup web
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint tools
	$(MAKE) --no-print-directory ready
	$(MAKE) --no-print-directory tidy XTASK="$(BUILT)/xtask"
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target unit web-test
	$(MAKE) --no-print-directory counts XTASK="$(BUILT)/xtask"

tools: apps browser clients database valgrind

# Builds and installs everything that tests need, so that no test does so while others have time limits.
# A tool that cannot be installed is reported here; the tests that need it fail, or are skipped with GEOTRAWL_ALLOW_SKIPS=1.
ready: setup web tools
	$(CARGO) test $(TESTS) --no-run

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# Changed and new snapshots fail their tests; unused ones fail here. `INSTA_UPDATE=always cargo test ...` updates them.
unit: ready
	@rm -f target/snapshots-used
	INSTA_UPDATE=no INSTA_SNAPSHOT_REFERENCES_FILE=$(CURDIR)/target/snapshots-used \
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-3} $(CARGO) test $(TESTS) --no-fail-fast
	@sed -E 's#^.*/(crates/|xtask/)#\1#' target/snapshots-used > target/snapshots-named
	@! find crates xtask -name '*.snap' | grep -vxFf target/snapshots-named \
	|| { echo "No test uses the snapshots above: remove them." >&2; exit 1; }

# The web application: type check, unit tests, and browser tests against the binary on a simulated web, with both stores.
web-test: ready
	@[ -d web/dist ] && command -v npm >/dev/null || { echo "The web application is not built (see above): its tests cannot run." >&2; [ "$$GEOTRAWL_ALLOW_SKIPS" = 1 ]; exit; }; \
	cd web && npm run --silent check && npm run --silent test && npm run --silent journeys

tidy: setup
	$(XTASK) tidy
	$(XTASK) docs --check

# Compares instruction counts and memory of fixed workloads with xtask/counts.json. `cargo xtask counts --bless` updates the file.
counts: setup valgrind
	$(XTASK) counts --check

# Compares Geotrawl with Scrapy, the `spider` crate and a bare loop on the same site.
bench: build
	$(CARGO) measure crawl
	$(CARGO) measure harvest
	$(CARGO) measure capabilities

# Measures what each level of script analysis finds in the applications of the simulated web, and how it handles hostile scripts.
levels: build apps
	$(CARGO) measure levels apps
	$(CARGO) measure levels hostile

# Map applications for the simulated web, built from sources in this repository with common bundlers.
apps:
	@command -v npm >/dev/null || { echo "No npm: install Node 20 or newer to build the map applications (tests on them fail without)." >&2; exit 0; }; \
	cd tools/apps && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund; } \
	|| { echo "The packages of the map applications could not be installed (see above); tests on them fail." >&2; exit 0; }; \
	node build.mjs ../../target/apps

# Chromium, for --render and its tests.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do command -v $$name >/dev/null && exit 0; done; \
	command -v apt-get >/dev/null || { echo "No Chromium and no apt-get: install chromium (browser tests fail without)." >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else echo "No Chromium: run 'sudo apt-get install chromium' (browser tests fail without)." >&2; exit 0; fi; \
	echo "Installing chromium (once) ..."; \
	{ $$as $(APT) update; $$as $(APT) install -y --no-install-recommends chromium; } >/dev/null 2>&1 \
	|| echo "Chromium could not be installed; browser tests fail." >&2

# Valgrind, to count instructions.
valgrind:
	@command -v valgrind >/dev/null && exit 0; \
	command -v apt-get >/dev/null || { echo "No valgrind and no apt-get: install valgrind (instructions cannot be counted without)." >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else echo "No valgrind: run 'sudo apt-get install valgrind' (instructions cannot be counted without)." >&2; exit 0; fi; \
	echo "Installing valgrind (once) ..."; \
	{ $$as $(APT) update; $$as $(APT) install -y --no-install-recommends valgrind libc6-dbg; } >/dev/null 2>&1 \
	|| echo "valgrind could not be installed; instructions cannot be counted." >&2

# PostgreSQL with PostGIS, for tests of the shared store: each run starts its own server.
database:
	@ls /usr/lib/postgresql/*/bin/initdb /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 && exit 0; \
	command -v apt-get >/dev/null || { echo "No PostgreSQL with PostGIS and no apt-get: install both (tests of the shared store fail without)." >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else echo "No PostgreSQL: run 'sudo apt-get install postgresql postgresql-postgis' (tests of the shared store fail without)." >&2; exit 0; fi; \
	echo "Installing PostgreSQL with PostGIS (once) ..."; \
	{ $$as $(APT) update; $$as $(APT) install -y --no-install-recommends postgresql postgresql-postgis; } >/dev/null 2>&1 \
	|| echo "PostgreSQL could not be installed; tests of the shared store fail." >&2

# Third-party clients (Python) for interoperability tests; Debian's GDAL and QGIS where available.
clients:
	@command -v python3 >/dev/null || { echo "No python3: install Python 3 to run the tests with third-party clients (they fail without)." >&2; exit 0; }; \
	[ target/clients/.done -nt tools/clients/requirements.txt ] && [ target/clients/.done -nt tools/clients/harvester.txt ] && exit 0; \
	echo "Installing third-party clients (once) ..."; mkdir -p target; \
	{ python3 -m venv target/clients && target/clients/bin/pip install --quiet --disable-pip-version-check -r tools/clients/requirements.txt \
	&& python3 -m venv target/clients/harvester && target/clients/harvester/bin/pip install --quiet --disable-pip-version-check -r tools/clients/harvester.txt && touch target/clients/.done; } >target/clients.log 2>&1 \
	|| { rm -rf target/clients; echo "The third-party clients could not be installed; tests with them fail. The log, target/clients.log, ends with:" >&2; tail -n 5 target/clients.log >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else as=false; fi; \
	{ command -v ogrinfo && /usr/bin/python3 -c 'import qgis.core'; } >/dev/null 2>&1 \
	|| { $$as $(APT) update; $$as $(APT) install -y --no-install-recommends gdal-bin python3-qgis; } >/dev/null 2>&1 \
	|| echo "GDAL and QGIS could not be installed; tests with them fail." >&2

# Checks licences, bans and sources; advisories only if a database is available (GEOTRAWL_ADVISORY_DB).
audit: setup
	$(XTASK) audit

# Builds the user guide as a website: target/book/index.html. mdBook sees only the folder of the guide, so it builds a
# copy with images inside that folder and links to other files of the repository pointing to GitHub.
docs:
	@[ -x target/tools/bin/mdbook ] || { echo "Installing mdbook (once) ..."; $(CARGO) install --locked --quiet mdbook --root target/tools; }
	@rm -rf target/book target/book-src && mkdir -p target/book-src
	@cp -r docs/book.toml docs/guide target/book-src/ && cp -r docs/images target/book-src/guide/
	@sed -i -E -e 's#\]\(\.\./images/#](images/#g' \
		-e 's#\]\(\.\./\.\./([^)]*)\)#](https://github.com/geotrawl/geotrawl/blob/main/\1)#g' \
		-e 's#\]\(\.\./([^)]*)\)#](https://github.com/geotrawl/geotrawl/blob/main/docs/\1)#g' target/book-src/guide/*.md
	@log=$$(target/tools/bin/mdbook build target/book-src --dest-dir "$(CURDIR)/target/book" 2>&1) && ! printf '%s\n' "$$log" | grep -E 'WARN|ERROR' \
	|| { printf '%s\n' "$$log" >&2; exit 1; }
	@echo "The guide is in target/book/index.html."

# Runs each fuzz target for a minute.
fuzz: setup
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked --quiet cargo-fuzz
	fuzz/seed-corpus
	for target in $$($(CARGO) fuzz list); do $(CARGO) fuzz run -s none $$target -- -max_total_time=60 -timeout=10 || exit 1; done

setup:
	@command -v $(CARGO) >/dev/null || { echo "Rust 1.95 or newer is required: install it with rustup or your distribution, then run this command again." >&2; exit 1; }
	@command -v cc >/dev/null || { echo "A C compiler is required (SQLite is built from source): install gcc or clang, then run this command again." >&2; exit 1; }

clean:
	$(CARGO) clean
	rm -rf bench-out
