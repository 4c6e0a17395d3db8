// CallbotTesting
