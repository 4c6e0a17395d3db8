// MediaEnginesTests
