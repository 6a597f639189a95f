import type { GroupRule } from '@assay/shared/groups.ts'
import type { AssignmentDates } from '@assay/shared/rules/dates.ts'
import { withoutDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextId } from '../../lib/database/database.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { ReceivedFile } from '../../lib/http/uploads.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import { type AssignmentDoc, AssignmentModel, type StoredPdf } from '../../records/assignments/assignment.model.ts'
import { timeZoneOf } from '../courses/course.service.ts'
import type { AssignmentHooks } from './assignment.present.ts'
import type { UploadedPaper } from './uploaded-paper.ts'

interface NewAssignment {
  title: string
  courseId: number | null
  dates?: AssignmentDates
  hideNames?: boolean
  groups?: GroupRule | null
  blank: UploadedPaper
  key: UploadedPaper
  papers: UploadedPaper[]
}

const toStoredPdf = (file: ReceivedFile, handwritten: boolean): StoredPdf => ({
  hash: file.hash,
  name: file.name,
  size: file.size,
  handwritten,
})

const newDraft = async (named: Pick<AssignmentDoc, 'title' | 'course_id' | 'created_by'>, now: Date) => ({
  ...{ _id: await nextId('assignments'), ...named },
  ...{ status: 'draft' as const, published_at: null, time_zone: await timeZoneOf(named.course_id) },
  ...{ active_run_id: null, created_at: now, updated_at: now },
})

/** Stores the assignment last: a failure leaves only submissions, which are deleted here or by the sweep. */
export async function createAssignment(
  { title, courseId, dates, hideNames = false, groups = null, blank, key, papers }: NewAssignment,
  creator: { id: number },
  files: FileStore,
  now: Date,
  hooks: Pick<AssignmentHooks, 'storeSubmissions' | 'deleteSubmissionRows'>,
): Promise<AssignmentDoc> {
  for (const { file } of [blank, key]) await files.store(file.path, file.hash)
  const assignment: AssignmentDoc = {
    ...(await newDraft({ title, course_id: courseId, created_by: creator.id }, now)),
    ...dates,
    ...(groups ? { groups } : {}),
    ...(hideNames ? { anonymous: { names_hidden: true } } : {}),
    blank: toStoredPdf(blank.file, blank.handwritten),
    key: toStoredPdf(key.file, key.handwritten),
    rubric: null,
    rubric_version: 0,
  }
  const submissions = await hooks.storeSubmissions(assignment, papers, creator, files, now)
  try {
    await AssignmentModel.create(assignment)
  } catch (error) {
    await hooks.deleteSubmissionRows(submissions).catch(() => {})
    throw error
  }
  return assignment
}

export async function copyAssignment(
  from: AssignmentDoc,
  courseId: number,
  actor: Actor,
  now: Date,
): Promise<AssignmentDoc> {
  const { title, blank, key, rubric, late_rule = 'accept', groups } = from
  const copy: AssignmentDoc = {
    ...(await newDraft({ title, course_id: courseId, created_by: actor.id }, now)),
    late_rule,
    ...(groups ? { groups } : {}),
    blank,
    key,
    rubric: rubric && { ...rubric, problems: withoutDoubtfulResults(rubric.problems) },
    rubric_version: rubric ? 1 : 0,
    ...(rubric ? { rubric_made: { by: 'copy', user_id: null, name: title, note: '', at: now } } : {}),
  }
  await AssignmentModel.create(copy)
  await recordAudit(actor, 'assignment.copied', { assignment_id: copy._id }, now, { after: { from: from._id } })
  return copy
}
