#pragma once
#include <stdint.h>
#include <libyuv.h>
