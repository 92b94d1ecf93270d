@main
enum Nyand {
    static func main() {}
}
