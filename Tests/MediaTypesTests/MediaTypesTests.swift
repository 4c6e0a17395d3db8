// MediaTypesTests
