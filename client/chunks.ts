import type { Rolldown } from 'vite'

type Context = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...args: never[]) => unknown>>[1]

const ours = /\/(client|shared)\/src\//
const publicPage = /\/features\/(landing|auth|legal)\/\w+Page\.tsx$/
/** Whether a page anybody may open is drawn with this module of ours, directly or not, or the start is. */
function isPublic(id: string, context: Context): boolean {
  const seen = new Set([id])
  for (const one of seen) {
    if (publicPage.test(one)) return true
    for (const importer of context.getModuleInfo(one)?.importers ?? []) seen.add(importer)
  }
  return false
}

/**
 * What several pages share comes in a few files. Cut by who shares what, the list of submissions asked for seventy, and
 * its rows waited behind them. Of the library's parts it cannot be asked which page takes what from its one entry: they stay
 * apart, so that the sign-in page gets no more of them than it draws.
 */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 2, priority: 2 },
  {
    name: (id, context) => (ours.test(id) && !isPublic(id, context) ? 'signed-in' : null),
    debugName: 'signed-in',
    minShareCount: 3,
    priority: 1,
    // Nothing outside imports what is in here but pages, so there is no circle; and nothing else is drawn in.
    includeDependenciesRecursively: false,
  },
]
