import { setTimeout as after } from 'node:timers/promises'
import { abandonedOf, findOthers } from '../../../cluster/processes/processes.ts'
import { LlmBudgetModel } from '../../../records/llm/llm-budget.model.ts'
import { LlmCallModel, monthOf } from '../../../records/llm/llm-call.model.ts'
import { LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import { budgetsFor } from './llm-budgets.ts'
import { endCall } from './llm-call-ledger.ts'
import { recomputeTotals } from './llm-totals.ts'

/**
 * Also recomputes totals and budgets; living processes' calls stay. @returns false if some were busy
 * @param now its month is always recomputed: money may be reserved for a call that was never stored
 */
export async function reconcileAbandonedCalls(now: Date): Promise<boolean> {
  const open = await abandonedOf(await LlmCallModel.find({ outcome: 'asking' }).lean(), (call) => call.process)
  for (const { _id } of open) {
    await endCall(_id, {
      outcome: 'failed',
      error_code: null,
      // It may have been answered and charged; a repeated request has the same Idempotency-Key.
      paid: false,
      raw: '',
      input_tokens: 0,
      output_tokens: 0,
      dollars: null,
      estimated: false,
      ms: 0,
      tries: 0,
    })
  }
  const unsummed = await abandonedOf(await LlmCallModel.find({ summed: false }).lean(), (call) => call.process)
  let isComplete = unsummed.length === 0 || (await recomputeTotals(unsummed))
  const months = new Set([monthOf(now), ...[...open, ...unsummed].map(({ month }) => month)])
  for (const month of months) if (!(await recomputeBudgets(month))) isComplete = false
  return isComplete
}

/** In ms; many times longer than a living process takes from reserving money to storing the call. */
const RESERVING_MS = 2_000

interface MonthOfBudgets {
  /** By budget name: spent according to the totals, and `committed` including calls under way. */
  due: Map<string, { spent: number; committed: number }>
  wrong: Map<string, { spent: number; committed: number }>
}

/** Null while an ended call is not in the totals yet. */
async function compareBudgets(month: string): Promise<MonthOfBudgets | null> {
  const stored = await LlmBudgetModel.find({ _id: { $gte: `${month}/`, $lt: `${month}0` } }).lean()
  const due = new Map(stored.map(({ _id }) => [_id.slice(month.length + 1), { spent: 0, committed: 0 }]))
  const add = (of: Parameters<typeof budgetsFor>[0], spent: number, held: number) => {
    for (const { name } of budgetsFor(of, { monthly: null, course: null })) {
      const before = due.get(name) ?? { spent: 0, committed: 0 }
      due.set(name, { spent: before.spent + spent, committed: before.committed + spent + held })
    }
  }
  for (const call of await LlmCallModel.find({ month, outcome: 'asking' }).lean()) add(call, 0, call.held)
  for (const sums of await LlmTotalsModel.find({ month }).lean()) add(sums, sums.dollars, 0)
  if (await LlmCallModel.exists({ month, summed: false })) return null
  const known = new Map(stored.map(({ _id, spent, committed }) => [_id.slice(month.length + 1), { spent, committed }]))
  const wrong = new Map(
    [...due.keys()].flatMap((name) => {
      const is = known.get(name) ?? { spent: 0, committed: 0 }
      const ought = due.get(name)
      return ought && (is.spent !== ought.spent || is.committed !== ought.committed) ? [[name, is] as const] : []
    }),
  )
  return { due, wrong }
}

/** Living processes book meanwhile, so only what two looks find equally wrong is corrected. False if some is left. */
async function recomputeBudgets(month: string): Promise<boolean> {
  let found = await compareBudgets(month)
  if (!found) return false
  let isComplete = true
  if (found.wrong.size > 0 && (await findOthers()).length > 0) {
    const first = found
    await after(RESERVING_MS)
    found = await compareBudgets(month)
    if (!found) return false
    for (const [name, is] of found.wrong) {
      const [before, due] = [first.wrong.get(name), first.due.get(name)]
      const same = before?.committed === is.committed && before.spent === is.spent
      if (!same || due?.committed !== found.due.get(name)?.committed) {
        found.wrong.delete(name)
        isComplete = false
      }
    }
  }
  for (const [name, is] of found.wrong) {
    const ought = found.due.get(name)
    if (!ought) continue
    const _id = `${month}/${name}`
    // Not stored means never charged.
    const isStored = await LlmBudgetModel.exists({ _id })
    await LlmBudgetModel.updateOne(isStored ? { _id, ...is } : { _id }, { $set: ought }, { upsert: !isStored })
  }
  return isComplete
}
