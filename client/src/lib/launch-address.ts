/** `/l/{launch}/…`: the pages of one launch from an LMS. */
const launched = /^\/l\/([A-Za-z0-9_-]{10,64})(?=\/|$)/

export function launchIn(pathname: string): string | null {
  return launched.exec(pathname)?.[1] ?? null
}

/** The launch this document belongs to, for as long as it lives; null for Assay on its own. */
export const launchId = launchIn(location.pathname)

/** What stands before each of its addresses. */
export const launchBase = launchId === null ? '/' : `/l/${launchId}`
