import { setTimeout as after } from 'node:timers/promises'
import type { CourseLlmUsage, LlmTotals, SystemLlmUsage } from '@assay/shared/llm/llm.ts'
import type { QueryFilter } from 'mongoose'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import {
  type LlmAnswerDoc,
  LlmAnswerModel,
  type LlmCallDoc,
  LlmCallModel,
  monthOf,
} from '../../../records/llm/llm-call.model.ts'
import { type LlmTotalsDoc, LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import type { Services } from '../../../services.ts'
import { assignmentTitlesById } from '../../assignments/assignment.service.ts'
import { courseNamesById } from '../../courses/course.service.ts'

const MONTHS = 12

const byDollars = (a: LlmTotals, b: LlmTotals) =>
  (b.dollars ?? 0) - (a.dollars ?? 0) || b.input_tokens + b.output_tokens - a.input_tokens - a.output_tokens

async function usageOf(of: { payer: 'system' } | { course_id: number }, wanted: string | undefined, at: Date) {
  const month = wanted ?? monthOf(at)
  const first = monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - MONTHS + 1, 1)))
  const all = await LlmTotalsModel.find({ ...of, $or: [{ month: { $gte: first } }, { month }] }).lean()
  const now = all.filter((sums) => sums.month === month)
  const months = groupTotals(all, (sums) => sums.month)
    .map(({ of, ...sums }) => ({ month: of, ...sums }))
    .sort((a, b) => b.month.localeCompare(a.month))
  return {
    now,
    shared: {
      month,
      total: sumTotals(now),
      by_purpose: groupTotals(now, (sums) => sums.purpose)
        .map(({ of, ...sums }) => ({ purpose: of, ...sums }))
        .sort(byDollars),
      months: months.slice(0, MONTHS),
    },
  }
}

export async function systemLlmUsage(
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<SystemLlmUsage> {
  const { now: sums, shared } = await usageOf({ payer: 'system' }, month, clock.now())
  const courses = groupTotals(sums, ({ course_id }) => course_id).sort(byDollars)
  const ids = courses.flatMap(({ of }) => of ?? [])
  const names = await courseNamesById(ids)
  return { ...shared, courses: courses.map(({ of, ...row }) => ({ id: of, name: names.get(of ?? 0) ?? null, ...row })) }
}

export async function courseLlmUsage(
  course: CourseDoc,
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<CourseLlmUsage> {
  const { now: sums, shared } = await usageOf({ course_id: course._id }, month, clock.now())
  const assignments = groupTotals(sums, ({ assignment_id }) => assignment_id).sort(byDollars)
  const ids = assignments.flatMap(({ of }) => of ?? [])
  const titles = await assignmentTitlesById(ids)
  const ofRun = new Map(sums.map(({ run_id, assignment_id }) => [run_id, assignment_id]))
  return {
    ...shared,
    assignments: assignments.map(({ of, ...row }) => ({ id: of, name: titles.get(of ?? 0) ?? null, ...row })),
    runs: groupTotals(sums, ({ run_id }) => run_id)
      .flatMap(({ of, ...row }) => (of === null ? [] : [{ run_id: of, assignment_id: ofRun.get(of) ?? null, ...row }]))
      .sort((a, b) => b.run_id - a.run_id),
  }
}

type CallTotals = Pick<
  LlmTotalsDoc,
  'calls' | 'failures' | 'input_tokens' | 'output_tokens' | 'dollars' | 'unpriced'
> & { estimated: number }
type TotalsKey = Pick<LlmTotalsDoc, 'month' | 'payer' | 'course_id' | 'assignment_id' | 'run_id' | 'purpose'>

const keyOf = ({ month, payer, course_id, assignment_id, run_id, purpose }: TotalsKey): TotalsKey => ({
  month,
  payer,
  course_id,
  assignment_id,
  run_id,
  purpose,
})
const idOf = (key: TotalsKey) => Object.values(keyOf(key)).join('/')

const zeroTotals: CallTotals = {
  calls: 0,
  failures: 0,
  input_tokens: 0,
  output_tokens: 0,
  dollars: 0,
  unpriced: 0,
  estimated: 0,
}
const fields = Object.keys(zeroTotals) as (keyof CallTotals)[]

/** A call stopped before it cost anything adds nothing. */
function totalsOfCall(call: LlmCallDoc): CallTotals {
  const { outcome, error_code, paid, estimated = false, input_tokens, output_tokens, dollars } = call
  const tokens = input_tokens + output_tokens
  return {
    calls: paid || estimated || error_code !== null ? 1 : 0,
    failures: outcome === 'failed' && (estimated || error_code !== null) ? 1 : 0,
    input_tokens,
    output_tokens,
    dollars: dollars ?? 0,
    unpriced: dollars === null && tokens > 0 ? 1 : 0,
    estimated: estimated ? 1 : 0,
  }
}

type StoredTotals = Omit<CallTotals, 'estimated'> & { estimated?: number }

const add = (a: StoredTotals, b: StoredTotals): CallTotals => {
  const sum = { ...zeroTotals }
  for (const field of fields) sum[field] = (a[field] ?? 0) + (b[field] ?? 0)
  return sum
}

export async function addToTotals(call: LlmCallDoc): Promise<void> {
  await LlmTotalsModel.updateOne(
    { _id: idOf(call) },
    { $inc: { ...totalsOfCall(call), additions: 1 }, $setOnInsert: keyOf(call) },
    { upsert: true },
  )
  await LlmCallModel.updateOne({ _id: call._id }, { $set: { summed: true } })
}

const TRIES = 50
const RETRY_MS = 100

/** For calls that a dead process may or may not have added. False: busy totals are left for next time. */
export async function recomputeTotals(calls: LlmCallDoc[]): Promise<boolean> {
  const dead = new Set(calls.map(({ _id }) => _id))
  let isComplete = true
  for (const [_id, ofTotals] of Map.groupBy(calls, idOf)) {
    const key = keyOf(ofTotals[0] as LlmCallDoc)
    let done = false
    for (let tries = 0; tries < TRIES && !done; tries++) {
      if (tries > 0) await after(RETRY_MS)
      done = await tryRecompute(_id, key, dead)
    }
    if (done)
      await LlmCallModel.updateMany({ _id: { $in: ofTotals.map((call) => call._id) } }, { $set: { summed: true } })
    else isComplete = false
  }
  return isComplete
}

/** False where a living process has added a call meanwhile or is about to. */
async function tryRecompute(_id: string, key: TotalsKey, dead: ReadonlySet<number>): Promise<boolean> {
  const before = await LlmTotalsModel.findById(_id, { additions: 1 }).lean()
  if (!before) await LlmTotalsModel.updateOne({ _id }, { $setOnInsert: { ...zeroTotals, ...key } }, { upsert: true })
  let sum = zeroTotals
  for await (const call of LlmCallModel.find({ ...key, outcome: { $ne: 'asking' } }).lean()) {
    if (!call.summed && !dead.has(call._id)) return false
    sum = add(sum, totalsOfCall(call))
  }
  const unchanged = { _id, additions: before?.additions ?? null }
  return (await LlmTotalsModel.updateOne(unchanged, { $set: sum })).matchedCount > 0
}

/** `dollars` is null where no paid call had a price. */
function sumTotals(sums: StoredTotals[]): LlmTotals {
  const sum = sums.reduce<CallTotals>(add, zeroTotals)
  return { ...sum, dollars: sum.unpriced > 0 && sum.dollars === 0 ? null : sum.dollars }
}

function groupTotals<K extends string | number | null>(sums: LlmTotalsDoc[], by: (sum: LlmTotalsDoc) => K) {
  const groups = Map.groupBy(sums, by)
  return [...groups].map(([of, all]) => ({ of, ...sumTotals(all) }))
}

export async function findTotals(filter: QueryFilter<LlmCallDoc>): Promise<LlmTotals> {
  // Submissions have no totals.
  if (filter.submission_id !== undefined) {
    const calls = await LlmCallModel.find({ ...filter, outcome: { $ne: 'asking' } }).lean()
    return sumTotals(calls.map(totalsOfCall))
  }
  return sumTotals(await LlmTotalsModel.find(filter as QueryFilter<LlmTotalsDoc>).lean())
}

export const llmCallsOfSubmission = (submissionId: number): Promise<LlmCallDoc[]> =>
  LlmCallModel.find({ submission_id: submissionId }).sort({ _id: 1 }).lean()

export const llmAnswersOfSubmission = (submissionId: number): Promise<LlmAnswerDoc[]> =>
  LlmAnswerModel.find({ submission_id: submissionId }).lean()
