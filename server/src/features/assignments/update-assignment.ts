import type { updateAssignment as updateAssignmentEndpoint } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { type AssignmentDates, type DateProblem, dateProblems } from '@assay/shared/rules/dates.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { requireNamesShown } from '../anonymity/hidden-names.ts'
import { timeZoneOf } from '../courses/course.service.ts'
import type { AssignmentHooks } from './assignment.present.ts'
import { releasedScoresDue, requireAssignment } from './assignment.service.ts'
import { datesOf } from './assignment-dates.ts'

type AssignmentChange = BodyOf<typeof updateAssignmentEndpoint>

export const toDate = (moment: string | null | undefined): Date | null => (moment ? new Date(moment) : null)

export function assertValidDates(problems: DateProblem[]): void {
  if (problems.length === 0) return
  throw new AppError('validation_failed', problems[0]?.message, {
    details: problems.map(({ field, message }) => ({ loc: ['body', field], msg: message, type: 'dates' })),
  })
}

type DatesChange = Pick<AssignmentChange, keyof AssignmentDates>

export const mergeDates = (now: AssignmentDates, change: DatesChange): AssignmentDates => ({
  available_at: change.available_at === undefined ? now.available_at : toDate(change.available_at),
  due_at: change.due_at === undefined ? now.due_at : toDate(change.due_at),
  closes_at: change.closes_at === undefined ? now.closes_at : toDate(change.closes_at),
  late_rule: change.late_rule ?? now.late_rule,
})

/**
 * A published assignment keeps its course, or former students would lose their grades. So does one that hides names:
 * papers that lose their owners tell whose they are. @throws {AppError} `validation_failed`, `conflict`, `names_hidden`
 */
export async function updateAssignment(
  assignment: AssignmentDoc,
  change: AssignmentChange,
  actor: Actor,
  now: Date,
  hooks: Pick<AssignmentHooks, 'moveSubmissionsToCourse' | 'recomputeLateness'>,
): Promise<AssignmentDoc> {
  const dates = mergeDates(datesOf(assignment), change)
  assertValidDates(dateProblems(dates))
  const course_id = change.course_id === undefined ? assignment.course_id : change.course_id
  const moved = course_id !== assignment.course_id
  if (moved && assignment.status === 'published') throw new AppError('conflict', UNPUBLISH_FIRST)
  if (moved) requireNamesShown(assignment)
  const groups = change.groups === undefined ? (assignment.groups ?? null) : change.groups
  const next = { title: change.name ?? assignment.title, course_id, ...dates, groups }
  const changed = await AssignmentModel.updateOne(
    {
      _id: assignment._id,
      ...(moved ? { status: 'draft', course_id: assignment.course_id, 'anonymous.names_hidden': { $ne: true } } : {}),
    },
    {
      $set: {
        ...next,
        ...(moved ? { extensions: [], announcement: null, time_zone: await timeZoneOf(course_id) } : {}),
        ...releasedScoresDue(assignment),
        updated_at: now,
      },
    },
  )
  if (changed.matchedCount === 0) throw new AppError('conflict', UNPUBLISH_FIRST)
  if (moved) {
    await hooks.moveSubmissionsToCourse(assignment, course_id)
    await markScoresChanged(assignment._id)
  }
  const after = await requireAssignment(assignment._id)
  await hooks.recomputeLateness(after)
  const before = {
    title: assignment.title,
    course_id: assignment.course_id,
    ...datesOf(assignment),
    groups: assignment.groups ?? null,
  }
  const subject = { assignment_id: assignment._id }
  await recordAudit(actor, 'assignment.changed', subject, now, { before, after: next })
  return after
}

const UNPUBLISH_FIRST =
  'The course of a published assignment cannot be changed. Unpublish it, change the course, then publish it again.'
