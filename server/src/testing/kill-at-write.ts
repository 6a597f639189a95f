import mongoose from 'mongoose'

/**
 * Preloaded into a process (`--import`), this ends it with SIGKILL at a write that `KILL_AT` names: `after bulkWrite submissions 2` is
 * the moment when the second such write to that collection is stored and nothing else has happened. It counts from the first write to
 * `KILL_FROM` on.
 */
const [moment, method = '', collection, nth] = (process.env.KILL_AT ?? '').split(' ')
const from = process.env.KILL_FROM
let isCounting = false
let written = 0

type Write = (this: { collectionName: string }, ...given: unknown[]) => Promise<unknown>
const writes = mongoose.mongo.Collection.prototype as unknown as Record<string, Write>

for (const name of new Set([method, 'insertOne'])) {
  const write = writes[name]
  if (!write) throw new Error(`a collection has no ${name}`)
  writes[name] = async function (...given) {
    isCounting ||= this.collectionName === from
    const isIt = isCounting && name === method && this.collectionName === collection && ++written === Number(nth)
    if (isIt && moment === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await write.apply(this, given)
    if (isIt) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
