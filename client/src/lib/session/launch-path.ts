const launchPathPattern = /^\/l\/([A-Za-z0-9_-]{10,64})(?=\/|$)/

function launchIdFromPath(pathname: string): string | null {
  return launchPathPattern.exec(pathname)?.[1] ?? null
}

/** The launch this document belongs to; null for Assay on its own. */
export const launchId = launchIdFromPath(location.pathname)

export const launchBasePath = launchId === null ? '/' : `/l/${launchId}`
