import { type Extension, listExtensions, removeExtension, setExtension } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { extensionProblems } from '@assay/shared/rules/dates.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { notFound } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc, StoredExtension } from '../../records/assignments/assignment.model.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { namedStudent, requireNamesShown, type ShowsNames } from '../anonymous-grading/present-student.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { requireUser, usersById } from '../users/user.service.ts'
import { requireAssignmentFor } from './assignment.policy.ts'
import { releasedScoresDue, requireAssignment } from './assignment.service.ts'
import { datesOf } from './assignment-dates.ts'
import type { AssignmentHooks } from './assignment-hooks.ts'
import { assertValidDates, toDate } from './update-assignment.ts'

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

/** By name, without those of deleted accounts. */
async function presentExtensions(assignment: ShowsNames<AssignmentDoc>): Promise<Extension[]> {
  const { extensions = [] } = assignment
  const students = await usersById(extensions.map(({ student_id }) => student_id))
  const presented = extensions.flatMap((extension) => {
    const student = students.get(extension.student_id)
    return student ? [presentExtension(assignment, extension, student)] : []
  })
  return presented.sort((a, b) => compareNames(a.student, b.student))
}

/** @throws {AppError} `resource_not_found` for a user who is not enrolled in the assignment's course */
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
  const extension = {
    student_id: student._id,
    due_at: new Date(body.due_at),
    closes_at: toDate(body.closes_at),
  }
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
