import { describe, expect, it } from 'vitest'
import { redirectDestination, safeRedirectPath } from './redirect-paths.ts'

describe('where sign-in leads', () => {
  it.each(['/courses/7', '/assignments/3/submissions?x=1#row', '/'])('takes our own path %s', (path) => {
    expect(safeRedirectPath(path)).toBe(path)
  })

  it.each([
    null,
    '',
    'courses',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/a/b/../..//evil.example',
    '/./\\evil.example',
    'javascript:alert(1)',
    '/auth/login?redirect=/auth/login',
    '/register',
  ])('refuses %j', (target) => {
    expect(safeRedirectPath(target)).toBeNull()
  })

  it('prefers redirect to returnTo, and a path of ours to one that is not', () => {
    expect(redirectDestination(new URLSearchParams('redirect=/courses&returnTo=/dashboard'), 'instructor')).toBe(
      '/courses',
    )
    expect(redirectDestination(new URLSearchParams('redirect=//evil.example&returnTo=/courses/7'), 'instructor')).toBe(
      '/courses/7',
    )
  })

  it('falls back to where the role starts', () => {
    expect(redirectDestination(new URLSearchParams(), 'student')).toBe('/student/dashboard')
    expect(redirectDestination(new URLSearchParams('returnTo=https://evil.example'), 'instructor')).toBe('/dashboard')
  })
})
