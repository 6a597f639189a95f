import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
import { explainRefusal } from '../refusals.ts'

export interface LaunchStatistics {
  total: number
  refused: number
  /** Why most of them were, as a message; null where none was. */
  reason: string | null
}

/** Launches from registered LMSs since a moment. Those of unknown ones are not counted: anybody can make them. */
export async function summarizeLaunches(since: Date): Promise<LaunchStatistics> {
  const groups: { _id: string | null; count: number }[] = await LtiLaunchLogModel.aggregate([
    {
      $match: {
        at: { $gte: since },
        platform_id: { $ne: null },
        // A launch that is accepted had a login that was.
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
