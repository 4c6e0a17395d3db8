// RoomProtocolTests
