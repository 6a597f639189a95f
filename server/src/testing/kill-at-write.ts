import { existsSync, readFileSync } from 'node:fs'
import mongoose from 'mongoose'

/**
 * Preloaded (`--import`), ends the process with SIGKILL at a write that the file `KILL_ORDERS` names: `after bulkWrite
 * submissions 2` is when the second such write to that collection is stored, counted from the first write to the
 * collection on the file's second line.
 */
const ordersFile = process.env.KILL_ORDERS ?? ''

interface Orders {
  moment: string | undefined
  method: string | undefined
  collection: string | undefined
  nth: number
  from: string | undefined
}
let orders: Orders | undefined

/** Looked for at each write, so that orders can come while it runs. */
function readOrders(): Orders | undefined {
  if (orders || !existsSync(ordersFile)) return orders
  const [at = '', from] = readFileSync(ordersFile, 'utf8').split('\n')
  const [moment, method, collection, nth] = at.split(' ')
  orders = { moment, method, collection, nth: Number(nth), from }
  return orders
}

let isCounting = false
let written = 0

type Write = (this: { collectionName: string }, ...given: unknown[]) => Promise<unknown>
const writes = mongoose.mongo.Collection.prototype as unknown as Record<string, Write>

for (const name of [
  'insertOne',
  'bulkWrite',
  'updateOne',
  'updateMany',
  'findOneAndUpdate',
  'deleteOne',
  'deleteMany',
]) {
  const write = writes[name]
  if (!write) throw new Error(`a collection has no ${name}`)
  writes[name] = async function (...given) {
    const told = readOrders()
    const counts = told && (name === told.method || name === 'insertOne')
    isCounting ||= counts === true && this.collectionName === told?.from
    const isIt =
      isCounting && name === told?.method && this.collectionName === told.collection && ++written === told.nth
    if (isIt && told.moment === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await write.apply(this, given)
    if (isIt) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
