/// How many values something holds: its fields and elements and theirs, and those of all objects that it leads to. Says what is kept
/// in memory without asking the allocator, which others use as well.
package func heldValues(in subject: Any) -> Int {
    var seen: Set<ObjectIdentifier> = []
    return count(subject, &seen)
}

private func count(_ subject: Any, _ seen: inout Set<ObjectIdentifier>) -> Int {
    let mirror = Mirror(reflecting: subject)
    if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(subject as AnyObject)).inserted { return 0 }
    return mirror.children.reduce(1) { $0 + count($1.value, &seen) }
}
