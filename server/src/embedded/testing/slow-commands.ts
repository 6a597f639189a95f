import type { mongo } from 'mongoose'
import type { Row } from './on-every-server.ts'

/** Matches every document of `seedForSlowCommands` after reading all of it: a second or more. */
export const SLOW_FILTER = { 'list.parts.word': { $not: { $in: Array.from({ length: 40 }, (_, n) => new Date(n)) } } }

export async function seedForSlowCommands(things: mongo.Collection<Row>, documents: number): Promise<void> {
  const list = Array.from({ length: 40 }, (_, n) => ({
    parts: Array.from({ length: 10 }, () => ({ word: `word ${n}` })),
  }))
  await things.insertMany(Array.from({ length: documents }, (_, n) => ({ _id: n, n, list })))
}
