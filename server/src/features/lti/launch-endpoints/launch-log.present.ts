import type { LaunchLogEntry } from '@assay/shared/lti/lti-platforms.ts'
import type { LtiLaunchLogDoc } from '../../../records/lti/launch-log.model.ts'
import { explainRefusal } from '../refusals.ts'

export function presentLaunchLogEntry(entry: LtiLaunchLogDoc): LaunchLogEntry {
  const { _id, at, clock_offset, scopes, platform_id, ...rest } = entry
  const refusal = explainRefusal(entry.code)
  return {
    ...rest,
    id: String(_id),
    at: at.toISOString(),
    message: refusal?.message ?? null,
    fix: refusal?.fix ?? null,
  }
}
