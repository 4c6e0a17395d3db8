// WebM
