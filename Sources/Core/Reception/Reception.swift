// Reception
