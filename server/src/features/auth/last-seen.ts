import { type SessionDoc, SessionModel } from '../../records/people/session.model.ts'
import { UserModel } from '../../records/people/user.model.ts'

/** Not every call is worth a write. */
const MIN_UPDATE_INTERVAL_MS = 60_000

/** Keeps when someone was last here, to the minute. The call that told goes on meanwhile. */
export function updateLastSeen(session: SessionDoc, now: Date): void {
  if (session.seen_at && now.getTime() - session.seen_at.getTime() < MIN_UPDATE_INTERVAL_MS) return
  Promise.all([
    SessionModel.updateOne({ _id: session._id }, { $set: { seen_at: now } }),
    UserModel.updateOne({ _id: session.user_id }, { $max: { last_seen_at: now } }),
  ]).catch(() => {
    // The next call tries again; nobody is kept from their work over it.
  })
}
