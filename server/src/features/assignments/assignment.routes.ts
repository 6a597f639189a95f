import {
  createAssignment as createAssignmentEndpoint,
  type Extension,
  getAssignment,
  listAssignments,
  listExtensions,
  removeExtension,
  setExtension,
  setNamesHidden,
  updateAssignment as updateAssignmentEndpoint,
} from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { dateProblems, extensionProblems } from '@assay/shared/rules/dates.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type StoredExtension,
} from '../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames, namedStudent, requireNamesShown, type ShowsNames } from '../anonymity/hidden-names.ts'
import { canCreateCourse, canTeach, requireCourse, requireUnlimited } from '../courses/course.service.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { requireUser, usersById } from '../users/user.service.ts'
import { type AssignmentHooks, presentAssignment, presentAssignments } from './assignment.present.ts'
import {
  listManageableAssignments,
  releasedScoresDue,
  requireAssignment,
  requireAssignmentFor,
} from './assignment.service.ts'
import { datesOf } from './assignment-dates.ts'
import { createAssignment } from './create-assignment.ts'
import { assertValidDates, toDate, updateAssignment } from './update-assignment.ts'

const MISSING_FILES_MESSAGE = 'Assignment name, blank assignment PDF, and answer key PDF are required.'

export function assignmentRoutes(router: Router, services: Services, hooks: AssignmentHooks): void {
  const { files, clock } = services

  handle(router, listAssignments, async ({ query, actor, setTotal }) => {
    allow('yes') // The list contains only what the caller may open.
    const { assignments, total } = await listManageableAssignments(actor, query)
    setTotal(total)
    return presentAssignments(assignments, clock.now(), hooks)
  })

  handle(router, createAssignmentEndpoint, async ({ actor, receive }) => {
    allow(canCreateCourse(actor))
    const { body, files: received } = await receive()
    const { blank_pdf, answer_key_pdf, student_submission_pdfs } = received
    if (!blank_pdf || !answer_key_pdf) throw new AppError('bad_request', MISSING_FILES_MESSAGE)
    if (body.course_id === undefined) requireUnlimited(actor)
    else allow(await canTeach(actor, await requireCourse(body.course_id)))
    const dates = {
      available_at: toDate(body.available_at),
      due_at: toDate(body.due_at),
      closes_at: toDate(body.closes_at),
      late_rule: body.late_rule ?? 'accept',
    }
    assertValidDates(dateProblems(dates))
    const assignment = await createAssignment(
      {
        title: body.name,
        courseId: body.course_id ?? null,
        dates,
        hideNames: body.hide_names,
        groups: body.group_max === undefined ? null : { max: body.group_max, by: body.groups_by },
        blank: { file: blank_pdf, handwritten: body.blank_pdf_is_handwritten },
        key: { file: answer_key_pdf, handwritten: body.answer_key_is_handwritten },
        papers: student_submission_pdfs.map((file, i) => ({
          file,
          handwritten: body.student_submissions_are_handwritten[i] ?? false,
        })),
      },
      actor,
      files,
      clock.now(),
      hooks,
    )
    if (body.hide_names) await recordNamesHidden(assignment, actor, clock.now())
    return presentAssignment(assignment, clock.now(), hooks)
  })

  handle(router, getAssignment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentAssignment(assignment, clock.now(), hooks)
  })

  handle(router, setNamesHidden, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const changed = await changeNamesHidden(assignment, body.names_hidden, actor, clock.now(), hooks)
    return presentAssignment(changed, clock.now(), hooks)
  })

  handle(router, updateAssignmentEndpoint, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (body.course_id === null) requireUnlimited(actor)
    if (body.course_id) allow(await canTeach(actor, await requireCourse(body.course_id)))
    const changed = await updateAssignment(assignment, body, actor, clock.now(), hooks)
    // The new due date may be less than a day away.
    await hooks.queueReminders()
    return presentAssignment(changed, clock.now(), hooks)
  })
}

async function changeNamesHidden(
  assignment: AssignmentDoc,
  hide: boolean,
  actor: Actor,
  now: Date,
  { numberAllPapers }: Pick<AssignmentHooks, 'numberAllPapers'>,
): Promise<AssignmentDoc> {
  if (hidesNames(assignment) === hide) return assignment
  // Before names are hidden, so that no paper is ever shown without a label.
  if (hide) await numberAllPapers(assignment._id)
  const shown = { user_id: actor.id, at: now }
  const changed = await AssignmentModel.updateOne(
    { _id: assignment._id, 'anonymous.names_hidden': hide ? { $ne: true } : true },
    hide
      ? { $set: { 'anonymous.names_hidden': true, updated_at: now } }
      : { $set: { 'anonymous.names_hidden': false, updated_at: now }, $push: { 'anonymous.shown': shown } },
  )
  const after = await requireAssignment(assignment._id)
  if (changed.matchedCount === 0) return after
  if (hide) await recordNamesHidden(after, actor, now)
  else
    await recordAudit(actor, 'names.shown', { assignment_id: after._id }, now, {
      after: { times_shown: after.anonymous?.shown?.length ?? 0 },
    })
  return after
}

const recordNamesHidden = ({ _id }: Pick<AssignmentDoc, '_id'>, actor: Actor, now: Date): Promise<void> =>
  recordAudit(actor, 'names.hidden', { assignment_id: _id }, now)

/** Refused while names are hidden: an extension reveals whose paper came after the due date and is not late. */
export function extensionRoutes(router: Router, { clock }: Services, hooks: AssignmentHooks): void {
  handle(router, listExtensions, async ({ params, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    return presentExtensions(assignment)
  })

  handle(router, setExtension, async ({ params, body, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const student = await requireEnrolledStudent(assignment, params.studentId)
    return grantExtension(assignment, student, body, actor, clock.now(), hooks)
  })

  handle(router, removeExtension, async ({ params, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    await revokeExtension(assignment, params.studentId, actor, clock.now(), hooks)
    return { message: 'Extension removed.' }
  })
}

const presentExtension = (
  assignment: ShowsNames,
  { due_at, closes_at }: StoredExtension,
  student: UserDoc,
): Extension => ({
  student: namedStudent(assignment, student),
  due_at: due_at.toISOString(),
  closes_at: closes_at?.toISOString() ?? null,
})

async function presentExtensions(assignment: ShowsNames<AssignmentDoc>): Promise<Extension[]> {
  const { extensions = [] } = assignment
  const students = await usersById(extensions.map(({ student_id }) => student_id))
  const presented = extensions.flatMap((extension) => {
    const student = students.get(extension.student_id)
    return student ? [presentExtension(assignment, extension, student)] : []
  })
  return presented.sort((a, b) => compareNames(a.student, b.student))
}

async function requireEnrolledStudent(assignment: AssignmentDoc, studentId: number): Promise<UserDoc> {
  const { course_id } = assignment
  if (course_id === null || !(await isEnrolled({ id: studentId }, course_id)))
    throw notFound('This student is not enrolled in the course.')
  return requireUser(studentId)
}

const currentExtension = (assignment: AssignmentDoc, studentId: number) =>
  assignment.extensions?.find(({ student_id }) => student_id === studentId) ?? null

/** @throws {AppError} `validation_failed` for dates that do not give more time */
async function grantExtension(
  assignment: ShowsNames<AssignmentDoc>,
  student: UserDoc,
  body: BodyOf<typeof setExtension>,
  actor: Actor,
  now: Date,
  { recomputeLateness }: Pick<AssignmentHooks, 'recomputeLateness'>,
): Promise<Extension> {
  const extension = { student_id: student._id, due_at: new Date(body.due_at), closes_at: toDate(body.closes_at) }
  assertValidDates(extensionProblems(extension, datesOf(assignment)))
  const before = currentExtension(assignment, student._id)
  const one = { _id: assignment._id, 'extensions.student_id': student._id }
  const another = { _id: assignment._id, 'extensions.student_id': { $ne: student._id } }
  const due = releasedScoresDue(assignment)
  const change = () => AssignmentModel.updateOne(one, { $set: { 'extensions.$': extension, ...due, updated_at: now } })
  // Another request added it at the same moment: the later one wins.
  if ((await change()).matchedCount === 0) {
    const added = await AssignmentModel.updateOne(another, {
      $push: { extensions: extension },
      $set: { ...due, updated_at: now },
    })
    if (added.matchedCount === 0) await change()
  }
  await recomputeLateness(await requireAssignment(assignment._id), student._id)
  const subject = { assignment_id: assignment._id, user_id: student._id }
  await recordAudit(actor, 'extension.given', subject, now, { before, after: extension })
  return presentExtension(assignment, extension, student)
}

async function revokeExtension(
  assignment: ShowsNames<AssignmentDoc>,
  studentId: number,
  actor: Actor,
  now: Date,
  { recomputeLateness }: Pick<AssignmentHooks, 'recomputeLateness'>,
): Promise<void> {
  const before = currentExtension(assignment, studentId)
  if (!before) throw notFound('This student has no extension.')
  await AssignmentModel.updateOne(
    { _id: assignment._id },
    { $pull: { extensions: { student_id: studentId } }, $set: { ...releasedScoresDue(assignment), updated_at: now } },
  )
  await recomputeLateness(await requireAssignment(assignment._id), studentId)
  const subject = { assignment_id: assignment._id, user_id: studentId }
  await recordAudit(actor, 'extension.removed', subject, now, { before })
}
