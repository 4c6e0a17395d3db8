// WebIOTests
