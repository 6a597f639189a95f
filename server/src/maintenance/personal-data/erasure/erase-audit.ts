import { AuditModel } from '../../../audit/audit.service.ts'
import type { ErasureDoc } from '../../../records/people/erasure.model.ts'
import type { ErasureTask } from './erasure-rule.ts'

const BATCH = 500

/** By index, as the log has years of entries. */
export const entriesAbout = ({ account_ids, submission_ids }: Pick<ErasureDoc, 'account_ids' | 'submission_ids'>) => ({
  $or: [
    { 'subject.user_id': { $in: account_ids } },
    { 'subject.student_id': { $in: account_ids } },
    { 'subject.submission_id': { $in: submission_ids } },
    { actor_id: { $in: account_ids }, actor_role: 'student' },
  ],
})

/** Words go, except from an instructor's acts on others' papers, which are the others' record. */
export async function eraseAudit({ erasure, signal }: ErasureTask): Promise<void> {
  const about = entriesAbout(erasure)
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const entries = await AuditModel.find({ _id: { $gt: after }, ...about }, { before: 1, after: 1 })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean()
    const last = entries.at(-1)
    if (!last) return
    after = last._id
    await AuditModel.bulkWrite(
      entries.map(({ _id, before, after }) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { before: withoutWords(before), after: withoutWords(after), erased: true } },
        },
      })),
      { ordered: false },
    )
  }
}

/** Our codes, not somebody's words. */
const CODES = ['role', 'account', 'status', 'state']

/** Numbers, dates, booleans and our codes. */
function withoutWords(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return CODES.includes(key) ? value : '(removed)'
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, key))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutWords(one, name)]))
}
