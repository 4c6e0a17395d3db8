// Recording
