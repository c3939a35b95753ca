error: `odd` calls itself, and OpenCL C has no recursion
