import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { queueRosterSync } from './queue-roster-sync.ts'
import { findSyncBlocker } from './sync-blocker.ts'
import { nextNightlySync } from './sync-times.ts'

/** Concurrent scheduled syncs: they share queue slots with scores and requested syncs. */
const MAX_CONCURRENT_SYNCS = 2
/** A course not opened for this long is skipped until somebody opens it. */
const INACTIVE_AFTER_MS = 60 * 24 * 60 * 60 * 1000
/** How many are checked at a time. */
const BATCH_SIZE = 100

/** Starts due syncs, the longest due first, up to the limit; each that ends makes room for the next. */
export async function queueDueSyncs(services: Services): Promise<void> {
  const now = services.clock.now()
  let room = MAX_CONCURRENT_SYNCS - (await LtiContextModel.countDocuments({ 'roster.state': 'running' }))
  if (room <= 0) return
  const due = await LtiContextModel.find({
    course_id: { $ne: null },
    $or: [{ sync_due_at: null }, { sync_due_at: { $lte: now } }],
    'roster.state': { $ne: 'running' },
    launched_at: { $gt: new Date(now.getTime() - INACTIVE_AFTER_MS) },
  })
    .sort({ sync_due_at: 1, _id: 1 })
    .limit(BATCH_SIZE)
    .lean()
  const platforms = new Map(
    (await LtiPlatformModel.find({ _id: { $in: due.map(({ platform_id }) => platform_id) } }).lean()).map(
      (platform) => [platform._id, platform],
    ),
  )
  for (const context of due) {
    if (room <= 0) return
    if (!findSyncBlocker(context, platforms.get(context.platform_id) ?? null)) {
      if (await queueRosterSync(context._id, services)) room -= 1
      continue
    }
    const tomorrow = { $set: { sync_due_at: nextNightlySync(context._id, now) } }
    await LtiContextModel.updateOne({ _id: context._id, sync_due_at: context.sync_due_at ?? null }, tomorrow)
  }
}
