# Two commands: `make run` shows the product, `make test` proves it. Both do their own set-up.

CARGO ?= cargo
# A whole build is quicker without, and what is counted is the same program everywhere.
export CARGO_INCREMENTAL = 0
BIN := target/release/geotrawl
BUILT := $(or $(CARGO_TARGET_DIR),target)/debug
# Waits while another package manager is at work, rather than give up and let tests fail. (Its lists may be locked: then those at hand serve.)
APT := env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600

# Without documentation tests (there is one, which only compiles), examples and measurements: clippy compiles the latter two with the rest.
TESTS := --workspace --exclude geotrawl-bench --lib --bins --tests --locked
# Chores, built alone. `test` uses those that it has built with everything else: alone they have other features, and many crates are compiled again.
XTASK = $(CARGO) xtask

.PHONY: run announce test ready tools build bench levels audit fmt lint unit tidy fuzz clean setup apps browser clients counts database valgrind web web-test docs

run: build
	./$(BIN) demo

build: setup announce web
	$(CARGO) build --release --locked -p geotrawl

# Said before the first build only: nobody should wonder whether it hangs.
announce:
	@[ -e $(BIN) ] || echo "The first build compiles about 600 crates: 10 to 20 minutes on 2 cores, and 4 GB below target/. Later builds take a minute or two."

# The web application; it is built into the binary. (Not by `npm ci`: it wants the bundler's binaries for all other systems in the lock file.)
# Without Node the binary has the API only, and says so.
web:
	@command -v npm >/dev/null || { echo "No npm: install Node 20 or newer to build the web application (the binary is built without it)." >&2; exit 0; }; \
	cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm install --no-save --silent --no-audit --no-fund; } \
	|| { echo "The packages of the web application could not be installed (see above); the binary is built without it." >&2; exit 0; }; \
	[ -f dist/index.html ] && [ -z "$$(find src public index.html *.ts *.js *.mjs package-lock.json -newer dist/index.html -print -quit)" ] \
	|| npm run --silent build >/dev/null

# Tests of crawls wait for simulated servers most of the time, and so do journeys: both at once take little longer than one.
# Clippy needs the processor, the tools are mostly downloads. What each step costs is in docs/internals/testing.md.
test: setup web
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint tools
	$(MAKE) --no-print-directory ready
	$(MAKE) --no-print-directory tidy XTASK="$(BUILT)/xtask"
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target unit web-test
	$(MAKE) --no-print-directory counts XTASK="$(BUILT)/xtask"

tools: apps browser clients database valgrind

# All that tests stand on, so that none of them installs or builds anything while others are watched by a clock.
# A tool that cannot be installed is reported here; the tests that need it fail, or are skipped with GEOTRAWL_ALLOW_SKIPS=1.
ready: setup web tools
	$(CARGO) test $(TESTS) --no-run

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# Snapshots that changed or are new fail their tests; those that no test used fail here. `INSTA_UPDATE=always cargo test ...` renews them.
unit: ready
	@rm -f target/snapshots-used
	INSTA_UPDATE=no INSTA_SNAPSHOT_REFERENCES_FILE=$(CURDIR)/target/snapshots-used \
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-3} $(CARGO) test $(TESTS) --no-fail-fast
	@sed -E 's#^.*/(crates/|xtask/)#\1#' target/snapshots-used > target/snapshots-named
	@! find crates xtask -name '*.snap' | grep -vxFf target/snapshots-named \
	|| { echo "No test uses the snapshots above: remove them." >&2; exit 1; }

# The web application: types, logic, and journeys in a real browser against the binary on a simulated web, with both stores.
web-test: ready
	@[ -d web/dist ] && command -v npm >/dev/null || { echo "The web application is not built (see above): its tests cannot run." >&2; [ "$$GEOTRAWL_ALLOW_SKIPS" = 1 ]; exit; }; \
	cd web && npm run --silent check && npm run --silent test && npm run --silent journeys

tidy: setup
	$(XTASK) tidy
	$(XTASK) docs --check

# Instructions and memory of fixed work, beside those that stand in xtask/counts.json. `cargo xtask counts --bless` renews them.
counts: setup valgrind
	$(XTASK) counts --check

# Geotrawl beside Scrapy, the `spider` crate and a bare loop, in one go on one site.
bench: build
	$(CARGO) measure crawl
	$(CARGO) measure harvest
	$(CARGO) measure capabilities

# What each level of reading code finds in the applications of the simulated web, and how it bears hostile scripts.
levels: build apps
	$(CARGO) measure levels apps
	$(CARGO) measure levels hostile

# Map applications for the simulated web, built from our sources by the bundlers that people use.
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

# Valgrind, which counts instructions.
valgrind:
	@command -v valgrind >/dev/null && exit 0; \
	command -v apt-get >/dev/null || { echo "No valgrind and no apt-get: install valgrind (instructions cannot be counted without)." >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else echo "No valgrind: run 'sudo apt-get install valgrind' (instructions cannot be counted without)." >&2; exit 0; fi; \
	echo "Installing valgrind (once) ..."; \
	{ $$as $(APT) update; $$as $(APT) install -y --no-install-recommends valgrind libc6-dbg; } >/dev/null 2>&1 \
	|| echo "valgrind could not be installed; instructions cannot be counted." >&2

# PostgreSQL with PostGIS, for the tests of the shared store: each run starts a server of its own.
database:
	@ls /usr/lib/postgresql/*/bin/initdb /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 && exit 0; \
	command -v apt-get >/dev/null || { echo "No PostgreSQL with PostGIS and no apt-get: install both (tests of the shared store fail without)." >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else echo "No PostgreSQL: run 'sudo apt-get install postgresql postgresql-postgis' (tests of the shared store fail without)." >&2; exit 0; fi; \
	echo "Installing PostgreSQL with PostGIS (once) ..."; \
	{ $$as $(APT) update; $$as $(APT) install -y --no-install-recommends postgresql postgresql-postgis; } >/dev/null 2>&1 \
	|| echo "PostgreSQL could not be installed; tests of the shared store fail." >&2

# Clients that others wrote (Python), to prove that they understand us; Debian's GDAL and QGIS where they can be had.
clients:
	@command -v python3 >/dev/null || { echo "No python3: tests with clients of others fail." >&2; exit 0; }; \
	[ target/clients/.done -nt tools/clients/requirements.txt ] && [ target/clients/.done -nt tools/clients/harvester.txt ] && exit 0; \
	echo "Installing clients of others (once) ..."; mkdir -p target; \
	{ python3 -m venv target/clients && target/clients/bin/pip install --quiet --disable-pip-version-check -r tools/clients/requirements.txt \
	&& python3 -m venv target/clients/harvester && target/clients/harvester/bin/pip install --quiet --disable-pip-version-check -r tools/clients/harvester.txt && touch target/clients/.done; } >target/clients.log 2>&1 \
	|| { rm -rf target/clients; echo "The clients of others could not be installed; tests with them fail. Their log, target/clients.log, ends with:" >&2; tail -n 5 target/clients.log >&2; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; else as=false; fi; \
	{ command -v ogrinfo && /usr/bin/python3 -c 'import qgis.core'; } >/dev/null 2>&1 \
	|| { $$as $(APT) update; $$as $(APT) install -y --no-install-recommends gdal-bin python3-qgis; } >/dev/null 2>&1 \
	|| echo "GDAL and QGIS could not be installed; tests with them fail." >&2

# Licences, bans and sources always; advisories where a database is at hand (GEOTRAWL_ADVISORY_DB).
audit: setup
	$(XTASK) audit

# The user guide as a website: target/book/index.html. mdBook sees only the folder of the guide, so a copy is built in
# which images are inside that folder and links to other files of the repository lead to GitHub.
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

# A minute of each fuzz target.
fuzz: setup
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked --quiet cargo-fuzz
	fuzz/seed-corpus
	for target in $$($(CARGO) fuzz list); do $(CARGO) fuzz run -s none $$target -- -max_total_time=60 -timeout=10 || exit 1; done

setup:
	@command -v $(CARGO) >/dev/null || { echo "Rust is needed (1.95 or newer): install it with rustup or your distribution, then run this again." >&2; exit 1; }
	@command -v cc >/dev/null || { echo "A C compiler is needed (SQLite is built from source): install gcc or clang, then run this again." >&2; exit 1; }

clean:
	$(CARGO) clean
	rm -rf bench-out
