import type { LaunchLogEntry, Platform } from '@assay/shared/lti/lti-platforms.ts'
import type { SelfTestCheck } from '@assay/shared/lti/lti-self-test.ts'
import type { Status } from '../../../components/display/StatusBadge.tsx'
import { formatDate } from '../../../lib/format.ts'

interface StatusLabel {
  status: Status
  label: string
}

export const platformStatusLabels: Record<Platform['status'], StatusLabel> = {
  active: { status: 'graded', label: 'Active' },
  pending: { status: 'upcoming', label: 'Waiting for approval' },
  off: { status: 'closed', label: 'Deactivated' },
}

export const checkStatusLabels: Record<SelfTestCheck['state'], StatusLabel> = {
  ok: { status: 'graded', label: 'OK' },
  warn: { status: 'flagged', label: 'Needs attention' },
  wrong: { status: 'failed', label: 'Failed' },
}

const browserCheckLabels: Record<NonNullable<LaunchLogEntry['via']>, string> = {
  cookie: 'recognized by cookie',
  storage: 'recognized by LMS storage',
  window: 'in a new window',
}

const stepLabels: Record<LaunchLogEntry['step'], string> = {
  login: 'Login',
  launch: 'Launch',
  registration: 'Registration',
}

/** “Launch as instructor, recognized by cookie”. */
export function launchLogMessage({ step, outcome, role, via, message, code }: LaunchLogEntry): string {
  if (outcome === 'refused') return `${stepLabels[step]} refused: ${message ?? code ?? 'reason unknown'}`
  if (step !== 'launch') return stepLabels[step]
  return [`Launch${role ? ` as ${role}` : ''}`, via && browserCheckLabels[via]].filter(Boolean).join(', ')
}

export const needsApproval = ({ status, proposed }: Pick<Platform, 'status' | 'proposed'>) =>
  status === 'pending' || proposed !== null

export const registrationSummary = ({ registered_by, created_at }: Platform) =>
  `${registered_by === 'link' ? 'registered with a link' : 'registered manually'} on ${formatDate(created_at)}`
