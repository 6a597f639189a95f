import type { Role } from '@assay/shared/users.ts'

export function homePathOf(role: Role): string {
  if (role === 'student') return '/student/dashboard'
  return role === 'admin' ? '/admin/dashboard' : '/dashboard'
}

/** Null for other sites: a sign-in page that redirects there helps phishers. */
export function safeRedirectPath(target: string | null): string | null {
  if (!target?.startsWith('/') || target.startsWith('//')) return null
  // Browsers drop control characters and read `\` as `/`, so `/\evil.org` and `/<tab>/evil.org` lead away.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being refused
  if (/[\\\u0000-\u001f\u007f]/.test(target)) return null
  const url = new URL(target, 'https://assay.invalid')
  if (url.origin !== 'https://assay.invalid') return null
  // Back to the sign-in page would be a loop.
  if (['/auth/login', '/login', '/auth/register', '/register'].includes(url.pathname)) return null
  // Checked again after parsing: `/./` and `/a/../` are folded, and `/.//evil.org` comes out as `//evil.org`.
  if (/^\/[/\\]/.test(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

export function withRedirect(search: URLSearchParams, more: Record<string, string> = {}): URLSearchParams {
  const query = new URLSearchParams(more)
  const target = safeRedirectPath(search.get('redirect')) ?? safeRedirectPath(search.get('returnTo'))
  if (target) query.set('redirect', target)
  return query
}

export function redirectDestination(search: URLSearchParams, role: Role): string {
  return safeRedirectPath(search.get('redirect')) ?? safeRedirectPath(search.get('returnTo')) ?? homePathOf(role)
}
