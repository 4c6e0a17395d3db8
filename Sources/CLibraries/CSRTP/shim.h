// libsrtp2. Its statuses and profiles are enumerations; nothing is hidden from Swift.
#pragma once
#include <srtp2/srtp.h>
