import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { ErasureTask } from './erasure-task.ts'

/**
 * Members before the ledger's rows, and both before the releases: a row that lost its release would clear the score in the LMS's
 * gradebook, which is the school's.
 */
export async function eraseLmsRecords({ erasure }: ErasureTask): Promise<void> {
  const theirs = { user_id: { $in: erasure.account_ids } }
  await LtiMemberModel.deleteMany(theirs)
  await LtiScoreModel.deleteMany(theirs)
  await LtiIdentityModel.deleteMany(theirs)
  await LtiLaunchModel.deleteMany(theirs)
  await LtiLaunchModel.updateMany({ for_user_id: { $in: erasure.account_ids } }, { $set: { for_user_id: null } })
}
