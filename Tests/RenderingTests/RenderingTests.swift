// RenderingTests
