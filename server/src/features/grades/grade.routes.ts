import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type CriterionGrade,
  exportGrades,
  type GradeOverride,
  listRetainedGrades,
  overrideGrade,
} from '@assay/shared/grades.ts'
import { criterionLabels } from '@assay/shared/rules/criterion-labels.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { Router } from 'express'
import { handle, RawReply } from '../../lib/http/handle.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import type { TextMask } from '../anonymous-grading/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { findItemsById } from '../rubric-items/rubric-item.service.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { presentGrade, presentSubmission } from './grade.present.ts'
import { findCriterionGrades, recordOverride, requireGradeOf } from './grade.service.ts'
import { findRetainedGrades, streamGradesCsv } from './grades-csv.ts'
import { notifyReleased } from './release-notification.ts'

/** Feedback comes back as it was shown, with names masked: what is stored keeps them. `criteria`: as the grader suggested them. */
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

export function gradeRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, getSubmission, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentSubmission(await requireSubmission(params), assignment, query, services)
  })

  handle(router, overrideGrade, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mask = await services.names.maskFor(assignment, submission)
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
    return presentGrade(
      requireGradeOf(changed, params.gradeId),
      criteria,
      { labels: criterionLabels(assignment.rubric?.questions), items },
      mask,
    )
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

  handle(router, exportGrades, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return new RawReply(async (response) => {
      response.type('text/csv; charset=utf-8')
      response.attachment(`assignment_${assignment._id}_grades.csv`)
      await pipeline(Readable.from(streamGradesCsv(assignment, services)), response)
    })
  })

  return router
}
