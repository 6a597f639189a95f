import type mongoose from 'mongoose'
import { type AnalyticsDependency, withInvalidation } from '../../../records/grading/analytics-invalidation.ts'
import type { ErasureDoc } from '../../../records/people/erasure.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'

export interface ErasureTask {
  erasure: ErasureDoc
  /** With names and addresses until the last but one step. */
  accounts: UserDoc[]
  services: Services
  signal: AbortSignal
}

export type StepName =
  | 'close'
  | 'lms'
  | 'scores'
  | 'papers'
  | 'memberships'
  | 'teaching'
  | 'mail'
  | 'audit'
  | 'account'
  | 'files'

export type StoredModel = (typeof mongoose.models)[string]

/** May run twice. */
export type EraseRule = (task: ErasureTask, model: StoredModel) => Promise<unknown>

type NumbersOf = 'account_ids' | 'submission_ids'

/** `path` holds the person's number, or their papers'. */
export const deleteBy =
  (path: string, numbers: NumbersOf = 'account_ids'): EraseRule =>
  ({ erasure }, model) =>
    model.deleteMany({ [path]: { $in: erasure[numbers] } })

/** Also invalidates the statistics of its course or assignment. */
export const deleteAndInvalidate =
  (path: string, of: 'course' | 'assignment'): EraseRule =>
  async ({ erasure }, model) => {
    const theirs = { [path]: { $in: erasure.account_ids } }
    const ids: unknown[] = await model.distinct(`${of}_id`, theirs)
    const dependencies = ids.map((id): AnalyticsDependency => `${of}/${Number(id)}`)
    await withInvalidation(dependencies, () => model.deleteMany(theirs))
  }

/** Elements with the number at `key`, or the numbers themselves. */
export const pullFrom =
  (array: string, key: string | null, numbers: NumbersOf = 'account_ids'): EraseRule =>
  ({ erasure }, model) => {
    const theirs = { $in: erasure[numbers] }
    const isIn = { [key === null ? array : `${array}.${key}`]: theirs }
    return model.updateMany(isIn, { $pull: { [array]: key === null ? theirs : { [key]: theirs } } })
  }

export const setNull =
  (path: string): EraseRule =>
  ({ erasure }, model) =>
    model.updateMany({ [path]: { $in: erasure.account_ids } }, { $set: { [path]: null } })
