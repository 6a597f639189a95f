import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { currentProcessId } from '../../../cluster/processes/processes.ts'
import type { LlmCallLedger, LlmCallResult, LlmCallStart } from '../../../grader/llm/llm-call-ledger.ts'
import { nextId } from '../../../lib/database/database.ts'
import { LlmAnswerModel, type LlmCallDoc, LlmCallModel, monthOf } from '../../../records/llm/llm-call.model.ts'
import type { Services } from '../../../services.ts'
import type { LlmCallContext } from '../llm-service.ts'
import { budgetsFor, type LlmBudget, reserveBudget, settleReservation } from './llm-budgets.ts'
import { addToTotals } from './llm-totals.ts'

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
  // Another process was quicker and has added it to the totals.
  if (!ended) return
  const charged = budgetsFor(ended, { monthly: null, course: null })
  // Last: after a crash in between, a call missing from the totals is counted again, with its cost.
  await settleReservation(charged, ended.month, { held: ended.held, spent: ended.dollars ?? 0 })
  await addToTotals(ended)
}

/** In ms. */
export async function lastCallDurations(
  { provider, model }: Pick<LlmSettings, 'provider' | 'model'>,
  purpose: LlmCallDoc['purpose'],
): Promise<number[]> {
  const answered = { provider, model, purpose, outcome: 'answered' as const }
  const last = await LlmCallModel.find(answered, { ms: 1 }).sort({ at: -1 }).limit(20).lean()
  return last.map(({ ms }) => ms)
}
