import { setTimeout as after } from 'node:timers/promises'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { abandonedOf, currentProcessId, findOthers } from '../../../cluster/processes/processes.ts'
import type { LlmCallLedger, LlmCallResult, LlmCallStart } from '../../../grader/llm/llm-call-ledger.ts'
import { nextId } from '../../../lib/database/database.ts'
import { LlmAnswerModel, type LlmCallDoc, LlmCallModel, monthOf } from '../../../records/llm/llm-call.model.ts'
import { LlmBudgetModel, LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import type { Services } from '../../../services.ts'
import type { LlmCallContext } from '../llm-service.ts'
import { budgetsFor, type LlmBudget, reserveBudget, settleReservation } from './llm-budgets.ts'
import { addToTotals, recomputeTotals } from './llm-usage.ts'

interface LedgerAccount {
  context: LlmCallContext
  payer: LlmCallDoc['payer']
  budgets: { monthly: number | null; course: number | null }
}

export function createLlmCallLedger(account: LedgerAccount, { clock }: Pick<Services, 'clock'>): LlmCallLedger {
  const { context, payer, budgets } = account
  const belonging = {
    payer,
    course_id: context.course_id,
    assignment_id: context.assignment_id ?? null,
    run_id: context.run_id ?? null,
    submission_id: context.submission_id ?? null,
  }
  const charged: LlmBudget[] = budgetsFor(belonging, budgets)

  return {
    async find(identity) {
      const call = await LlmCallModel.findOne({ identity, paid: true, outcome: { $ne: 'asking' } })
        .sort({ _id: -1 })
        .lean()
      if (!call || call.outcome === 'asking') return null
      const answer = await LlmAnswerModel.findById(call._id).lean()
      return answer && { call_id: call._id, outcome: call.outcome, raw: answer.raw }
    },

    async begin(call: LlmCallStart) {
      const at = clock.now()
      const month = monthOf(at)
      const held = call.most_dollars ?? 0
      await reserveBudget(charged, month, held)
      try {
        return await recordCall(call, held, at, month)
      } catch (error) {
        await settleReservation(charged, month, { held, spent: 0 })
        throw error
      }
    },

    finish: (callId, end) => endCall(callId, end),
  }

  async function recordCall(call: LlmCallStart, held: number, at: Date, month: string): Promise<number> {
    const _id = await nextId('llm_calls')
    const { most_dollars: _, ...asked } = call
    await LlmCallModel.create({
      ...asked,
      ...belonging,
      _id,
      outcome: 'asking',
      paid: false,
      input_tokens: 0,
      output_tokens: 0,
      ms: 0,
      tries: 0,
      held,
      summed: true,
      at,
      month,
      process: currentProcessId(),
    })
    return _id
  }
}

/** The response is stored first, so that an `answered` call always has one. */
export async function endCall(callId: number, end: LlmCallResult): Promise<void> {
  const { raw, ...result } = end
  const open = await LlmCallModel.findOne({ _id: callId, outcome: 'asking' }).lean()
  if (!open) return
  if (end.paid) {
    const { assignment_id, submission_id } = open
    await LlmAnswerModel.updateOne({ _id: callId }, { $set: { raw, assignment_id, submission_id } }, { upsert: true })
  }
  const ended = await LlmCallModel.findOneAndUpdate(
    { _id: callId, outcome: 'asking' },
    { $set: { ...result, summed: false } },
  ).lean()
  if (!ended) return
  const charged = budgetsFor(ended, { monthly: null, course: null })
  // Last: after a crash in between, a call missing from the totals is counted again.
  await settleReservation(charged, ended.month, { held: ended.held, spent: ended.dollars ?? 0 })
  await addToTotals(ended)
}

export async function lastCallDurations(
  { provider, model }: Pick<LlmSettings, 'provider' | 'model'>,
  purpose: LlmCallDoc['purpose'],
): Promise<number[]> {
  const answered = { provider, model, purpose, outcome: 'answered' as const }
  const last = await LlmCallModel.find(answered, { ms: 1 }).sort({ at: -1 }).limit(20).lean()
  return last.map(({ ms }) => ms)
}

/** Living processes' calls stay. `now`: money may be reserved in its month for no call. False: some were busy. */
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

/** In ms; far longer than a living process takes from reserving money to storing the call. */
const RESERVING_MS = 2_000

/** Null while an ended call is not in the totals yet. `committed` includes calls under way. */
async function compareBudgets(month: string) {
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
    const isStored = await LlmBudgetModel.exists({ _id })
    await LlmBudgetModel.updateOne(isStored ? { _id, ...is } : { _id }, { $set: ought }, { upsert: !isStored })
  }
  return isComplete
}
