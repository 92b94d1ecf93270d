// swift-tools-version: 6.2
// nyand: the package's modules and who may import whom. ARCHITECTURE.md has the picture.
import PackageDescription

/// Settings every Swift target shares: warnings are errors, existentials and re-exports are written out, and async
/// functions run where their caller does (Swift's own pool of threads, once used, wakes up every second for ever).
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The daemon's modules are single-threaded in their source: everything is on the main actor unless it says otherwise.
let mainActor: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

/// What the targets of Tests/fuzz read with.
let fuzzed: [Target.Dependency] = [
    "CFuzz", "CDBus", "CTag", "nyanctl", "NyanCore", "NyanDBus", "NyanNet", "NyanScrobble", "NyanService", "NyanStore",
    "NyanVK", "NyanWire", "NyanWords",
]

let package = Package(
    name: "nyand",
    products: [
        .executable(name: "nyand", targets: ["nyand"]),
        .executable(name: "nyanctl", targets: ["nyanctl"]),
        .library(name: "NyanDBus", targets: ["NyanDBus"]),
    ],
    targets: [
        // Doors to C libraries: a module map and inline shims, no logic.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CGst", pkgConfig: "gstreamer-1.0 gstreamer-app-1.0 gstreamer-audio-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSystem"),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CTagLib", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
        .target(name: "CTag", dependencies: ["CTagLib"], linkerSettings: [.linkedLibrary("tag")]),
        // Needs ncursesw's headers to be built, and loads the library when `nyanctl ui` starts (decision 0035).
        .target(name: "CCurses"),
        // The same with libcurl, loaded for the first request (decision 0043).
        .target(name: "CCurl"),

        // The words and the rules, and the two halves of the bus.
        .target(name: "NyanCore", swiftSettings: strict),
        .target(name: "NyanWords", swiftSettings: strict),
        .target(name: "NyanDBus", dependencies: ["CDBus"], swiftSettings: mainActor),
        .target(name: "NyanWire", dependencies: ["NyanCore", "NyanDBus"], swiftSettings: mainActor),

        // Adapters; they do not see each other.
        .target(name: "NyanAudio", dependencies: ["NyanCore", "CGst"], swiftSettings: mainActor),
        .target(name: "NyanNet", dependencies: ["NyanCore", "CCurl", "CCrypto"], swiftSettings: mainActor),
        .target(name: "NyanVK", dependencies: ["NyanCore"], swiftSettings: mainActor),
        .target(name: "NyanScrobble", dependencies: ["NyanCore", "CCrypto"], swiftSettings: mainActor),
        .target(
            name: "NyanStore", dependencies: ["NyanCore", "CSQLite", "CTag", "CSecret", "CGLib"],
            swiftSettings: strict),

        // The living parts and the two programs.
        .target(
            name: "NyanService", dependencies: ["NyanCore", "NyanDBus", "NyanWire", "NyanWords"],
            swiftSettings: mainActor),
        .executableTarget(
            name: "nyand",
            dependencies: [
                "CSystem", "NyanCore", "NyanDBus", "NyanWire", "NyanAudio", "NyanNet", "NyanVK", "NyanStore",
                "NyanScrobble", "NyanService",
            ],
            swiftSettings: mainActor),
        .executableTarget(
            name: "nyanctl", dependencies: ["CCurses", "NyanCore", "NyanDBus", "NyanWire", "NyanWords"],
            swiftSettings: mainActor),

        // Tests. NyanTestKit is never shipped.
        .target(
            name: "NyanTestKit", dependencies: ["NyanCore", "NyanDBus"], path: "Tests/NyanTestKit",
            swiftSettings: mainActor),
        .testTarget(
            name: "NyanWordsTests", dependencies: ["NyanWords", "NyanTestKit"], swiftSettings: strict),
        .testTarget(name: "NyanCoreTests", dependencies: ["NyanCore"], swiftSettings: strict),
        .testTarget(name: "NyanDBusTests", dependencies: ["NyanDBus", "NyanTestKit"], swiftSettings: mainActor),
        .testTarget(
            name: "NyanWireTests", dependencies: ["nyanctl", "NyanWire", "NyanDBus", "NyanCore", "NyanTestKit"],
            swiftSettings: mainActor),
        .testTarget(
            name: "NyanAudioTests", dependencies: ["NyanAudio", "NyanCore", "NyanTestKit"], swiftSettings: mainActor),
        .testTarget(
            name: "NyanNetTests", dependencies: ["NyanNet", "NyanCore", "NyanTestKit"], swiftSettings: mainActor),
        .testTarget(
            name: "NyanVKTests", dependencies: ["NyanVK", "NyanCore", "NyanTestKit"], swiftSettings: mainActor),
        .testTarget(
            name: "NyanScrobbleTests", dependencies: ["NyanScrobble", "NyanCore", "NyanTestKit"],
            swiftSettings: mainActor),
        .testTarget(name: "NyanStoreTests", dependencies: ["NyanStore", "NyanCore"], swiftSettings: strict),
        .testTarget(
            name: "NyanServiceTests",
            dependencies: ["NyanService", "NyanWire", "NyanDBus", "NyanCore", "NyanWords", "NyanTestKit"],
            swiftSettings: mainActor),
        .testTarget(
            name: "NyanctlTests",
            dependencies: ["CCurses", "nyanctl", "NyanWire", "NyanDBus", "NyanCore", "NyanWords", "NyanTestKit"],
            exclude: ["golden"], swiftSettings: mainActor),
        // The targets of the fuzz program with the kept corpora; see Tests/fuzz.
        .systemLibrary(name: "CFuzz", path: "Tests/fuzz/CFuzz"),
        .testTarget(
            name: "NyanFuzzTests", dependencies: fuzzed, path: "Tests/fuzz", exclude: ["corpus", "CFuzz", "program"],
            sources: ["targets", "replay"], swiftSettings: mainActor),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["nyand", "nyanctl", "NyanWire", "NyanDBus", "NyanCore", "NyanTestKit"],
            swiftSettings: mainActor),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `scripts/fuzz` builds one program more, which nobody else needs, and nothing but what that is made of; see Tests/fuzz.
// A program cannot be linked into another one: nyanctl is a library here, without a main of its own.
if Context.environment["NYAND_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll {
        $0.type == .test || ["nyand", "nyanctl", "NyanAudio", "NyanTestKit"].contains($0.name)
    }
    package.targets += [
        .target(
            name: "nyanctl", dependencies: ["CCurses", "NyanCore", "NyanDBus", "NyanWire", "NyanWords"],
            swiftSettings: mainActor + [.define("NYAND_FUZZ")]),
        .executableTarget(
            name: "nyanfuzz", dependencies: fuzzed, path: "Tests/fuzz", exclude: ["corpus", "CFuzz", "replay"],
            sources: ["targets", "program"], swiftSettings: mainActor),
    ]
}

// `scripts/sanitize MODULE…` builds no tests but those; a sanitised build takes its time.
if let names = Context.environment["NYAND_TESTS"]?.split(separator: " ").map(String.init), !names.isEmpty {
    package.targets.removeAll { $0.isTest && !names.contains($0.name) }
}
