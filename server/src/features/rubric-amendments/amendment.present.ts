import { ANSWER_EXCERPT_LENGTH } from '@assay/shared/questions.ts'
import type { AmendmentPreview, LikeAnswer, RubricAmendment } from '@assay/shared/rubric-amendments.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AmendedAnswer } from '../../records/grading/rubric-amendment.model.ts'
import type { Services } from '../../services.ts'
import type { ShownPapers } from '../questions/question.present.ts'
import { answerTexts, showPapers } from '../questions/question.service.ts'
import { requireVersion } from '../rubrics/rubric.service.ts'
import { namesById } from '../users/user.service.ts'
import { type AmendmentDraft, type AmendmentHead, criterionOf } from './amendment.service.ts'
import { sumOf } from './apply-amendment.ts'

/** With the words as a grader may see them. */
export async function presentAmendment(
  assignment: AssignmentDoc,
  amendment: AmendmentHead,
  { maskOf }: Pick<ShownPapers, 'maskOf'>,
): Promise<RubricAmendment> {
  const { rubric } = await requireVersion(assignment, amendment.rubric_version)
  const { question } = criterionOf(rubric, amendment.criterion_id)
  const { state, undo, changed, skipped } = amendment
  const restored = undo?.restored.length ?? 0
  return {
    id: amendment._id,
    kind: amendment.kind,
    text: maskOf(amendment.submission_id).hide(amendment.text),
    question: { id: question.id, number: question.number },
    state,
    result: state === 'applied' ? { changed: changed.length, skipped } : null,
    undone: state === 'undone' ? { restored, left: Math.max(0, changed.length - restored) } : null,
    created_at: amendment.created_at.toISOString(),
  }
}

/** Without names where the assignment hides them. */
export async function presentPreview(
  assignment: AssignmentDoc,
  { question_id, criterion_id, granted }: AmendmentDraft,
  answers: AmendedAnswer[],
  services: Pick<Services, 'names'>,
): Promise<AmendmentPreview> {
  const ids = answers.map(({ submission_id }) => submission_id)
  const [{ labels, maskOf }, texts, people] = await Promise.all([
    showPapers(assignment, answers, services),
    answerTexts(assignment._id, question_id, ids),
    namesById(answers.flatMap(({ decided_by }) => decided_by ?? [])),
  ])
  const listed = answers.flatMap((row): LikeAnswer[] => {
    const { submission_id: id, before, after, by, decided, decided_by, released, whole_score } = row
    const student = labels.get(id)
    if (student === undefined) return []
    const text = maskOf(id).hide(texts.get(id) ?? '')
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
