import type { RosterReport } from '@assay/shared/lti/lti.ts'
import type { LmsCourse } from '@assay/shared/lti/lti-roster.ts'
import { expect, it } from 'vitest'
import { expectedMemberCount, lmsCourseName, rosterReportMessage } from './roster-report-messages.ts'

const now = Date.parse('2026-03-04T12:00:00Z')
const ended: RosterReport = {
  state: 'done',
  started_at: '2026-03-04T08:59:00.000Z',
  finished_at: '2026-03-04T09:00:00.000Z',
  listed: 30,
  created: 0,
  changed: 0,
  returned: 0,
  suspended: 0,
  unchanged: 30,
  unreadable: 0,
  missing: 0,
  problem: null,
  notes: [],
}
const course = (report: Partial<RosterReport> | null, members = 30): LmsCourse => ({
  id: 1,
  platform: { name: 'Canvas', lms: 'canvas' },
  title: null,
  label: 'BIO-101',
  blocker: null,
  report: report && { ...ended, ...report },
  members,
  suspended: 0,
})

it.each([
  [{}, 'Synced 3 hours ago: no changes'],
  [
    { created: 3, changed: 1, returned: 2, suspended: 1 },
    'Synced 3 hours ago: 3 new, 1 changed, 2 back again, 1 suspended',
  ],
  [{ unreadable: 1 }, 'Synced 3 hours ago: 1 unreadable entry'],
  [{ state: 'failed' as const }, 'Sync failed 3 hours ago'],
  [{ state: 'stopped' as const, created: 2 }, 'Sync stopped 3 hours ago: 2 new'],
  [{ state: 'running' as const, listed: 0 }, 'Requesting the roster…'],
  [{ state: 'running' as const, listed: 20 }, '20 of about 30 people read'],
  // The first time everybody is new, and nobody knows how many are to come.
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
