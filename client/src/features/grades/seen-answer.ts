import type { Grade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'

export function seenAnswer({ id, grade }: Submission & { grade: Grade }, questionId: string) {
  const criteria = grade.criterion_grades_collection.filter(({ question_id }) => question_id === questionId)
  const decided = criteria.flatMap(({ criterion_id, teacher_score }) =>
    teacher_score === undefined ? [] : [[criterion_id, teacher_score] as const],
  )
  return {
    submission_id: id,
    decided: decided.length > 0 ? Object.fromEntries(decided) : null,
    items: criteria.flatMap(({ items = [] }) => items.map((item) => item.id)),
  }
}
