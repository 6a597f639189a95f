import type { SelfTestCheck, SelfTestName } from '@assay/shared/lti/lti-self-test.ts'
import type { LtiLaunchLogDoc } from '../../../../records/lti/launch-log.model.ts'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'

export type CheckResult = Omit<SelfTestCheck, 'name'>
type Part = SelfTestCheck['parts'][number]

export interface CheckSubject {
  platform: LtiPlatformDoc
  /** Newest first: launches, and refused logins. */
  log: LtiLaunchLogDoc[]
  services: Pick<Services, 'config' | 'clock'>
  signal: AbortSignal
}

export type SelfTestChecker = (subject: CheckSubject) => Promise<CheckResult>
export type SelfTestCheckers = Partial<Record<SelfTestName, SelfTestChecker>>

export const passed = (message: string, parts: Part[] = []): CheckResult => ({ state: 'ok', message, fix: null, parts })
export const warning = (message: string, fix: string | null, parts: Part[] = []): CheckResult => ({
  state: 'warn',
  message,
  fix,
  parts,
})
export const failed = (message: string, fix: string, parts: Part[] = []): CheckResult => ({
  state: 'wrong',
  message,
  fix,
  parts,
})

export const pluralize = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
