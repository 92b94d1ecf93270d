# nyand: build, try, test, install. `make help` lists the targets.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# No search path of the build in the programs: packages forbid one, and nothing lies beside them.
RELEASE = -c release --static-swift-stdlib --disable-local-rpath $(shell SWIFT=$(SWIFT) scripts/linker)
# Not every linker says these by itself. nyanctl binds late: it starts often.
RELRO = -Xlinker -z -Xlinker relro
# Nothing to look through for a symbol that nobody asks for (decisions 0040, 0043).
CLOSED = -Xlinker --no-export-dynamic
# nyanctl starts often: little to relocate (decision 0005). What nyand relocates is packed where that can be (0043).
QUICK = -Xlinker -no-pie
PACKED = $(shell SWIFT=$(SWIFT) scripts/linker packed)
# What `install` copies: the programs, and the pages and completions made from them.
PROGRAMS ?= .build/release
PAGES ?= .build/pages
# Where zsh looks; Debian's has vendor-completions.
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
# Where systemd looks: in a home it is another folder.
UNITDIR ?= $(PREFIX)/$(if $(filter $(HOME)/.local,$(PREFIX)),share,lib)/systemd/user
IMPORTS = --explicit-target-dependency-import-check error

.PHONY: help demo build debug test soak asan tsan hostile fuzz check fmt bench budgets system desktop pictures install uninstall deb rpm deps clean

help: ## what there is
	@grep -E '^[a-z ]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

# Packagers, whose tools see to it, say DEPS=true.
DEPS ?= scripts/install-deps build
deps: ## install what is missing (Debian packages by name)
	@$(DEPS)

demo: deps build ## install, build, and hear the built-in demo account play
	@scripts/install-deps demo
	@scripts/demo

build: deps ## release binaries in .build/release
	$(SWIFT) build $(RELEASE) $(IMPORTS) --product nyand $(RELRO) $(CLOSED) $(PACKED) -Xlinker -z -Xlinker now
	scripts/with-static-runtime "$$($(SWIFT) build $(RELEASE) --show-bin-path)" \
	$(SWIFT) build $(RELEASE) $(IMPORTS) --product nyanctl $(RELRO) $(CLOSED) $(QUICK)
	scripts/pages $(PROGRAMS) $(PAGES)

debug: ## debug build with every test
	$(SWIFT) build --build-tests $(IMPORTS)

test: deps ## run the tests
	@scripts/install-deps test
	$(SWIFT) build --build-tests $(IMPORTS)
	/usr/bin/python3 Tests/vkserver/selftest.py
	scripts/test

asan tsan: deps ## the tests under AddressSanitizer and UBSan, or under ThreadSanitizer; SANITIZE=MODULE… for some of them
	@scripts/install-deps test
	scripts/sanitize $(if $(filter asan,$@),address,thread) $(SANITIZE)

soak: build ## 50 minutes of rough handling: a random walk with all taken away, 2,000 track changes, 200 deaths, sound under load, a burst
	@scripts/install-deps test
	@/usr/bin/python3 Tests/soak/all.py --programs $(PROGRAMS)

hostile: build ## everybody who means no good: a peer on the bus, a false daemon, odd terminals, and more of Tests/hostile
	@scripts/install-deps test
	@status=0; for program in Tests/hostile/*.py; do [ ! -x "$$program" ] || { echo "== $$program"; \
	  /usr/bin/python3 "$$program" --programs $(PROGRAMS) || [ $$? = 77 ] || status=1; }; done; exit $$status

desktop: build ## real GNOME Shell and Plasma with nyand playing, MPRIS conformance, playerctl; pictures into docs/images
	@scripts/install-deps desktop
	Tests/desktop/run

pictures: build ## the terminal's pictures in docs/images, by Tests/screen/shots.py
	@scripts/install-deps desktop
	/usr/bin/python3 Tests/screen/shots.py

fuzz: ## half a minute of libFuzzer at every reader of outside bytes, with ASan (Tests/fuzz)
	@scripts/install-deps build
	@scripts/fuzz 30

check: ## format, sizes, escapes, words, the unit
	$(SWIFT) format lint -s -r Sources Tests Package.swift
	@scripts/check
	@scripts/unit-check

fmt: ## format the Swift sources
	$(SWIFT) format -i -r Sources Tests Package.swift

bench: build ## nyand beside its peers: docs/BENCHMARKS.md, its plots and raw figures (installs them; twenty minutes)
	@scripts/install-deps bench
	@bench/run --report

budgets: build ## counts of what the programs do, each held to its line in bench/limits
	@scripts/install-deps test
	@bench/budgets

system: ## the unit under a real systemd, in a Debian made for it (root, debootstrap; make build first)
	/usr/bin/python3 Tests/system/boot.py

# dist/files.list names what lands where; `uninstall` reads it, and scripts/package-check holds both to it.
install: ## copy what `make build` made, and the desktop's files, under PREFIX
	@[ -x $(PROGRAMS)/nyand ] && [ -e $(PAGES)/nyand.1 ] || { echo "nothing is built yet: make build" >&2; exit 1; }
	install -Dm755 $(PROGRAMS)/nyand $(DESTDIR)$(PREFIX)/bin/nyand
	install -Dm755 $(PROGRAMS)/nyanctl $(DESTDIR)$(PREFIX)/bin/nyanctl
	install -Dm644 dist/desktop/nyand.desktop $(DESTDIR)$(PREFIX)/share/applications/nyand.desktop
	install -Dm644 dist/icons/nyand.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/nyand.svg
	install -Dm644 dist/icons/nyand-symbolic.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/symbolic/apps/nyand-symbolic.svg
	install -Dm644 dist/appstream/org.nyantunes.Nyand.metainfo.xml \
	  $(DESTDIR)$(PREFIX)/share/metainfo/org.nyantunes.Nyand.metainfo.xml
	install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(PREFIX)/share/dbus-1/services
	sed 's|@BINDIR@|$(PREFIX)/bin|' dist/systemd/nyand.service.in > $(DESTDIR)$(UNITDIR)/nyand.service
	sed 's|@BINDIR@|$(PREFIX)/bin|' dist/dbus/org.nyantunes.Nyand.service.in \
	  > $(DESTDIR)$(PREFIX)/share/dbus-1/services/org.nyantunes.Nyand.service
	chmod 644 $(DESTDIR)$(UNITDIR)/nyand.service \
	  $(DESTDIR)$(PREFIX)/share/dbus-1/services/org.nyantunes.Nyand.service
	install -Dm644 $(PAGES)/nyand.1 $(DESTDIR)$(PREFIX)/share/man/man1/nyand.1
	install -Dm644 $(PAGES)/nyanctl.1 $(DESTDIR)$(PREFIX)/share/man/man1/nyanctl.1
	install -Dm644 $(PAGES)/nyand.conf.5 $(DESTDIR)$(PREFIX)/share/man/man5/nyand.conf.5
	install -Dm644 $(PAGES)/nyanctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/nyanctl
	install -Dm644 $(PAGES)/nyanctl.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/nyanctl.fish
	install -Dm644 $(PAGES)/_nyanctl $(DESTDIR)$(ZSHDIR)/_nyanctl
	install -Dm644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/nyand/LICENSE
	install -Dm644 README.md $(DESTDIR)$(PREFIX)/share/doc/nyand/README.md

uninstall: ## remove what install copied
	grep -v '^#' dist/files.list | while read -r file; do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done
	rm -f $(DESTDIR)$(ZSHDIR)/_nyanctl $(DESTDIR)$(UNITDIR)/nyand.service
	-rmdir $(DESTDIR)$(PREFIX)/share/doc/nyand

deb: build ## a Debian package for this distribution in .build/packages
	@scripts/install-deps deb
	@scripts/deb

rpm: build ## an RPM package in .build/packages
	@scripts/install-deps rpm
	@scripts/rpm

clean: ## remove build products
	rm -rf .build .demo
