// WebMTests
