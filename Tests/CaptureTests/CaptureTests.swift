// CaptureTests
