import { ANSWER_EXCERPT_LENGTH } from '@assay/shared/questions.ts'
import {
  type AmendmentPreview,
  applyAmendment,
  type LikeAnswer,
  listAmendments,
  previewAmendment,
  type RubricAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import type { Router } from 'express'
import { handle } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { AmendedAnswer } from '../../../records/grading/rubric-amendment.model.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import type { ShownPapers } from '../../questions/question.present.ts'
import { answerTexts, showPapers } from '../../questions/question.service.ts'
import { requireVersion } from '../../rubrics/rubric.service.ts'
import { namesById } from '../../users/user.service.ts'
import { requireRegrade } from '../regrade.service.ts'
import {
  type AmendmentDraft,
  type AmendmentHead,
  criterionOf,
  findAmendmentsOf,
  requireAmendment,
  requireDraft,
} from './amendment.service.ts'
import { type Amendments, sumOf } from './apply-amendment.ts'
import { compareRubrics, countGroup } from './compare-rubrics.ts'

export function amendmentRoutes(router: Router, services: Services, amendments: Pick<Amendments, 'apply' | 'undo'>) {
  handle(router, previewAmendment, async ({ params, body, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const draft = await requireDraft(assignment, body)
    const { answers } = await compareRubrics(assignment, draft, services, signal)
    return presentPreview(assignment, draft, answers, services)
  })

  handle(router, applyAmendment, async ({ params, body, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const applied = await amendments.apply(assignment, body, actor, signal)
    return presentAmendment(assignment, applied, await showPapers(assignment, [applied], services))
  })

  handle(router, listAmendments, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const request = await requireRegrade(assignment._id, params.regradeId)
    const papers = await showPapers(assignment, [request], services)
    const found = await findAmendmentsOf(request)
    const { submission_id, question, criterion } = request
    const criterion_id = criterion?.criterion_id
    const isAsked = assignment.rubric?.questions.some(({ id }) => id === question?.id)
    return {
      amendments: await Promise.all(found.map((amendment) => presentAmendment(assignment, amendment, papers))),
      group:
        question && criterion_id !== undefined && isAsked
          ? await countGroup(assignment, { question_id: question.id, submission_id, criterion_id })
          : null,
    }
  })

  handle(router, undoAmendment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await requireAmendment(assignment._id, params.amendmentId)
    const undone = await amendments.undo(assignment, amendment, actor)
    return presentAmendment(assignment, undone, await showPapers(assignment, [undone], services))
  })
}

async function presentAmendment(
  assignment: AssignmentDoc,
  amendment: AmendmentHead,
  { mask }: Pick<ShownPapers, 'mask'>,
): Promise<RubricAmendment> {
  const { rubric } = await requireVersion(assignment, amendment.rubric_version)
  const { question } = criterionOf(rubric, amendment.criterion_id)
  const { state, undo, changed, skipped } = amendment
  const restored = undo?.restored.length ?? 0
  return {
    id: amendment._id,
    kind: amendment.kind,
    text: mask.hide(amendment.text),
    question: { id: question.id, number: question.number },
    state,
    result: state === 'applied' ? { changed: changed.length, skipped } : null,
    undone: state === 'undone' ? { restored, left: Math.max(0, changed.length - restored) } : null,
    created_at: amendment.created_at.toISOString(),
  }
}

export async function presentPreview(
  assignment: AssignmentDoc,
  { question_id, criterion_id, granted }: AmendmentDraft,
  answers: AmendedAnswer[],
  services: Pick<Services, 'names'>,
): Promise<AmendmentPreview> {
  const ids = answers.map(({ submission_id }) => submission_id)
  const [{ labels, mask }, texts, people] = await Promise.all([
    showPapers(assignment, answers, services),
    answerTexts(assignment._id, question_id, ids),
    namesById(answers.flatMap(({ decided_by }) => decided_by ?? [])),
  ])
  const listed = answers.flatMap((row): LikeAnswer[] => {
    const { submission_id: id, before, after, by, decided, decided_by, released, whole_score } = row
    const student = labels.get(id)
    if (student === undefined) return []
    const text = mask.hide(texts.get(id) ?? '')
    return [
      {
        submission_id: id,
        student,
        excerpt: text.slice(0, ANSWER_EXCERPT_LENGTH),
        points: Object.keys(before).length === 0 ? null : sumOf(before),
        points_then: sumOf({ ...before, ...after }),
        by,
        decided,
        decided_by: decided_by === null ? null : (people.get(decided_by) ?? 'a former teacher'),
        released,
        whole_score,
      },
    ]
  })
  const { criterion } = criterionOf(assignment.rubric, criterion_id)
  const gain = ({ points, points_then }: LikeAnswer) => points_then - (points ?? 0)
  return {
    rubric_version: assignment.rubric_version,
    criterion: { id: criterion.id, points: criterion.points },
    granted,
    answers: listed.sort((a, b) => gain(b) - gain(a) || a.submission_id - b.submission_id),
  }
}
