@main
enum Nyanctl {
    static func main() {}
}
