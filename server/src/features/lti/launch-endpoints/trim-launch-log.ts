import { LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'

/** For one LMS, or for unknown ones: anybody can cause a thousand an hour (`launch-attempt.ts`). */
const MAX_REFUSALS = 5000

/** Accepted launches stay for thirty days. Returns how many entries were deleted. */
export async function trimLaunchLog(most = MAX_REFUSALS): Promise<number> {
  const platforms: (number | null)[] = await LtiLaunchLogModel.distinct('platform_id')
  let deleted = 0
  // `distinct` does not list a value that is null everywhere.
  for (const platform_id of new Set([null, ...platforms])) {
    const refused = { platform_id, outcome: 'refused' as const }
    const [last] = await LtiLaunchLogModel.find(refused, { at: 1 }).sort(newestFirst).skip(most).limit(1).lean()
    if (last) deleted += (await LtiLaunchLogModel.deleteMany({ ...refused, at: { $lte: last.at } })).deletedCount
  }
  return deleted
}
