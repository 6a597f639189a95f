import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
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
