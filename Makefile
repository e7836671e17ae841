# Two commands: `make run` shows the product, `make test` proves it. Both do their own set-up.

CARGO ?= cargo
BIN := target/release/geotrawl

.PHONY: run test build bench audit fmt lint unit tidy fuzz clean setup

run: build
	./$(BIN) demo

build: setup
	$(CARGO) build --release --locked -p geotrawl

test: lint unit tidy

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

unit: setup
	$(CARGO) test --workspace --locked

tidy: setup
	$(CARGO) run --quiet --locked -p xtask -- tidy
	$(CARGO) run --quiet --locked -p xtask -- docs --check

# Geotrawl beside Scrapy, the `spider` crate, a bare loop and a load generator, in one go on one site.
bench: build
	$(CARGO) run --release --locked -p xtask -- bench
	$(CARGO) run --release --locked -p xtask -- bench harvest
	$(CARGO) run --release --locked -p xtask -- bench capabilities

# Licences, bans and sources always; advisories where a database is at hand (GEOTRAWL_ADVISORY_DB).
audit: setup
	$(CARGO) run --quiet --locked -p xtask -- audit

# A minute of each fuzz target.
fuzz: setup
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked --quiet cargo-fuzz
	for target in $$($(CARGO) fuzz list); do $(CARGO) fuzz run -s none $$target -- -max_total_time=60 -timeout=10 || exit 1; done

setup:
	@command -v $(CARGO) >/dev/null || { echo "Rust is needed (1.95 or newer): install it with rustup or your distribution, then run this again." >&2; exit 1; }
	@command -v cc >/dev/null || { echo "A C compiler is needed (SQLite is built from source): install gcc or clang, then run this again." >&2; exit 1; }

clean:
	$(CARGO) clean
	rm -rf bench-out
