import { ANSWER_EXCERPT_LENGTH } from '@assay/shared/questions.ts'
import type { AmendmentSummary, LikeAnswer, RubricAmendment } from '@assay/shared/rubric-amendments.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import type { Services } from '../../services.ts'
import type { ShownPapers } from '../questions/question.present.ts'
import { answerTexts, showPapers } from '../questions/question.service.ts'
import { requireVersion } from '../rubrics/rubric.service.ts'
import { namesById } from '../users/user.service.ts'
import { type AmendmentHead, criterionOf } from './amendment.service.ts'
import { sumOf } from './apply-amendment.ts'

/** With the words as a grader may see them. */
export async function presentSummary(
  assignment: AssignmentDoc,
  amendment: AmendmentHead,
  { maskOf }: Pick<ShownPapers, 'maskOf'>,
): Promise<AmendmentSummary> {
  const { rubric } = await requireVersion(assignment, amendment.rubric_version)
  const { question, criterion } = criterionOf(rubric, amendment.criterion_id)
  const { state, done, total, undo, changed } = amendment
  const restored = undo?.restored.length ?? 0
  return {
    id: amendment._id,
    regrade_id: amendment.regrade_id,
    submission_id: amendment.submission_id,
    kind: amendment.kind,
    text: maskOf(amendment.submission_id).hide(amendment.text),
    question: { id: question.id, number: question.number, points: questionPoints(question) },
    criterion: { id: criterion.id, text: criterion.text, points: criterion.points },
    granted: amendment.granted,
    state,
    progress: { done, total },
    failure: amendment.failure,
    result: state === 'applied' ? { changed: amendment.changed.length, skipped: amendment.skipped } : null,
    undone: state === 'undone' ? { restored, left: Math.max(0, changed.length - restored) } : null,
    created_at: amendment.created_at.toISOString(),
  }
}

/** Without names where the assignment hides them. */
export async function presentAmendment(
  assignment: AssignmentDoc,
  amendment: RubricAmendmentDoc,
  services: Pick<Services, 'names'>,
): Promise<RubricAmendment> {
  // Asked for each second while it is computed or applied: the list is only to choose from.
  const answers = amendment.state === 'ready' ? amendment.answers : []
  const { question_id } = amendment
  const ids = answers.map(({ submission_id }) => submission_id)
  const [{ labels, maskOf }, texts, people] = await Promise.all([
    showPapers(assignment, [...answers, amendment], services),
    answerTexts(assignment._id, question_id, ids),
    namesById(answers.flatMap(({ decided_by }) => decided_by ?? [])),
  ])
  const listed = answers.flatMap((row): LikeAnswer[] => {
    const { submission_id: id, before, after, by, decided_by, released, whole_score } = row
    const student = labels.get(id)
    if (student === undefined) return []
    return [
      {
        submission_id: id,
        student,
        excerpt: maskOf(id)
          .hide(texts.get(id) ?? '')
          .slice(0, ANSWER_EXCERPT_LENGTH),
        points: Object.keys(before).length === 0 ? null : sumOf(before),
        points_then: sumOf({ ...before, ...after }),
        by,
        decided_by: decided_by === null ? null : (people.get(decided_by) ?? 'a former teacher'),
        released,
        whole_score,
      },
    ]
  })
  return {
    ...(await presentSummary(assignment, amendment, { maskOf })),
    answers: listed.sort((a, b) => gain(b) - gain(a) || a.submission_id - b.submission_id),
  }
}

const gain = ({ points, points_then }: LikeAnswer) => points_then - (points ?? 0)
