import type { ErasureDoc } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'

export interface ErasureTask {
  /** As it is stored now. */
  erasure: ErasureDoc
  /** The person's accounts. They have their names and addresses until the last but one step. */
  accounts: UserDoc[]
  services: Services
  signal: AbortSignal
}
