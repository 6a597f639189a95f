import { setTimeout as after } from 'node:timers/promises'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { ignoreDuplicateKey } from '../../../lib/database/database.ts'
import type { LlmCallDoc } from '../../../records/llm/llm-call.model.ts'
import { LlmBudgetModel } from '../../../records/llm/llm-totals.model.ts'

export interface LlmBudget {
  name: 'system' | `system/course/${number}` | `course/${number}`
  /** US dollars; null: no limit. */
  limit: number | null
}

export function budgetsFor(
  { payer, course_id }: Pick<LlmCallDoc, 'payer' | 'course_id'>,
  budgets: { monthly: number | null; course: number | null },
): LlmBudget[] {
  if (payer === 'course') return [{ name: `course/${course_id ?? 0}`, limit: budgets.monthly }]
  const system: LlmBudget = { name: 'system', limit: budgets.monthly }
  if (course_id === null) return [system]
  return [system, { name: `system/course/${course_id}`, limit: budgets.course }]
}

const formatDollars = (dollars: number) => `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`

function budgetExceeded(budget: LlmBudget & { limit: number }, spent: number, next: number): LlmError {
  const own = budget.name.startsWith('course/')
  const share = budget.name.startsWith('system/')
  const what = own
    ? 'This course’s budget for its own AI model'
    : share
      ? 'This course’s budget for the school’s AI model'
      : 'The school’s budget for its AI model'
  const who = own
    ? 'A teacher of the course can raise it on the course’s “AI model” page'
    : 'An administrator can raise it under System Settings, “AI model”'
  const left = budget.limit - spent
  const all = `${formatDollars(spent)} of ${formatDollars(budget.limit)} spent`
  const why =
    left > 0
      ? `${all}, and the next request may cost ${formatDollars(next)}, more than the ${formatDollars(left)} left`
      : all
  return new LlmError(
    'budget',
    `${what} is used up for this month: ${why}. ${who}; it resets on the first of the month (UTC).`,
  )
}

const RESERVE_TIMEOUT_MS = 60_000
const RETRY_INTERVAL_MS = 100
/** Sums of fractions have rounding errors. */
const EPSILON = 1e-9

async function tryReserve(_id: string, dollars: number, budget: number | null): Promise<boolean> {
  const fits = budget === null ? {} : { committed: { $lte: budget - dollars + EPSILON } }
  const held = await LlmBudgetModel.updateOne({ _id, ...fits }, { $inc: { committed: dollars } })
  return held.matchedCount > 0
}

async function createBudget(_id: string): Promise<void> {
  // Another process opened it at the same moment.
  await LlmBudgetModel.updateOne({ _id }, { $setOnInsert: { spent: 0, committed: 0 } }, { upsert: true }).catch(
    ignoreDuplicateKey,
  )
}

/** Waits while calls under way may release enough. @throws {LlmError} `budget`, with nothing reserved */
export async function reserveBudget(budgets: LlmBudget[], month: string, dollars: number): Promise<void> {
  const held: LlmBudget[] = []
  try {
    for (const budget of budgets) {
      await reserveInBudget(budget, `${month}/${budget.name}`, dollars)
      held.push(budget)
    }
  } catch (error) {
    await settleReservation(held, month, { held: dollars, spent: 0 })
    throw error
  }
}

async function reserveInBudget(budget: LlmBudget, _id: string, dollars: number): Promise<void> {
  const { limit } = budget
  const until = performance.now() + RESERVE_TIMEOUT_MS
  while (!(await tryReserve(_id, dollars, limit))) {
    const now = await LlmBudgetModel.findById(_id).lean()
    if (!now) await createBudget(_id)
    else if (limit !== null && now.spent + dollars > limit + EPSILON)
      throw budgetExceeded({ ...budget, limit }, now.spent, dollars)
    else if (performance.now() > until)
      throw new LlmError(
        'waiting',
        'The rest of this month’s budget is reserved for requests in progress. Assay will continue automatically.',
        { retryAfterMs: 10_000 },
      )
    else if (limit !== null) await after(RETRY_INTERVAL_MS)
  }
}

export async function settleReservation(
  budgets: Pick<LlmBudget, 'name'>[],
  month: string,
  { held, spent }: { held: number; spent: number },
): Promise<void> {
  await Promise.all(
    budgets.map(({ name }) =>
      LlmBudgetModel.updateOne(
        { _id: `${month}/${name}` },
        { $inc: { spent, committed: spent - held } },
        { upsert: true },
      ),
    ),
  )
}

export async function spentFromBudget(name: LlmBudget['name'], month: string): Promise<number> {
  const doc = await LlmBudgetModel.findById(`${month}/${name}`).lean()
  return Math.max(0, doc?.spent ?? 0)
}
