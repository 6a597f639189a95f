import { LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import { explainRefusal } from '../refusals.ts'

/** Of registered LMSs only: anybody can make launches from unknown ones. */
export async function summarizeLaunches(since: Date) {
  const groups: { _id: string | null; count: number }[] = await LtiLaunchLogModel.aggregate([
    {
      $match: {
        at: { $gte: since },
        platform_id: { $ne: null },
        // An accepted launch also had an accepted login.
        $or: [{ step: 'launch' }, { step: 'login', outcome: 'refused' }],
      },
    },
    { $group: { _id: '$code', count: { $sum: 1 } } },
  ])
  const refusals = groups.filter(({ _id }) => _id !== null).sort((a, b) => b.count - a.count)
  const sum = (some: typeof groups) => some.reduce((total, { count }) => total + count, 0)
  return {
    total: sum(groups),
    refused: sum(refusals),
    reason: explainRefusal(refusals[0]?._id ?? null)?.message ?? null,
  }
}

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
