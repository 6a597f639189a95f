import { LlmBudgetModel } from '../../../records/llm/llm-budget.model.ts'
import { LlmCallModel, monthOf } from '../../../records/llm/llm-call.model.ts'
import { LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import { budgetsFor } from './llm-budgets.ts'
import { endCall } from './llm-call-ledger.ts'
import { recomputeTotals } from './llm-totals.ts'

/**
 * Reconciles what a process that died left open: calls that nobody waits for any more, and totals that may or may not include a call. To be done
 * before any request.
 * @param now whose month is recomputed in any case: money may have been reserved for a call that was never stored
 */
export async function reconcileAbandonedCalls(now: Date): Promise<void> {
  const open = await LlmCallModel.find({ outcome: 'asking' }).lean()
  for (const { _id } of open) {
    await endCall(_id, {
      outcome: 'failed',
      error_code: null,
      // It may have been answered and charged for; only the provider knows. A repeated request has the same Idempotency-Key.
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
  const unsummed = await LlmCallModel.find({ summed: false }).lean()
  if (unsummed.length > 0) await recomputeTotals(unsummed)
  const months = new Set([monthOf(now), ...[...open, ...unsummed].map(({ month }) => month)])
  for (const month of months) await recomputeBudgets(month)
}

/** From the totals, which are correct by now; no request is under way, so nothing is reserved. */
async function recomputeBudgets(month: string): Promise<void> {
  const stored = await LlmBudgetModel.find({ _id: { $gte: `${month}/`, $lt: `${month}0` } }, { _id: 1 }).lean()
  const spent = new Map<string, number>(stored.map(({ _id }) => [_id.slice(month.length + 1), 0]))
  for (const sums of await LlmTotalsModel.find({ month }).lean()) {
    for (const { name } of budgetsFor(sums, { monthly: null, course: null }))
      spent.set(name, (spent.get(name) ?? 0) + sums.dollars)
  }
  for (const [name, dollars] of spent) {
    await LlmBudgetModel.updateOne(
      { _id: `${month}/${name}` },
      { $set: { spent: dollars, committed: dollars } },
      { upsert: true },
    )
  }
}
