import { createHmac } from 'node:crypto'
import { type SignInFailureDoc, SignInFailureModel } from '../../records/people/sign-in-failure.model.ts'

/** Failures are forgotten one by one, the last of a full limit after this time. */
export const WINDOW_MS = 15 * 60_000

/** So many failures in `WINDOW_MS`; `key` says of whom. */
export interface FailureLimit {
  key: string
  most: number
}

const intervalOf = ({ most }: FailureLimit) => WINDOW_MS / most

/** How many ms until one more attempt is allowed beside `inFlight` others; 0 or less when it is now. */
export function msUntilAllowed(limit: FailureLimit, drainedAt: number, inFlight: number, now: number): number {
  const outstanding = Math.max(0, drainedAt - now) + inFlight * intervalOf(limit)
  return outstanding + intervalOf(limit) - WINDOW_MS
}

/** Stored in the database, so that all processes count together and a restart forgets nothing. */
export function createFailureStore(secretKey: string) {
  const idOf = (key: string) => createHmac('sha256', `${secretKey}/sign-in`).update(key).digest('base64url')

  /** Two steps, each of which may come in any order beside another process's: it has drained by now, and one more. */
  function addOne(key: string, field: 'drained_at' | 'owed_until', interval: number, now: number) {
    const filter = { _id: idOf(key) }
    const expires_at = new Date(now + 2 * WINDOW_MS)
    return [
      { updateOne: { filter, update: { $max: { [field]: now, expires_at } }, upsert: true } },
      { updateOne: { filter, update: { $inc: { [field]: interval } } } },
    ]
  }

  return {
    /** When the failures of each will have drained, in ms since the epoch; 0 without any. */
    async drainedAt(limits: FailureLimit[]): Promise<Map<string, number>> {
      const rows = await SignInFailureModel.find({ _id: { $in: limits.map(({ key }) => idOf(key)) } }).lean()
      const byId = new Map(rows.map((row) => [row._id, row.drained_at]))
      return new Map(limits.map(({ key }) => [key, byId.get(idOf(key)) ?? 0]))
    },

    /** @param owes which of the limits owes its failures to which other, until it is forgiven */
    async add(limits: FailureLimit[], owes: { debtor: FailureLimit; to: FailureLimit } | null, now: number) {
      const writes = limits.flatMap((limit) => addOne(limit.key, 'drained_at', intervalOf(limit), now))
      if (owes) writes.push(...addOne(owes.debtor.key, 'owed_until', intervalOf(owes.to), now))
      await SignInFailureModel.bulkWrite(writes)
    },

    /** Takes back from `to` what is left of the failures that `debtor` owes it. */
    async forgive({ debtor, to }: { debtor: FailureLimit; to: FailureLimit }, now: number): Promise<void> {
      const owing = { _id: idOf(debtor.key), owed_until: { $gt: now } }
      const before: Pick<SignInFailureDoc, 'owed_until'> | null = await SignInFailureModel.findOneAndUpdate(
        owing,
        { $set: { owed_until: 0 } },
        { returnDocument: 'before' },
      ).lean()
      if (!before?.owed_until) return
      await SignInFailureModel.updateOne({ _id: idOf(to.key) }, { $inc: { drained_at: now - before.owed_until } })
    },
  }
}
