import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import { mergeBoxes } from '../../../components/pdf/merge-boxes.ts'
import type { PdfHighlight } from '../../../components/pdf/PdfHighlights.tsx'

/** What a mark on the paper and a row of the card have in common. */
export const criterionHighlightGroup = (criterionGradeId: number) => `criterion ${criterionGradeId}`

/**
 * The mark a reason points to: that of the answer it speaks of, else one of its own, which reasons that speak of the
 * same place share. Null where there is no place.
 */
export function reasonHighlight(grade: Grade, index: number): { group: string; page: number } | null {
  const reason = grade.review_reasons[index]
  const answer = grade.criterion_grades_collection.find((one) => one.question_id === reason?.question_id)
  if (answer?.evidence[0]) return { group: criterionHighlightGroup(answer.id), page: answer.evidence[0].page }
  const first = reason?.evidence?.[0]
  if (!first) return null
  const place = JSON.stringify(reason.evidence)
  const sameAs = grade.review_reasons.findIndex((one) => JSON.stringify(one.evidence) === place)
  return { group: reasonHighlightGroup(sameAs), page: first.page }
}

const reasonHighlightGroup = (index: number) => `reason ${index}`

function highlightsOf(evidence: Evidence[], mark: Pick<PdfHighlight, 'group' | 'tag' | 'label'>): PdfHighlight[] {
  return [...Map.groupBy(evidence, (one) => one.page)].flatMap(([page, here]) =>
    mergeBoxes(here.map((one) => one.box)).map((box) => ({ ...mark, page, box })),
  )
}

/** Where on the paper the criteria rest, numbered as they are listed. */
export function criterionHighlights(
  criteria: Pick<CriterionGrade, 'id' | 'criterion_text' | 'evidence'>[],
): PdfHighlight[] {
  return criteria.flatMap((criterion, index) =>
    highlightsOf(criterion.evidence, {
      group: criterionHighlightGroup(criterion.id),
      tag: String(index + 1),
      label: `Evidence for ${index + 1}: ${criterion.criterion_text}`,
    }),
  )
}

/** Every place on the paper that the grade speaks of. */
export function evidenceHighlights(grade: Grade): PdfHighlight[] {
  const criteria = criterionHighlights(grade.criterion_grades_collection)
  const reasons = grade.review_reasons.flatMap((reason, index) => {
    const group = reasonHighlightGroup(index)
    const own = reasonHighlight(grade, index)?.group === group
    return own ? highlightsOf(reason.evidence ?? [], { group, tag: '!', label: reason.message }) : []
  })
  return [...criteria, ...reasons]
}
