import type { ModelSums } from '@assay/shared/model.ts'
import type { QueryFilter } from 'mongoose'
import { type ModelCallDoc, ModelCallModel } from './model-call.model.ts'
import { type ModelSumsDoc, ModelSumsModel } from './model-sums.model.ts'

type Counted = Pick<
  ModelSumsDoc,
  'calls' | 'failures' | 'input_tokens' | 'output_tokens' | 'dollars' | 'unpriced'
> & { estimated: number }
type Key = Pick<ModelSumsDoc, 'month' | 'payer' | 'course_id' | 'assignment_id' | 'run_id' | 'purpose'>

const keyOf = ({ month, payer, course_id, assignment_id, run_id, purpose }: Key): Key => ({
  month,
  payer,
  course_id,
  assignment_id,
  run_id,
  purpose,
})
const idOf = (key: Key) => Object.values(keyOf(key)).join('/')

const nothing: Counted = {
  calls: 0,
  failures: 0,
  input_tokens: 0,
  output_tokens: 0,
  dollars: 0,
  unpriced: 0,
  estimated: 0,
}
const fields = Object.keys(nothing) as (keyof Counted)[]

/** What one call adds. One that was stopped before there was anything to pay adds nothing. */
function countOf(call: ModelCallDoc): Counted {
  const { outcome, trouble, paid, estimated = false, input_tokens, output_tokens, dollars } = call
  const tokens = input_tokens + output_tokens
  return {
    calls: paid || estimated || trouble !== null ? 1 : 0,
    failures: outcome === 'failed' && (estimated || trouble !== null) ? 1 : 0,
    input_tokens,
    output_tokens,
    dollars: dollars ?? 0,
    unpriced: dollars === null && tokens > 0 ? 1 : 0,
    estimated: estimated ? 1 : 0,
  }
}

/** Sums from before something was counted have none of it. */
type Kept = Omit<Counted, 'estimated'> & { estimated?: number }

const add = (a: Kept, b: Kept): Counted => {
  const sum = { ...nothing }
  for (const field of fields) sum[field] = (a[field] ?? 0) + (b[field] ?? 0)
  return sum
}

/** Takes an ended call into the sums. */
export async function sumUp(call: ModelCallDoc): Promise<void> {
  await ModelSumsModel.updateOne(
    { _id: idOf(call) },
    { $inc: countOf(call), $setOnInsert: keyOf(call) },
    { upsert: true },
  )
  await ModelCallModel.updateOne({ _id: call._id }, { $set: { summed: true } })
}

/**
 * For calls that a process died over before, or while, it summed them up: nobody knows which, so their sums are made anew from all
 * calls they are of.
 */
export async function sumUpAnew(calls: ModelCallDoc[]): Promise<void> {
  const keys = new Map(calls.map((call) => [idOf(call), keyOf(call)]))
  for (const [_id, key] of keys) {
    let sum = nothing
    const all = ModelCallModel.find({ ...key, outcome: { $ne: 'asking' } }).lean()
    for await (const call of all) sum = add(sum, countOf(call))
    await ModelSumsModel.updateOne({ _id }, { $set: { ...sum, ...key } }, { upsert: true })
  }
  await ModelCallModel.updateMany({ _id: { $in: calls.map(({ _id }) => _id) } }, { $set: { summed: true } })
}

/** `dollars` is null where there was something to pay, and nobody had said for any of it what a token costs. */
function told(sum: Counted): ModelSums {
  return { ...sum, dollars: sum.unpriced > 0 && sum.dollars === 0 ? null : sum.dollars }
}

export const totalOf = (sums: Kept[]): ModelSums => told(sums.reduce<Counted>(add, nothing))

/** Sums by something of theirs, in the order in which it first comes. */
export function totalsBy<K extends string | number | null>(
  sums: ModelSumsDoc[],
  by: (sum: ModelSumsDoc) => K,
): (ModelSums & { of: K })[] {
  const groups = Map.groupBy(sums, by)
  return [...groups].map(([of, all]) => ({ of, ...totalOf(all) }))
}

/** What the calls about something came to. */
export async function costOf(filter: QueryFilter<ModelCallDoc>): Promise<ModelSums> {
  // By submission there are no sums, only calls, which are few.
  if (filter.submission_id !== undefined) {
    const calls = await ModelCallModel.find({ ...filter, outcome: { $ne: 'asking' } }).lean()
    return totalOf(calls.map(countOf))
  }
  return totalOf(await ModelSumsModel.find(filter as QueryFilter<ModelSumsDoc>).lean())
}
