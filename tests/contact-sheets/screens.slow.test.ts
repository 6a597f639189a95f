import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type ScreenVariant, variantsOf } from './screen-variants.ts'
import { screens } from './screens.ts'
import type { LaunchedSession, TestData } from './test-data.ts'

const session: LaunchedSession = {
  access_token: '',
  token_type: 'bearer',
  launch: {
    id: 'x',
    platform: { name: '', lms: 'canvas' },
    role: 'instructor',
    purpose: 'open',
    path: '/',
    course_id: null,
    assignment_id: null,
    context_title: null,
    link_title: null,
    parent_origin: null,
    return_url: null,
    lms_administrator: null,
    can_join_account: false,
  },
  user: {
    id: 1,
    username: '',
    full_name: '',
    email: '',
    role: 'instructor',
    created_at: '',
    updated_at: '',
    institution: null,
    email_verified: true,
    from_lms: true,
  },
  csrf_token: '',
}

const world: TestData = {
  tokens: { instructor: '', student: '', admin: '', 'new instructor': '', beginner: '', 'new student': '' },
  courseId: 1,
  emptyCourseId: 1,
  assignmentId: 1,
  draftId: 1,
  emptyAssignmentId: 1,
  checkingId: 1,
  checkedId: 1,
  submissionId: 1,
  ungradedSubmissionId: 1,
  classScanId: 1,
  studentAssignmentId: 1,
  releasedId: 1,
  requestedSubmissionId: 1,
  answeredSubmissionId: 1,
  links: { reset: 'x', confirm: 'x', invitation: 'x' },
  launches: { 'setting up': session, waiting: session, 'no role': session, choosing: session },
  platformId: 1,
  waitingPlatformId: 1,
}

/** Redirects and paths that are not screens. */
const aliases = ['/login', '/register', '*']

it('shows every path of the router', async () => {
  const routers = await Promise.all(
    ['router.tsx', 'features/lti/launched-routes.tsx'].map((file) =>
      readFile(new URL(`../../client/src/${file}`, import.meta.url), 'utf8'),
    ),
  )
  const addresses = [...routers.join('').matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path)
  const patterns = addresses.filter((path) => !aliases.includes(path))
  const shown = screens.map((screen) => screen.path(world).split('?')[0] ?? '')
  const missing = patterns.filter((pattern) => {
    const expression = new RegExp(`^${pattern.replace(':questionId', 'q\\d+').replace(/:\w+/g, '\\d+')}$`)
    return !shown.some((path) => expression.test(path))
  })
  expect(patterns.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

it('shows each full screen in both widths for each permitted role, and covers every pair of variants', () => {
  const looks = variantsOf(screens)
  for (const screen of screens) {
    for (const role of screen.roles) {
      const widths = looks.filter(
        (look) => look.screen === screen && look.role === role && look.state === 'full' && !look.dark,
      )
      expect(new Set(widths.map(({ width }) => width)).size).toBe(2)
    }
  }
  const keys = ['state', 'width', 'dark', 'highContrast', 'embedded'] as const
  const values = (key: (typeof keys)[number], of: ScreenVariant[]) => [...new Set(of.map((look) => look[key]))]
  for (const a of keys) {
    for (const b of keys.slice(keys.indexOf(a) + 1)) {
      for (const x of values(a, looks)) {
        for (const y of values(b, looks)) {
          expect([a, x, b, y, looks.some((look) => look[a] === x && look[b] === y)]).toEqual([a, x, b, y, true])
        }
      }
    }
  }
})
