import {
  createAssignment as createAssignmentEndpoint,
  getAssignment,
  listAssignments,
  setNamesHidden,
  updateAssignment as updateAssignmentEndpoint,
} from '@assay/shared/assignments.ts'
import { dateProblems } from '@assay/shared/rules/dates.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames } from '../anonymous-grading/present-student.ts'
import { canCreateCourse, canTeach, requireCourse, requireUnlimited } from '../courses/course.service.ts'
import { requireAssignmentFor } from './assignment.policy.ts'
import { presentAssignment, presentAssignments } from './assignment.present.ts'
import { listManageableAssignments, requireAssignment } from './assignment.service.ts'
import type { AssignmentHooks } from './assignment-hooks.ts'
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

/** Both ways are audited, and the assignment records each time names are shown. Does nothing where it is so already. */
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
  // Somebody else did the same at the same moment.
  if (changed.matchedCount === 0) return after
  if (hide) await recordNamesHidden(after, actor, now)
  else
    await recordAudit(actor, 'names.shown', { assignment_id: after._id }, now, {
      after: { times_shown: after.anonymous?.shown?.length ?? 0 },
    })
  return after
}

function recordNamesHidden({ _id }: Pick<AssignmentDoc, '_id'>, actor: Actor, now: Date): Promise<void> {
  return recordAudit(actor, 'names.hidden', { assignment_id: _id }, now)
}
