import * as admin from './admin.ts'
import * as analytics from './analytics.ts'
import * as assignments from './assignments.ts'
import * as auth from './auth.ts'
import * as courses from './courses.ts'
import type { Endpoint } from './endpoint.ts'
import * as grades from './grades.ts'
import * as matches from './matches.ts'
import * as profile from './profile.ts'
import * as regrades from './regrades.ts'
import * as roster from './roster.ts'
import * as runs from './runs.ts'
import * as settings from './settings.ts'
import * as students from './students.ts'
import * as submissions from './submissions.ts'
import * as testPages from './test-pages.ts'

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  )
}

/** Every call there is, by name: what OpenAPI and the access test go through. */
export const contract: { tag: string; name: string; endpoint: Endpoint }[] = Object.entries({
  auth,
  profile,
  courses,
  roster,
  assignments,
  submissions,
  matches,
  runs,
  grades,
  regrades,
  analytics,
  students,
  settings,
  admin,
  'test-pages': testPages,
}).flatMap(([tag, all]) =>
  Object.entries(all).flatMap(([name, endpoint]) => (isEndpoint(endpoint) ? [{ tag, name, endpoint }] : [])),
)
