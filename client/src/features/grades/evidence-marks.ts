import type { Grade, ReviewReason } from '@assay/shared/grades.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import { joinBoxes } from '../../components/pdf/join-boxes.ts'
import type { PdfMark } from '../../components/pdf/PdfMarks.tsx'

/** What a mark on the paper and a row of the card have in common. */
export const criterionGroup = (criterionGradeId: number) => `criterion ${criterionGradeId}`

/** Reasons that speak of the same place share a mark, named for the first of them. */
export function reasonGroup(reasons: ReviewReason[], index: number): string {
  const place = JSON.stringify(reasons[index]?.evidence)
  return `reason ${reasons.findIndex((one) => JSON.stringify(one.evidence) === place)}`
}

function marksOf(evidence: Evidence[], mark: Pick<PdfMark, 'group' | 'tag' | 'label'>): PdfMark[] {
  return [...Map.groupBy(evidence, (one) => one.page)].flatMap(([page, here]) =>
    joinBoxes(here.map((one) => one.box)).map((box) => ({ ...mark, page, box })),
  )
}

/** Every place on the paper that the grade speaks of. */
export function evidenceMarks(grade: Grade): PdfMark[] {
  const criteria = grade.criterion_grades_collection.flatMap((criterion, index) =>
    marksOf(criterion.evidence, {
      group: criterionGroup(criterion.id),
      tag: String(index + 1),
      label: `Evidence for ${index + 1}: ${criterion.criterion_text}`,
    }),
  )
  const reasons = grade.review_reasons.flatMap((reason, index, all) => {
    const group = reasonGroup(all, index)
    return group === `reason ${index}`
      ? marksOf(reason.evidence ?? [], { group, tag: '!', label: reason.message })
      : []
  })
  return [...criteria, ...reasons]
}
