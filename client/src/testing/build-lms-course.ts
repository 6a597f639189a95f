import type { RosterReport } from '@assay/shared/lti/lti.ts'
import type { LmsCourse } from '@assay/shared/lti/lti-roster.ts'

export function buildRosterReport(part: Partial<RosterReport> = {}): RosterReport {
  return {
    state: 'done',
    started_at: '2026-03-04T08:59:00.000Z',
    finished_at: '2026-03-04T09:00:00.000Z',
    listed: 31,
    created: 0,
    changed: 0,
    returned: 0,
    suspended: 0,
    unchanged: 31,
    unreadable: 0,
    missing: 0,
    problem: null,
    notes: [],
    ...part,
  }
}

export function buildLmsCourse(part: Partial<LmsCourse> = {}): LmsCourse {
  const platform = { name: 'Canvas', lms: 'canvas' as const }
  const names = { title: 'Biology 101', label: 'BIO-101' }
  return { id: 4, platform, ...names, blocker: null, report: null, members: 31, suspended: 0, ...part }
}
