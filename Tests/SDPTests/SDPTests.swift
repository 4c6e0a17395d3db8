// SDPTests
