// RecordingFormat
