/** `/l/{launch}/…`: the pages of one launch from an LMS. */
const launchPathPattern = /^\/l\/([A-Za-z0-9_-]{10,64})(?=\/|$)/

function launchIdFromPath(pathname: string): string | null {
  return launchPathPattern.exec(pathname)?.[1] ?? null
}

/** The launch this document belongs to, for as long as it lives; null for Assay on its own. */
export const launchId = launchIdFromPath(location.pathname)

export const launchBasePath = launchId === null ? '/' : `/l/${launchId}`
