import type { ExportedData } from '@assay/shared/personal-data.ts'
import { type AuditDoc, AuditModel } from '../../../audit/audit.service.ts'
import { idsOfAssignmentsHidingNames } from '../../../features/assignments/assignment-queries.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { type AssignmentDoc, AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import type { StoredModel } from '../erasure/erasure-rule.ts'

export function exportAccount(user: UserDoc): ExportedData['account'] {
  return {
    id: user._id,
    username: user.username,
    full_name: user.full_name,
    email: user.email,
    email_confirmed_at: isoOrNull(user.email_verified_at),
    institution: user.institution,
    student_number: user.student_number,
    role: user.role,
    state: user.account,
    from_lms: user.from_lms === true,
    notifications: user.notifications ? { ...user.notifications } : null,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    last_seen_at: isoOrNull(user.last_seen_at),
  }
}

export async function exportRosterRows(scope: ExportScope): Promise<unknown[]> {
  const address = normalizeLogin(scope.user.email)
  const rows: unknown[] = []
  if (address === '' || !ownsAddress(scope)) return rows
  for await (const { rows: waiting, failures } of RosterStepModel.find().lean().cursor()) {
    rows.push(...waiting.filter(({ entry }) => normalizeLogin(entry.email ?? '') === address).map(({ entry }) => entry))
    rows.push(...failures.filter(({ email }) => normalizeLogin(email) === address))
  }
  return rows
}

export const MOST_ENTRIES = 20_000
const FOR_THE_ADDRESS = ['student.place_kept', 'student.invited_again', 'student.removed']

/** Acts on their papers may be unreleased or in teachers' words: an administrator's export only. */
export async function exportActivity(export_: ExportScope): Promise<ExportedData['activity']> {
  const { scope, ids, submissionIds } = export_
  const about =
    scope === 'own'
      ? [{ 'subject.user_id': { $in: ids }, 'subject.submission_id': { $exists: false } }]
      : [
          { 'subject.user_id': { $in: ids } },
          { 'subject.student_id': { $in: ids } },
          // Not on another of their group.
          { 'subject.submission_id': { $in: submissionIds }, 'subject.student_id': { $in: [null, ...ids] } },
        ]
  const hiding = scope === 'own' ? [] : await idsOfAssignmentsHidingNames()
  const entries = await AuditModel.find({
    $or: [{ actor_id: { $in: ids } }, ...about],
    ...(ownsAddress(export_) ? {} : { $nor: [{ action: { $in: FOR_THE_ADDRESS }, actor_id: { $nin: ids } }] }),
    ...(hiding.length > 0 ? { 'subject.assignment_id': { $nin: hiding } } : {}),
  })
    .sort({ _id: -1 })
    .limit(MOST_ENTRIES)
    .lean()
  const isAbout = ({ subject }: AuditDoc) =>
    ids.includes(subject.user_id ?? -1) ||
    ids.includes(subject.student_id ?? -1) ||
    submissionIds.includes(subject.submission_id ?? -1)
  return entries.map((entry) => ({
    at: entry.at.toISOString(),
    action: entry.action,
    subject: entry.subject,
    // An instructor's acts on others' papers are in others' words and numbers.
    ...(scope === 'school' && isAbout(entry) ? { before: entry.before, after: entry.after } : {}),
  }))
}

/** A stored file, or the paper with its released grade drawn on it. */
export type FileSource = { hash: string } | { submission: SubmissionDoc; release: ReleaseDoc }

export interface ExportScope {
  /** `own`: what the person may see. `school`: for an administrator, all that is stored. */
  scope: ExportedData['scope']
  user: UserDoc
  ids: number[]
  submissionIds: number[]
  services: Services
  addFile(folder: 'papers' | 'photos' | 'graded', name: string, source: FileSource, ending?: string): string
}

type Lists = Pick<
  ExportedData,
  'joined_accounts' | 'sessions' | 'courses' | 'extensions' | 'groups' | 'photo_drafts' | 'activity'
> &
  ExportedData['lms'] & { roster_rows: unknown[] }
type SectionRows = { [Name in keyof Lists]: Lists[Name][number] }
export type Sections = { [Name in keyof SectionRows]: SectionRows[Name][] }

/** `own` data is in both exports, `school` data only in an administrator's. */
export interface Export {
  to: ExportedData['scope']
  addTo?(sections: Sections, scope: ExportScope, model: StoredModel): Promise<void>
}

export const exportTo = <Name extends keyof SectionRows>(
  to: Export['to'],
  section: Name,
  rows: (scope: ExportScope, model: StoredModel) => Promise<SectionRows[Name][]>,
): Export => ({
  to,
  addTo: async (sections, scope, model) => {
    sections[section].push(...(await rows(scope, model)))
  },
})

type Rows<Row> = Row | Row[] | null

/** Rows of documents with the person's number at `path`; `-created_at` sorts. */
export const own = <Name extends keyof SectionRows, Doc>(
  section: Name,
  path: string,
  sort: string,
  toRows: (doc: Doc, scope: ExportScope) => Rows<SectionRows[Name]> | Promise<Rows<SectionRows[Name]>>,
): Export =>
  exportTo('own', section, async (scope, model) => {
    const rows: SectionRows[Name][] = []
    for (const doc of await model.find().in(path, scope.ids).sort(sort).lean<Doc[]>()) {
      const found = await toRows(doc, scope)
      if (found !== null) rows.push(...(Array.isArray(found) ? found : [found]))
    }
    return rows
  })

/** An unconfirmed address may be somebody else's, and so what teachers keep for it: no export has it. */
export const ownsAddress = ({ user }: ExportScope): boolean =>
  user.email_verified_at != null || user.account === 'invited' || user.from_lms === true

type ShownAssignment = Pick<AssignmentDoc, '_id' | 'title' | 'status' | 'anonymous'>

/** A person's own has what is published; an administrator's must not reveal whose a paper with hidden names is. */
export const mayShow = ({ scope }: ExportScope, { status, anonymous }: ShownAssignment): boolean =>
  scope === 'own' ? status === 'published' : !anonymous?.names_hidden

export async function findShownAssignment(scope: ExportScope, id: number): Promise<ShownAssignment | null> {
  const found = await AssignmentModel.findById(id, { title: 1, status: 1, anonymous: 1 }).lean()
  return found && mayShow(scope, found) ? found : null
}

export async function findCourseName(id: number | null): Promise<{ id: number; name: string } | null> {
  const course = await CourseModel.findById(id, { name: 1 }).lean()
  return course && { id: course._id, name: course.name }
}

export const named = ({ _id, title }: Pick<AssignmentDoc, '_id' | 'title'>) => ({ id: _id, name: title })
export const isoOrNull = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null
