import type { DoorEntry, Platform } from '@assay/shared/lti-platforms.ts'
import type { SelfTestCheck } from '@assay/shared/lti-self-test.ts'
import type { Status } from '../../../components/StatusMark.tsx'

interface Mark {
  status: Status
  word: string
}

export const platformMarks: Record<Platform['status'], Mark> = {
  active: { status: 'graded', word: 'Active' },
  pending: { status: 'upcoming', word: 'Waits for approval' },
  off: { status: 'closed', word: 'Switched off' },
}

export const checkMarks: Record<SelfTestCheck['state'], Mark> = {
  ok: { status: 'graded', word: 'Fine' },
  warn: { status: 'flagged', word: 'Look here' },
  wrong: { status: 'failed', word: 'Wrong' },
}

const ways: Record<NonNullable<DoorEntry['via']>, string> = {
  cookie: 'known by a cookie',
  storage: 'known by the LMS’s storage',
  window: 'in a new window',
}

const steps: Record<DoorEntry['step'], string> = {
  login: 'Login',
  launch: 'Launch',
  registration: 'Registration',
}

/** One line of the door's log in words: “Launch as instructor, known by a cookie”. */
export function doorWords({ step, outcome, role, via, said, code }: DoorEntry): string {
  if (outcome === 'refused') return `${steps[step]} refused: ${said ?? code ?? 'no reason is known'}`
  if (step !== 'launch') return steps[step]
  return [`Launch${role ? ` as ${role}` : ''}`, via && ways[via]].filter(Boolean).join(', ')
}

/** True while somebody has to look at it: to let it in, or to take over what it registered anew. */
export const waits = ({ status, proposed }: Pick<Platform, 'status' | 'proposed'>) =>
  status === 'pending' || proposed !== null
