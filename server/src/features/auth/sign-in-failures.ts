import { createHmac } from 'node:crypto'
import { type SignInFailureDoc, SignInFailureModel } from '../../records/people/sign-in-failure.model.ts'

/** How long a full bucket takes to leak empty. */
export const WINDOW_MS = 15 * 60_000

/** A leaky bucket: holds so many failures, and leaks them steadily in `WINDOW_MS`; `key` says of whom. */
export interface FailureLimit {
  key: string
  capacity: number
}

/** The failures of `part`, which are counted in the bucket `of` too. */
interface Refundable {
  part: FailureLimit
  of: FailureLimit
}

/** Its leak rate, as the time that one failure takes to leak. */
const leakMs = ({ capacity }: FailureLimit) => WINDOW_MS / capacity

/** How many ms until one more attempt is allowed beside `inFlight` others; 0 or less when it is now. */
export function msUntilAllowed(limit: FailureLimit, emptyAt: number, inFlight: number, now: number): number {
  const levelMs = Math.max(0, emptyAt - now) + inFlight * leakMs(limit)
  return levelMs + leakMs(limit) - WINDOW_MS
}

/** Stored in the database, so that all processes count together and a restart forgets nothing. */
export function createFailureStore(secretKey: string) {
  const idOf = (key: string) => createHmac('sha256', `${secretKey}/sign-in`).update(key).digest('base64url')

  /** Two steps, each of which may come in any order beside another process's: what has leaked by now, and one more. */
  function addOne(key: string, field: 'empty_at' | 'refundable_until', leak: number, now: number) {
    const filter = { _id: idOf(key) }
    const expires_at = new Date(now + 2 * WINDOW_MS)
    return [
      { updateOne: { filter, update: { $max: { [field]: now, expires_at } }, upsert: true } },
      { updateOne: { filter, update: { $inc: { [field]: leak } } } },
    ]
  }

  return {
    /** When the bucket of each will be empty, in ms since the epoch; 0 without any failure. */
    async emptyAt(limits: FailureLimit[]): Promise<Map<string, number>> {
      const rows = await SignInFailureModel.find({ _id: { $in: limits.map(({ key }) => idOf(key)) } }).lean()
      const byId = new Map(rows.map((row) => [row._id, row.empty_at]))
      return new Map(limits.map(({ key }) => [key, byId.get(idOf(key)) ?? 0]))
    },

    /** @param refundable the part of a bucket that `refund` takes back */
    async add(limits: FailureLimit[], refundable: Refundable | null, now: number) {
      const writes = limits.flatMap((limit) => addOne(limit.key, 'empty_at', leakMs(limit), now))
      if (refundable) writes.push(...addOne(refundable.part.key, 'refundable_until', leakMs(refundable.of), now))
      await SignInFailureModel.bulkWrite(writes)
    },

    /** Lowers the level of `of` by what has not leaked yet of `part`. */
    async refund({ part, of }: Refundable, now: number): Promise<void> {
      const filter = { _id: idOf(part.key), refundable_until: { $gt: now } }
      const before: Pick<SignInFailureDoc, 'refundable_until'> | null = await SignInFailureModel.findOneAndUpdate(
        filter,
        { $set: { refundable_until: 0 } },
        { returnDocument: 'before' },
      ).lean()
      if (!before?.refundable_until) return
      await SignInFailureModel.updateOne({ _id: idOf(of.key) }, { $inc: { empty_at: now - before.refundable_until } })
    },
  }
}
