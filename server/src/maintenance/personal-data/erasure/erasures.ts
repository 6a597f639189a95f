import { randomBytes } from 'node:crypto'
import type { Role } from '@assay/shared/users.ts'
import { insertLean, isDuplicateKeyError } from '../../../lib/database/database.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type ErasureDoc, ErasureModel } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'

export const findErasure = (userId: number): Promise<ErasureDoc | null> => ErasureModel.findById(userId).lean()

export const findUnfinishedErasures = (): Promise<ErasureDoc[]> => ErasureModel.find({ state: 'running' }).lean()

const roleWords: Record<Role, string> = { student: 'student', instructor: 'instructor', admin: 'administrator' }

/** Stores what is to be done. One that exists stays as it is, and goes on if it had failed. */
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
    try {
      await insertLean(ErasureModel, erasure)
      return erasure
    } catch (error) {
      // Another person has the placeholder, or the same was asked for twice at once.
      if (!isDuplicateKeyError(error)) throw error
    }
  }
}

/** Nothing of it was done. */
export async function withdrawErasure(userId: number): Promise<void> {
  await ErasureModel.deleteOne({ _id: userId, step: 0 })
}

/** Those a step has found are added to those found before a crash. */
export async function storePapers(userId: number, submissionIds: number[], hashes: string[]): Promise<void> {
  await ErasureModel.updateOne(
    { _id: userId },
    { $addToSet: { submission_ids: { $each: submissionIds }, file_hashes: { $each: hashes } } },
  )
}

export async function storeStep(userId: number, step: number): Promise<void> {
  await ErasureModel.updateOne({ _id: userId }, { $set: { step } })
}

/** Leaves the fact alone. */
export async function storeFinished(userId: number, finished_at: Date): Promise<void> {
  await ErasureModel.updateOne(
    { _id: userId },
    { $set: { state: 'done', finished_at, submission_ids: [], file_hashes: [] } },
  )
}

export async function storeFailed(userId: number): Promise<void> {
  await ErasureModel.updateOne({ _id: userId, state: 'running' }, { $set: { state: 'failed' } })
}
