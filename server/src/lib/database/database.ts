import mongoose from 'mongoose'
import type { Metrics } from '../metrics/metrics.ts'
import { assertWhole } from './unfinished-copy.ts'

/** Ids are whole numbers, counted up per collection. */
const counterSchema = new mongoose.Schema<{ _id: string; value: number }>(
  {
    _id: String,
    value: { type: Number, required: true },
  },
  { versionKey: false },
)
const Counter = mongoose.model('Counter', counterSchema, 'counters')

/** The first of `count` fresh ids for a collection. */
export async function nextIds(collection: string, count: number): Promise<number> {
  const counter = await Counter.findOneAndUpdate(
    { _id: collection },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after' },
  ).lean()
  if (!counter) throw new Error(`no counter for ${collection}`)
  return counter.value - count + 1
}

/** Fresh ids are above `least` from now on. */
export async function raiseIds(collection: string, least: number): Promise<void> {
  await Counter.updateOne({ _id: collection }, { $max: { value: least } }, { upsert: true })
}

export function nextId(collection: string): Promise<number> {
  return nextIds(collection, 1)
}

/** @throws {Error} before it is opened */
export function connectedDatabase(): mongoose.mongo.Db {
  const { db } = mongoose.connection
  if (!db) throw new Error('the database is not connected')
  return db
}

/** The time by the database's clock, which stamps `$currentDate`. */
export async function databaseNow(): Promise<Date> {
  const { localTime } = await connectedDatabase().admin().command({ hello: 1 })
  return localTime
}

/**
 * Stores a document that has every field and type it is to have. Mongoose's `create` makes a document object of it first, which costs as
 * much as the rest of the call.
 */
export async function insertLean<T>(
  model: { insertMany(docs: T[], options: { lean: true }): Promise<unknown> },
  doc: T,
): Promise<void> {
  await model.insertMany([doc], { lean: true })
}

/**
 * Connects every model to the database and waits for its indexes, so that no duplicate is stored before they exist.
 * @param migrate changes what an earlier version stored, before the models create their collections
 * @param metrics where each command is counted, which costs a little; null where nobody reads them
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

/** In one command, where Mongoose sends one for each index. It creates the collection too. */
async function createIndexesOf(model: mongoose.Model<unknown>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }))
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[])
  else await model.createCollection()
}

export async function closeDatabase(): Promise<void> {
  await mongoose.disconnect()
}

/**
 * For a database that is gone for good: every query is refused at once, instead of waiting for it to come back. Its end is not
 * waited for: a socket that the ended thread had taken and not yet read stays open, and the driver's farewell on it unanswered.
 */
export function forceCloseDatabase(): void {
  mongoose.connection.close(true).catch(() => {}) // Nothing is left that could fail.
}

export function isDatabaseConnected(): boolean {
  return mongoose.connection.readyState === mongoose.ConnectionStates.connected
}

/** True when a write met a unique index. */
export function isDuplicateKeyError(error: unknown): error is Error & { keyPattern?: Record<string, unknown> } {
  return error instanceof Error && 'code' in error && error.code === 11000
}

/** True when the database has no room left to write: MongoDB's OutOfDiskSpace, ours in the embedded store too. */
export function isOutOfSpaceError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 14031
}

/** A case-insensitive pattern that matches exactly this text. */
export const literalRegExp = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
