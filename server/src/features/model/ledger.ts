import type { CallBegun, CallEnded, Ledger } from '../../grader/model/ledger.ts'
import { nextId } from '../../lib/db.ts'
import type { Services } from '../../services.ts'
import { ModelAnswerModel, type ModelCallDoc, ModelCallModel, monthOf } from './model-call.model.ts'
import type { AskedAbout } from './models.ts'
import { holdMoney, type Purse, pursesOf, settleMoney } from './purses.ts'
import { sumUp } from './sums.ts'

interface Account {
  about: AskedAbout
  payer: ModelCallDoc['payer']
  budgets: { monthly: number | null; course: number | null }
}

/** The book of calls, as one thing that is asked about has its lines in it. */
export function createLedger(account: Account, { clock }: Pick<Services, 'clock'>): Ledger {
  const { about, payer, budgets } = account
  const belonging = {
    payer,
    course_id: about.course_id,
    assignment_id: about.assignment_id ?? null,
    run_id: about.run_id ?? null,
    submission_id: about.submission_id ?? null,
  }
  const purses: Purse[] = pursesOf(belonging, budgets)

  return {
    async find(identity) {
      const call = await ModelCallModel.findOne({ identity, paid: true, outcome: { $ne: 'asking' } })
        .sort({ _id: -1 })
        .lean()
      if (!call || call.outcome === 'asking') return null
      const answer = await ModelAnswerModel.findById(call._id).lean()
      return answer && { call_id: call._id, outcome: call.outcome, raw: answer.raw }
    },

    async begin(call: CallBegun) {
      const at = clock.now()
      const month = monthOf(at)
      const held = call.most_dollars ?? 0
      await holdMoney(purses, month, held)
      try {
        return await writeDown(call, held, at, month)
      } catch (error) {
        await settleMoney(purses, month, { held, spent: 0 })
        throw error
      }
    },

    finish: (callId, end) => endCall(callId, end),
  }

  async function writeDown(call: CallBegun, held: number, at: Date, month: string): Promise<number> {
    const _id = await nextId('model_calls')
    const { most_dollars: _, ...asked } = call
    await ModelCallModel.create({
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
    })
    return _id
  }
}

/** The answer first: once the call says that it was answered, the answer is there. */
export async function endCall(callId: number, end: CallEnded): Promise<void> {
  const { raw, ...result } = end
  const asking = await ModelCallModel.findOne({ _id: callId, outcome: 'asking' }).lean()
  if (!asking) return
  if (end.paid) {
    const { assignment_id, submission_id } = asking
    await ModelAnswerModel.updateOne(
      { _id: callId },
      { $set: { raw, assignment_id, submission_id } },
      { upsert: true },
    )
  }
  const ended = await ModelCallModel.findOneAndUpdate(
    { _id: callId, outcome: 'asking' },
    { $set: { ...result, summed: false } },
    { returnDocument: 'after' },
  ).lean()
  // Whoever was quicker has summed it up.
  if (!ended) return
  const purses = pursesOf(ended, { monthly: null, course: null })
  // The sums last: what is not in them yet is counted anew, with its money, after a process died in between.
  await settleMoney(purses, ended.month, { held: ended.held, spent: ended.dollars ?? 0 })
  await sumUp(ended)
}
