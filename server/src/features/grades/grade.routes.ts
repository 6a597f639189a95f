import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import {
  type CriterionGrade,
  exportGrades,
  type Grade,
  type GradeOverride,
  listRetainedGrades,
  overrideGrade,
} from '@assay/shared/grades.ts'
import { criterionLabels } from '@assay/shared/rules/criterion-labels.ts'
import { getSubmission, type Submission, type SubmissionOrder } from '@assay/shared/submissions.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { unsettledReasons } from '../../grader/scoring/teacher-scores.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import { fileToSave } from '../../lib/http/made-file.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames, hideTexts, requireNamesShown, type TextMask } from '../anonymity/hidden-names.ts'
import { type AssignmentHooks, presentAssignment } from '../assignments/assignment.present.ts'
import {
  markPublished,
  markUnpublished,
  requestAnnouncement,
  requireAssignment,
  requireAssignmentFor,
} from '../assignments/assignment.service.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findNeighbours } from '../submissions/list/submission-list.ts'
import { queueAnnouncements, queueReminders } from '../submissions/reminder-job.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { findCriterionGrades } from './grade.service.ts'
import { itemsOfCriterion, withoutOutdatedFeedback } from './grade-items.ts'
import { findRetainedGrades, streamGradebook, streamGradesCsv } from './grades-csv.ts'
import { findPenMarks } from './pen-marks/pen-mark.service.ts'
import { recordOverride, requireGradeOf } from './record-override.ts'
import { releaseAll, withdrawAll } from './release.service.ts'
import { notifyReleased } from './release-notification.ts'
import { findItemsById, type ItemsById } from './rubric-items/rubric-item.service.ts'

/** Feedback comes back masked, but is stored with names. `criteria`: as suggested. */
function withNamesRevealed(
  { grade }: SubmissionDoc,
  override: GradeOverride,
  criteria: readonly CriterionGrade[],
  mask: TextMask,
): GradeOverride {
  const { human_review_notes: notes, criteria: changes } = override
  const suggested = new Map(criteria.map(({ criterion_id, llm_feedback }) => [criterion_id, llm_feedback]))
  const originalOf = (id: string) => grade?.criterion_feedback?.[id] ?? suggested.get(id) ?? ''
  return {
    ...override,
    human_review_notes: notes === null ? null : mask.reveal(notes, grade?.manual_feedback ?? grade?.summary ?? ''),
    ...(changes && {
      criteria: changes.map((change) =>
        change.feedback
          ? { ...change, feedback: mask.reveal(change.feedback, originalOf(change.criterion_id)) }
          : change,
      ),
    }),
  }
}

export function gradeRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getSubmission, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentSubmission(await requireSubmission(params), assignment, query, services)
  })

  handle(router, overrideGrade, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mask = await services.names.maskFor(assignment)
    const suggested = (await findCriterionGrades(params.gradeId)) ?? []
    const decision = withNamesRevealed(submission, body, suggested, mask)
    const changed = await recordOverride(assignment, submission, params.gradeId, decision, actor, clock.now())
    await notifySubmissionChanged(changed, services)
    if (changed.grade?.released)
      await notifyReleased(assignment, changed._id, services, { debounced: body.reviewed === false })
    const [criteria, items] = await Promise.all([
      findCriterionGrades(params.gradeId),
      findItemsById(changed.grade?.applied_items ?? []),
    ])
    return presentGrade(assignment, requireGradeOf(changed, params.gradeId), { criteria, items }, mask)
  })

  handle(router, listRetainedGrades, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return (await findRetainedGrades(assignment._id)).map(({ _id, placeholder, final_score, released_at }) => ({
      id: _id,
      placeholder,
      final_score,
      released_at: released_at.toISOString(),
    }))
  })

  handle(router, exportGrades, async ({ params, query: { format, suggestions }, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const csv = format
      ? streamGradebook(requireNamesShown(assignment), { format, suggestions: suggestions === 'yes' }, services)
      : streamGradesCsv(assignment, services)
    const name = `assignment_${assignment._id}_grades${format ? `_${format}` : ''}.csv`
    return fileToSave(name, 'text/csv; charset=utf-8', csv)
  })
}

async function presentGrade(
  assignment: AssignmentDoc,
  grade: GradeOfSubmission,
  { criteria, items }: { criteria: CriterionGrade[] | null; items: ItemsById },
  mask: TextMask,
): Promise<Grade> {
  const labels = criterionLabels(assignment.rubric?.questions)
  const outdated = await outdatedVersions(assignment)
  const presented: Grade = {
    id: grade.id,
    revision: grade.revision,
    overall_score: grade.overall_score,
    manual_score_override: grade.manual_score_override,
    override_from_points: grade.override_from_points ?? false,
    final_score_after_review: grade.manual_score_override ?? grade.overall_score,
    unscored_points: grade.unscored_points ?? 0,
    points: grade.points ?? null,
    manual_feedback: grade.manual_feedback,
    needs_review: grade.needs_review,
    review_reasons: unsettledReasons(grade.review_reasons, criteria ?? [], grade.decisions),
    llm_summary_feedback: grade.summary,
    confidence: grade.confidence,
    criterion_grades_collection: withoutOutdatedFeedback(criteria ?? [], grade, outdated).map((criterion) => {
      const teacher_score = grade.decisions?.[criterion.criterion_id]
      const label = labels.get(criterion.criterion_id)
      const teacher_feedback = grade.criterion_feedback?.[criterion.criterion_id]
      const own = itemsOfCriterion(grade, criterion.criterion_id, items)
      return {
        ...criterion,
        ...(label ? { label } : {}),
        ...(teacher_score === undefined ? {} : { teacher_score }),
        ...(teacher_feedback === undefined ? {} : { teacher_feedback }),
        ...(own.length > 0
          ? { items: own.map(({ _id: id, kind, points, text }) => ({ id, kind, points, text })) }
          : {}),
      }
    }),
    grader: { name: grade.grader.name, version: grade.grader.version },
    graded_at: grade.graded_at.toISOString(),
    reviewed_at: grade.reviewed_at?.toISOString() ?? null,
    released: grade.released,
  }
  return hideTexts(presented, mask)
}

async function presentSubmission(
  submission: SubmissionDoc,
  assignment: AssignmentDoc,
  order: SubmissionOrder,
  services: Pick<Services, 'names'>,
): Promise<Submission> {
  const [[row], neighbours, details, items, mask, pen] = await Promise.all([
    presentRows(assignment, [submission], services),
    findNeighbours(assignment, submission, order),
    submission.grade ? findCriterionGrades(submission.grade.id) : null,
    findItemsById(submission.grade?.applied_items ?? []),
    services.names.maskFor(assignment),
    findPenMarks(submission, 'grader'),
  ])
  if (!row) throw new Error('one in, one out')
  const { turned_pages = [], member_points = [] } = submission
  const people = hidesNames(assignment) ? [] : peopleOf(submission)
  const exceptions = member_points.filter(({ student_id }) => people.includes(student_id))
  const photos = hidesNames(assignment) ? undefined : submission.file.photos
  return {
    ...row,
    ...neighbours,
    turned_pages: hidesNames(assignment) ? [] : turned_pages,
    ...(exceptions.length > 0 ? { exceptions } : {}),
    ...(pen.length > 0 && { pen_marks: pen }),
    ...(photos && { photos: photos.map(({ type }) => ({ type })) }),
    grade: submission.grade && (await presentGrade(assignment, submission.grade, { criteria: details, items }, mask)),
  }
}

export function publishRoutes(router: Router, services: Services, hooks: AssignmentHooks): void {
  const { clock } = services

  handle(router, publishAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await requestAnnouncement(assignment)
    const which = body?.reviewed_only ? 'unreleased_reviewed' : 'unreleased'
    const published = await publish(assignment, actor, clock.now(), which)
    await queueAnnouncements(services, published)
    await queueReminders(services)
    await notifyReleased(published, null, services)
    return presentAssignment(published, clock.now(), hooks)
  })

  handle(router, unpublishAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const clearLmsScores = body?.clear_lms_scores ?? false
    const hidden = await unpublish(assignment, actor, clock.now(), clearLmsScores)
    return presentAssignment(hidden, clock.now(), hooks)
  })
}

/** Run again, it releases the grades made since. */
export async function publish(
  assignment: AssignmentDoc,
  actor: Actor,
  now: Date,
  which: 'unreleased' | 'unreleased_reviewed' = 'unreleased',
): Promise<AssignmentDoc> {
  await releaseAll(assignment, now, which)
  await markPublished(assignment, now)
  // Decisions made in between saw no published assignment.
  await releaseAll(assignment, now, which)
  await recordAudit(actor, 'assignment.published', { assignment_id: assignment._id }, now)
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}

/** Hides first. Scores sent to an LMS are removed only on request. */
export async function unpublish(
  assignment: AssignmentDoc,
  actor: Actor,
  now: Date,
  clearLmsScores: boolean,
): Promise<AssignmentDoc> {
  await markUnpublished(assignment, clearLmsScores, now)
  await withdrawAll(assignment)
  await recordAudit(actor, 'assignment.unpublished', { assignment_id: assignment._id }, now, {
    after: clearLmsScores ? { clear_lms_scores: true } : null,
  })
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}
