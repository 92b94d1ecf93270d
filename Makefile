# nyand: build, try, test, install. `make help` lists the targets.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
RELEASE = -c release --static-swift-stdlib
IMPORTS = --explicit-target-dependency-import-check error

.PHONY: help demo build debug test soak check fmt bench desktop install uninstall deps clean

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

deps: ## install what is missing (Debian packages by name)
	@scripts/install-deps build

demo: deps build ## install, build, and hear the built-in demo account play
	@scripts/install-deps demo
	@scripts/demo

build: deps ## release binaries in .build/release
	$(SWIFT) build $(RELEASE) $(IMPORTS) --product nyand
	$(SWIFT) build $(RELEASE) $(IMPORTS) --product nyanctl -Xlinker -no-pie

debug: ## debug build with every test
	$(SWIFT) build --build-tests $(IMPORTS)

test: deps ## run the tests
	@scripts/install-deps test
	$(SWIFT) build --build-tests $(IMPORTS)
	/usr/bin/python3 Tests/vkserver/selftest.py
	scripts/test

soak: build ## half an hour of rough handling: a random walk with faults, 2,000 track changes, sound under load, 100 deaths, a burst
	/usr/bin/python3 Tests/soak/soak.py --seconds 1200
	/usr/bin/python3 Tests/soak/changes.py
	/usr/bin/python3 Tests/soak/load.py
	/usr/bin/python3 Tests/soak/deaths.py
	/usr/bin/python3 Tests/soak/burst.py

desktop: build ## real GNOME Shell and Plasma with nyand playing, MPRIS conformance, playerctl; pictures into docs/images
	@scripts/install-deps desktop
	Tests/desktop/run

check: ## format, sizes, escapes, words
	$(SWIFT) format lint -s -r Sources Tests Package.swift
	@scripts/check

fmt: ## format the Swift sources
	$(SWIFT) format -i -r Sources Tests Package.swift

bench: build ## the figures of bench/README.md
	@bench/run

install: ## copy the programs and the desktop's files under PREFIX
	install -Dm755 .build/release/nyand $(DESTDIR)$(PREFIX)/bin/nyand
	install -Dm755 .build/release/nyanctl $(DESTDIR)$(PREFIX)/bin/nyanctl
	install -Dm644 dist/desktop/nyand.desktop $(DESTDIR)$(PREFIX)/share/applications/nyand.desktop
	install -Dm644 dist/icons/nyand.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/nyand.svg
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/user $(DESTDIR)$(PREFIX)/share/dbus-1/services
	sed 's|@BINDIR@|$(PREFIX)/bin|' dist/systemd/nyand.service.in > $(DESTDIR)$(PREFIX)/lib/systemd/user/nyand.service
	sed 's|@BINDIR@|$(PREFIX)/bin|' dist/dbus/org.nyantunes.Nyand.service.in > $(DESTDIR)$(PREFIX)/share/dbus-1/services/org.nyantunes.Nyand.service

uninstall: ## remove what install copied
	rm -f $(DESTDIR)$(PREFIX)/bin/nyand $(DESTDIR)$(PREFIX)/bin/nyanctl \
	  $(DESTDIR)$(PREFIX)/share/applications/nyand.desktop \
	  $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/nyand.svg \
	  $(DESTDIR)$(PREFIX)/lib/systemd/user/nyand.service \
	  $(DESTDIR)$(PREFIX)/share/dbus-1/services/org.nyantunes.Nyand.service

clean: ## remove build products
	rm -rf .build .demo
