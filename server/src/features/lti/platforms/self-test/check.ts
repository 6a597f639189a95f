import type { SelfTestCheck, SelfTestName } from '@assay/shared/lti-self-test.ts'
import type { Services } from '../../../../services.ts'
import type { LtiDoorLogDoc } from '../../door/door-log.model.ts'
import type { LtiPlatformDoc } from '../platform.model.ts'

export type Found = Omit<SelfTestCheck, 'name'>
type Part = SelfTestCheck['parts'][number]

/** What every check may look at. */
export interface Subject {
  platform: LtiPlatformDoc
  /** The door's log of this platform, newest first: launches, and logins that were refused. */
  log: LtiDoorLogDoc[]
  services: Pick<Services, 'config' | 'clock'>
  signal: AbortSignal
}

export type Check = (subject: Subject) => Promise<Found>
export type Checks = Partial<Record<SelfTestName, Check>>

export const ok = (said: string, parts: Part[] = []): Found => ({ state: 'ok', said, mend: null, parts })
export const warn = (said: string, mend: string | null, parts: Part[] = []): Found => ({
  state: 'warn',
  said,
  mend,
  parts,
})
export const wrong = (said: string, mend: string, parts: Part[] = []): Found => ({
  state: 'wrong',
  said,
  mend,
  parts,
})

/** `3 launches`, `1 launch`. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`
