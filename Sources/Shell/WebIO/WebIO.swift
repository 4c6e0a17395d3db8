// WebIO
