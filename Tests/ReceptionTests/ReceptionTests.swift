// ReceptionTests
