// RTPTests
