import * as React from 'react'

/**
 * React's stack traces for warnings are a quarter of the client tests' CPU. It counts them under this name; where a new
 * version renames it, tests only get slower.
 */
const counter = 'recentlyCreatedOwnerStacks'
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')

if (internals instanceof Object)
  Object.defineProperty(internals, counter, { configurable: true, get: () => Number.POSITIVE_INFINITY, set() {} })
