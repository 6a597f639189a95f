import type { DoorEntry } from '@assay/shared/lti-platforms.ts'
import { explainRefusal } from '../refusals.ts'
import type { LtiDoorLogDoc } from './door-log.model.ts'

export function presentDoorEntry(entry: LtiDoorLogDoc): DoorEntry {
  const { _id, at, clock_offset, scopes, platform_id, ...rest } = entry
  const refusal = explainRefusal(entry.code)
  return {
    ...rest,
    id: String(_id),
    at: at.toISOString(),
    said: refusal?.said ?? null,
    mend: refusal?.mend ?? null,
  }
}
