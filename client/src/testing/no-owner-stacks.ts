import * as React from 'react'

/**
 * While developing, React takes a stack trace for every element it makes, 10,000 a second, to name in a warning the line
 * that made it. Nothing here reads them, and they are a quarter of the CPU that the client's tests take. Under this
 * name React counts them; where a new version counts elsewhere, tests only get slower.
 */
const counter = 'recentlyCreatedOwnerStacks'
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')

if (internals instanceof Object)
  Object.defineProperty(internals, counter, { configurable: true, get: () => Number.POSITIVE_INFINITY, set() {} })
