// RecordingFormatTests
