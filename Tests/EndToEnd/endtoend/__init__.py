"""What the end-to-end tests are told in: a room, the people in it, the call that callbot records, and the recording it leaves."""
