import type { CriterionGrade, Grade, ReviewReason } from '@assay/shared/grades.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import { mergeBoxes } from '../../../components/pdf/merge-boxes.ts'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'
import { criterionTags, criterionTitle } from '../grade-labels.ts'

/** Shared by a mark on the paper and a row of the card. */
export const criterionHighlightGroup = (criterionGradeId: number) => `criterion ${criterionGradeId}`

/** The mark of the reason's answer, else one shared by reasons at its place; null without a place. */
export function reasonHighlight(grade: Grade, index: number): { group: string; page: number } | null {
  const reason = grade.review_reasons[index]
  const answer = answerOf(grade, reason?.question_id)
  if (answer?.evidence[0]) return { group: criterionHighlightGroup(answer.id), page: answer.evidence[0].page }
  const first = reason?.evidence?.[0]
  if (!first) return null
  const place = JSON.stringify(reason.evidence)
  const sameAs = grade.review_reasons.findIndex((one) => JSON.stringify(one.evidence) === place)
  return { group: reasonHighlightGroup(sameAs), page: first.page }
}

const answerOf = (grade: Grade, questionId: string | undefined) =>
  grade.criterion_grades_collection.find((one) => one.question_id === questionId)

export function answersOfReason(
  grade: Grade,
  { question_ids = [] }: ReviewReason,
): { group: string; number: string }[] {
  if (question_ids.length < 2) return []
  return question_ids.flatMap((id) => {
    const answer = answerOf(grade, id)
    return answer?.label ? [{ group: criterionHighlightGroup(answer.id), number: answer.label.number }] : []
  })
}

const reasonHighlightGroup = (index: number) => `reason ${index}`

function highlightsOf(evidence: Evidence[], mark: Pick<PdfHighlight, 'group' | 'tag' | 'label'>): PdfHighlight[] {
  return [...Map.groupBy(evidence, (one) => one.page)].flatMap(([page, here]) =>
    mergeBoxes(here.map((one) => one.box)).map((box) => ({ ...mark, page, box })),
  )
}

export function criterionHighlights(
  criteria: Pick<CriterionGrade, 'id' | 'label' | 'criterion_text' | 'evidence'>[],
): PdfHighlight[] {
  const tags = criterionTags(criteria)
  return shareTags(
    criteria.flatMap((criterion, index) =>
      highlightsOf(criterion.evidence, {
        group: criterionHighlightGroup(criterion.id),
        tag: tags[index] ?? '',
        label: `Evidence for ${tags[index]}: ${criterionTitle(criterion)}`,
      }),
    ),
  )
}

/** Criteria that rest on the same words (`2 a` to `2 d`) share one tag, at the first, which lies on top. */
function shareTags(marks: PdfHighlight[]): PdfHighlight[] {
  const places = Map.groupBy(marks, ({ page, box }) => `${page} ${JSON.stringify(box)}`)
  return [...places.values()].flatMap((same) => {
    const [first, last] = [same[0], same.at(-1)]
    if (!first || !last || first === last) return same
    // `2 a–d`: the second without the common beginning.
    const tag = `${first.tag}–${/[^ .]+$/.exec(last.tag)?.[0] ?? last.tag}`
    return [
      ...same.slice(1).map((mark) => ({ ...mark, tag: '' })),
      { ...first, tag, label: first.label.replace(first.tag, tag) },
    ]
  })
}

export function evidenceHighlights(grade: Grade): PdfHighlight[] {
  const criteria = criterionHighlights(grade.criterion_grades_collection)
  const reasons = grade.review_reasons.flatMap((reason, index) => {
    const group = reasonHighlightGroup(index)
    const own = reasonHighlight(grade, index)?.group === group
    return own ? highlightsOf(reason.evidence ?? [], { group, tag: '!', label: reason.message }) : []
  })
  return [...criteria, ...reasons]
}
