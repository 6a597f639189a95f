import { endCall } from './ledger.ts'
import { ModelBudgetModel } from './model-budget.model.ts'
import { ModelCallModel, monthOf } from './model-call.model.ts'
import { ModelSumsModel } from './model-sums.model.ts'
import { pursesOf } from './purses.ts'
import { sumUpAnew } from './sums.ts'

/**
 * What a process that died left open: calls that nobody waits for any more, and sums that may or may not have a call. To be done
 * before anything is asked.
 * @param now whose month is counted anew in any case: money may have been kept back for a call that was never written down
 */
export async function settleLeftovers(now: Date): Promise<void> {
  const open = await ModelCallModel.find({ outcome: 'asking' }).lean()
  for (const { _id } of open) {
    await endCall(_id, {
      outcome: 'failed',
      trouble: null,
      // It may have been answered and charged for; only the provider knows. Asked again, it goes with the same Idempotency-Key.
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
  const unsummed = await ModelCallModel.find({ summed: false }).lean()
  if (unsummed.length > 0) await sumUpAnew(unsummed)
  const months = new Set([monthOf(now), ...[...open, ...unsummed].map(({ month }) => month)])
  for (const month of months) await countMoneyAnew(month)
}

/** By the sums, which are right by now; nothing is being asked, so nothing is kept back. */
async function countMoneyAnew(month: string): Promise<void> {
  const purses = await ModelBudgetModel.find(
    { _id: { $gte: `${month}/`, $lt: `${month}0` } },
    { _id: 1 },
  ).lean()
  const spent = new Map<string, number>(purses.map(({ _id }) => [_id.slice(month.length + 1), 0]))
  for (const sums of await ModelSumsModel.find({ month }).lean()) {
    for (const { name } of pursesOf(sums, { monthly: null, course: null }))
      spent.set(name, (spent.get(name) ?? 0) + sums.dollars)
  }
  for (const [name, dollars] of spent) {
    await ModelBudgetModel.updateOne(
      { _id: `${month}/${name}` },
      { $set: { spent: dollars, committed: dollars } },
      { upsert: true },
    )
  }
}
