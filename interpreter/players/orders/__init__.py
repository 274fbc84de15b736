"""Orders: a wish in words, the answers that fulfil it, and their execution one by one."""
