// WebMReading
