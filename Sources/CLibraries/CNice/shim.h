#pragma once
#include <agent.h>
