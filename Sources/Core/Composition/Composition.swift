// Composition
