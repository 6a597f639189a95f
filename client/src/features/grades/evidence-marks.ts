import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import { joinBoxes } from '../../components/pdf/join-boxes.ts'
import type { PdfMark } from '../../components/pdf/PdfMarks.tsx'

/** What a mark on the paper and a row of the card have in common. */
export const criterionGroup = (criterionGradeId: number) => `criterion ${criterionGradeId}`

/**
 * The mark a reason points to: that of the answer it speaks of, else one of its own, which reasons that speak of the
 * same place share. Null where there is no place.
 */
export function reasonPlace(grade: Grade, index: number): { group: string; page: number } | null {
  const reason = grade.review_reasons[index]
  const answer = grade.criterion_grades_collection.find((one) => one.question_id === reason?.question_id)
  if (answer?.evidence[0]) return { group: criterionGroup(answer.id), page: answer.evidence[0].page }
  const first = reason?.evidence?.[0]
  if (!first) return null
  const place = JSON.stringify(reason.evidence)
  const sameAs = grade.review_reasons.findIndex((one) => JSON.stringify(one.evidence) === place)
  return { group: reasonGroup(sameAs), page: first.page }
}

const reasonGroup = (index: number) => `reason ${index}`

function marksOf(evidence: Evidence[], mark: Pick<PdfMark, 'group' | 'tag' | 'label'>): PdfMark[] {
  return [...Map.groupBy(evidence, (one) => one.page)].flatMap(([page, here]) =>
    joinBoxes(here.map((one) => one.box)).map((box) => ({ ...mark, page, box })),
  )
}

/** Where on the paper the criteria rest, numbered as they are listed. */
export function criterionMarks(
  criteria: Pick<CriterionGrade, 'id' | 'criterion_text' | 'evidence'>[],
): PdfMark[] {
  return criteria.flatMap((criterion, index) =>
    marksOf(criterion.evidence, {
      group: criterionGroup(criterion.id),
      tag: String(index + 1),
      label: `Evidence for ${index + 1}: ${criterion.criterion_text}`,
    }),
  )
}

/** Every place on the paper that the grade speaks of. */
export function evidenceMarks(grade: Grade): PdfMark[] {
  const criteria = criterionMarks(grade.criterion_grades_collection)
  const reasons = grade.review_reasons.flatMap((reason, index) => {
    const group = reasonGroup(index)
    const own = reasonPlace(grade, index)?.group === group
    return own ? marksOf(reason.evidence ?? [], { group, tag: '!', label: reason.message }) : []
  })
  return [...criteria, ...reasons]
}
