// MediaEngines
