import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// A wall clock that a test turns while a program runs: only the calendar, for nothing else may go by it. (libfaketime
/// also moves the timers of the kernel, which no machine's owner can.)
final class Calendar {
    private let dial: Int32
    /// What a program is started with.
    let environment: [String: String]

    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static volatile long *seconds;
        __attribute__((constructor)) static void begin(void) {
            int file = open(getenv("CALENDAR"), O_RDONLY | O_CLOEXEC);
            void *page = mmap(0, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
            if (page != MAP_FAILED) seconds = page;
            close(file);
        }
        int clock_gettime(clockid_t clock, struct timespec *now) {
            int outcome = syscall(SYS_clock_gettime, clock, now);
            int is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
            if (outcome == 0 && seconds && is_calendar) now->tv_sec += *seconds;
            return outcome;
        }
        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            now->tv_sec = exact.tv_sec;
            now->tv_usec = exact.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *place) {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            if (place) *place = exact.tv_sec;
            return exact.tv_sec;
        }
        """

    /// Compiles it into a folder of the test's.
    init(in folder: String) async throws {
        let (source, library, file) = (folder + "/calendar.c", folder + "/calendar.so", folder + "/calendar")
        try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
        let words = ["cc", "-shared", "-fPIC", "-o", library, source]
        let made = try await Program(words, environment: ["PATH": "/usr/bin:/bin"]).outcome()
        try #require(made.status == 0, "\(made.errors)")
        dial = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        environment = ["LD_PRELOAD": library, "CALENDAR": file]
        try turn(by: 0)
    }

    isolated deinit { close(dial) }

    /// Sets it this many days off the real one.
    func turn(by days: Int) throws {
        var seconds = days * 86_400
        let count = pwrite(dial, &seconds, MemoryLayout<Int>.size, 0)
        try #require(count == MemoryLayout<Int>.size)
    }
}
