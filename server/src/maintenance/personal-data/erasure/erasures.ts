import { randomBytes } from 'node:crypto'
import type { Role } from '@assay/shared/users.ts'
import { insertLean, unlessDuplicate } from '../../../lib/database/database.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type ErasureDoc, ErasureModel } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'

export const findErasure = (userId: number): Promise<ErasureDoc | null> => ErasureModel.findById(userId).lean()

const roleWords: Record<Role, string> = { student: 'student', instructor: 'instructor', admin: 'administrator' }

/** An existing erasure stays, and resumes if it had failed. */
export async function storeErasure(user: UserDoc, account_ids: number[], actor: Actor, now: Date): Promise<ErasureDoc> {
  for (let bytes = 2; ; bytes++) {
    const existing = await findErasure(user._id)
    if (existing) {
      await ErasureModel.updateOne({ _id: user._id, state: 'failed' }, { $set: { state: 'running' } })
      return existing
    }
    const erasure: ErasureDoc = {
      _id: user._id,
      placeholder: `Deleted ${roleWords[user.role]} ${randomBytes(bytes).toString('hex')}`,
      state: 'running',
      step: 0,
      account_ids,
      submission_ids: [],
      file_hashes: [],
      actor_id: actor.id,
      actor_role: actor.role,
      session_id: actor.sessionId,
      started_at: now,
      finished_at: null,
    }
    // The placeholder is taken, or it was requested twice at once.
    if (await unlessDuplicate(insertLean(ErasureModel, erasure).then(() => true))) return erasure
  }
}

export async function withdrawErasure(userId: number): Promise<void> {
  await ErasureModel.deleteOne({ _id: userId, step: 0 })
}
