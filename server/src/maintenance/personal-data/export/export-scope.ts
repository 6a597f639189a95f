import type { ExportedData } from '@assay/shared/exported-data.ts'
import { type AssignmentDoc, AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'

export interface ExportScope {
  /** `own`: what the person may see. `school`: for an administrator, all that is stored. */
  scope: ExportedData['scope']
  user: UserDoc
  /** With accounts that were joined with it. */
  ids: number[]
}

/**
 * Whether the account's address is known to be its owner's. Until then a stranger may have typed it, and what teachers keep for the
 * address is somebody else's: neither the account's own export has it nor an administrator's, which goes to whoever asks. For an
 * account of an LMS nothing is kept by its address.
 */
export const ownsAddress = ({ user }: ExportScope): boolean =>
  user.email_verified_at != null || user.account === 'invited' || user.from_lms === true

export type ExportedAssignment = Pick<AssignmentDoc, '_id' | 'title' | 'course_id' | 'status' | 'anonymous'>

/**
 * Whether an assignment's papers may be in this export. A person's own has what is published. While names are hidden, no administrator
 * learns whose a paper is, by an export neither: it would say so.
 */
export const mayShow = ({ scope }: ExportScope, { status, anonymous }: ExportedAssignment): boolean =>
  scope === 'own' ? status === 'published' : !anonymous?.names_hidden

export async function assignmentsById(ids: number[]): Promise<Map<number, ExportedAssignment>> {
  const found = await AssignmentModel.find(
    { _id: { $in: ids } },
    { title: 1, course_id: 1, status: 1, anonymous: 1 },
  ).lean()
  return new Map(found.map((one) => [one._id, one]))
}

export async function courseNames(ids: (number | null)[]): Promise<Map<number, { id: number; name: string }>> {
  const found = await CourseModel.find({ _id: { $in: ids } }, { name: 1 }).lean()
  return new Map(found.map(({ _id, name }) => [_id, { id: _id, name }]))
}

export const named = ({ _id, title }: Pick<ExportedAssignment, '_id' | 'title'>) => ({ id: _id, name: title })
export const isoOrNull = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null
