import type { mongo } from 'mongoose'
import type { Row } from './on-every-server.ts'

const each = (of: unknown) => ({ $reduce: { input: '$list', initialValue: null, in: of } })

/** Takes some 100 ms for each document, and matches them all. */
export const SLOW_FILTER = { $expr: { $ne: [each(each('$$this')), null] } }

/** Large enough documents that the clock is looked at for each. With the slow filter they take most of a minute. */
export async function seedForSlowCommands(things: mongo.Collection<Row>): Promise<void> {
  const text = 'x'.repeat(16 * 1024)
  const list = Array.from({ length: 400 }, (_, n) => n)
  await things.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: n, n, text, list })))
}

/** Nested repetition: without a match there are 2^50 ways to try. */
export const ENDLESS_REGEX = /^(a+)+$/
export const ENDLESS_TEXT = `${'a'.repeat(50)}b`
