import mongoose from 'mongoose'
import { escapeRegExp } from '../escape-reg-exp.ts'
import { hasCode } from '../has-code.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { defineModel, defineSchema } from './define-model.ts'
import { assertWhole } from './unfinished-copy.ts'

const counterSchema = defineSchema<{ _id: string; value: number }>({
  _id: String,
  value: { type: Number, required: true },
})
const Counter = defineModel('Counter', counterSchema, 'counters')

/** The first of `count` new ids. */
export async function nextIds(collection: string, count: number): Promise<number> {
  const counter = await Counter.findOneAndUpdate(
    { _id: collection },
    { $inc: { value: count } },
    { upsert: true },
  ).lean()
  if (!counter) throw new Error(`no counter for ${collection}`)
  return counter.value - count + 1
}

export async function raiseIds(collection: string, least: number): Promise<void> {
  await Counter.updateOne({ _id: collection }, { $max: { value: least } }, { upsert: true })
}

export const nextId = (collection: string): Promise<number> => nextIds(collection, 1)

export function connectedDatabase(): mongoose.mongo.Db {
  const { db } = mongoose.connection
  if (!db) throw new Error('the database is not connected')
  return db
}

export async function databaseNow(): Promise<Date> {
  const { localTime } = await connectedDatabase().admin().command({ hello: 1 })
  return localTime
}

/** For complete documents: `create` makes a Mongoose document first, which costs as much as the rest. */
export async function insertLean<T>(
  model: { insertMany(docs: T[], options: { lean: true }): Promise<unknown> },
  doc: T,
): Promise<void> {
  await model.insertMany([doc], { lean: true })
}

/**
 * Waits for indexes, so that no duplicate is stored before. @param migrate runs before models create their collections
 */
export async function openDatabase(
  url: string,
  migrate: (db: mongoose.mongo.Db) => Promise<void>,
  metrics: DatabaseMetrics | null = null,
): Promise<void> {
  mongoose.set('strictQuery', true)
  await mongoose.connect(url, {
    autoCreate: false,
    autoIndex: false,
    serverSelectionTimeoutMS: 10_000,
    maxPoolSize: 20,
    monitorCommands: metrics !== null,
  })
  if (metrics) measureCommands(metrics)
  await assertWhole(connectedDatabase())
  await migrate(connectedDatabase())
  await Promise.all(Object.values(mongoose.models).map(createIndexesOf))
}

type DatabaseMetrics = Pick<Metrics, 'databaseSeconds'>

function measureCommands({ databaseSeconds }: DatabaseMetrics): void {
  const client = mongoose.connection.getClient()
  client.on('commandSucceeded', ({ commandName: command, duration }) => {
    databaseSeconds.observe({ command, outcome: 'done' }, duration / 1000)
  })
  client.on('commandFailed', ({ commandName: command, duration }) => {
    databaseSeconds.observe({ command, outcome: 'failed' }, duration / 1000)
  })
}

/** One command for all indexes, which also creates the collection. */
async function createIndexesOf(model: mongoose.Model<unknown>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }))
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[])
  else await model.createCollection()
}

export async function closeDatabase(): Promise<void> {
  await mongoose.disconnect()
}

/** Not awaited, as a socket the ended thread had not read never answers the driver's goodbye. */
export function forceCloseDatabase(): void {
  mongoose.connection.close(true).catch(() => {}) // Nothing is left that could fail.
}

export function isDatabaseConnected(): boolean {
  return mongoose.connection.readyState === mongoose.ConnectionStates.connected
}

export function isDuplicateKeyError(error: unknown): error is Error & { keyPattern?: Record<string, unknown> } {
  return error instanceof Error && 'code' in error && error.code === 11000
}

export function ignoreDuplicateKey(error: unknown): void {
  if (!isDuplicateKeyError(error)) throw error
}

/** Null where a unique index refuses what is written. */
export async function unlessDuplicate<T>(writing: Promise<T>): Promise<T | null> {
  return writing.catch((error: unknown) => {
    ignoreDuplicateKey(error)
    return null
  })
}

/** MongoDB's OutOfDiskSpace, used by the embedded store too. */
export const isOutOfSpaceError = (error: unknown): boolean => hasCode(error, 14031)

export const literalRegExp = (text: string) => new RegExp(escapeRegExp(text), 'i')

/** For a bulk write where what is stored already is newer. */
export function ignoreDuplicatesOnly(error: unknown): void {
  const isBulk = error instanceof mongoose.mongo.MongoBulkWriteError
  if (!isBulk || [error.writeErrors].flat().some(({ code }) => code !== 11000)) throw error
}
