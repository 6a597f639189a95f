import { customPath } from '../contexts/custom-parameters.ts'
import type { LaunchFacts } from '../launch-claims.ts'

/** Pages that a launch may request, by role. The page itself checks access. */
const allowedPages = {
  student: [
    /^\/student\/(dashboard|courses|grades)$/,
    /^\/student\/assignments\/\d{1,15}$/,
    /^\/student\/courses\/\d{1,15}(\/grades)?$/,
  ],
  instructor: [
    /^\/(dashboard|courses)$/,
    /^\/courses\/\d{1,15}(\/(analytics|edit|roster))?$/,
    /^\/assignments\/\d{1,15}\/(settings|submissions(\/match|\/\d{1,15})?)$/,
  ],
}

/**
 * The page a launch requests by a custom parameter or its target link URI: a path on our own origin, among those above; else null. The client's `safeRedirectPath` is the same rule for sign-in.
 */
export function targetPath(
  { custom, targetLinkUri }: Pick<LaunchFacts, 'custom' | 'targetLinkUri'>,
  role: 'instructor' | 'student',
  publicUrl: string,
): string | null {
  for (const target of [customPath(custom), targetLinkUri]) {
    const page = target && allowedPath(target, role, publicUrl)
    if (page) return page
  }
  return null
}

function allowedPath(target: string, role: 'instructor' | 'student', publicUrl: string): string | null {
  const base = URL.parse(publicUrl)
  // Parsed as a browser does: `/a/../b` and `\` are normalised, so the path checked is the path opened.
  const url = base && URL.parse(target, base.href)
  if (!base || !url || url.origin !== base.origin || url.username !== '' || url.password !== '') return null
  return allowedPages[role].some((page) => page.test(url.pathname)) ? url.pathname : null
}
