// RoomClientTests
