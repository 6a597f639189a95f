import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { expect, it } from 'vitest'
import { buildLmsCourse, buildRosterReport } from '../../../testing/build-lms-course.ts'
import { expectedMemberCount, lmsCourseName, rosterReportMessage } from './roster-report-messages.ts'

const now = Date.parse('2026-03-04T12:00:00Z')
const course = (report: Partial<RosterReport> | null, members = 30) =>
  buildLmsCourse({ title: null, report: report && buildRosterReport(report), members })

it.each([
  [
    { created: 3, changed: 1, returned: 2, suspended: 1 },
    'Synced 3 hours ago: 3 new, 1 changed, 2 back again, 1 suspended',
  ],
  [{ unreadable: 1 }, 'Synced 3 hours ago: 1 unreadable entry'],
  [{ state: 'failed' as const }, 'Sync failed 3 hours ago'],
  [{ state: 'running' as const, listed: 20, created: 29 }, '20 people read so far'],
  [null, 'Not synced yet'],
])('says of %j: %s', (report, words) => {
  expect(rosterReportMessage(course(report), now)).toBe(words)
})

it('expects as many as there were before', () => {
  expect(expectedMemberCount(course({ state: 'running', listed: 10, created: 5 }, 25))).toBe(20)
  expect(expectedMemberCount(course({ state: 'running', listed: 21, created: 5 }, 25))).toBeNull()
})

it('calls a course by its label where it has no title', () => {
  expect(lmsCourseName(course({}))).toBe('Canvas: BIO-101')
})
