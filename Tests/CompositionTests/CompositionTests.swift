// CompositionTests
