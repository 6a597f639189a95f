import { customPath } from '../contexts/custom-parameters.ts'
import type { LaunchFacts } from '../launch-claims.ts'

/** Pages that a launch may ask for, by role. The page itself asks whether whoever opens it may. */
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
 * The page of ours that a launch asks for, by a custom parameter or its target, or null where it asks for none: a path on our own
 * origin and among those above. The client's `safeRedirectPath` is the same rule for sign-in.
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
  const own = URL.parse(publicUrl)
  // Read as a browser would: it folds `/a/../b` and `\`, so that what is looked at is what is opened.
  const url = own && URL.parse(target, own.href)
  if (!own || !url || url.origin !== own.origin || url.username !== '' || url.password !== '') return null
  return allowedPages[role].some((page) => page.test(url.pathname)) ? url.pathname : null
}
