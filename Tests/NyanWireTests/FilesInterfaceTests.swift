import NyanWire
import Testing

@Suite("Interface of files on the bus")
struct FilesInterfaceTests {
    @Test("Files")
    func files() {
        #expect(
            shape(NyandInterfaces.files) == [
                "Import(folder:s) -> (imported:u known:u skipped:u named:a(ss) stopped:(ss))",
                "Export(tracks:as folder:s) -> (exported:u present:u bytes:x refused:a(sss) stopped:(ss))",
                "signal ImportProgress(done:u total:u)",
            ])
    }
}
