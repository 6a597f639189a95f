import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { queueRosterSync } from './queue-roster-sync.ts'
import { findSyncBlocker } from './sync-blocker.ts'
import { nextNightlySync } from './sync-times.ts'

/** Syncs nobody asked for that run at once: they share their places in the queue with grades for an LMS, and what somebody asks for. */
const MAX_CONCURRENT_SYNCS = 2
/** A course nobody has opened for so long rests until somebody does. */
const INACTIVE_AFTER_MS = 60 * 24 * 60 * 60 * 1000
/** How many are looked at in one go. */
const BATCH_SIZE = 100

/** Begins the syncs that are due, the longest due first, as far as there is room; the end of each makes room for the next. */
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
