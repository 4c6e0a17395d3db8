// usrsctp, and the two headers that it expects its user to have included.
#pragma once
#include <sys/types.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <usrsctp.h>
