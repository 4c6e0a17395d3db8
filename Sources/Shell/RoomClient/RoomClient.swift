// RoomClient
