import type { MarkableAnswer } from './markable-answer.ts'

/** Of unmarked answers, as a share of the points; 0 where none are left. */
export function meanExpectedError(answers: readonly MarkableAnswer[]): number {
  let [sum, students] = [0, 0]
  for (const { decided, error, count } of answers) {
    if (decided) continue
    sum += count * error
    students += count
  }
  return students > 0 ? sum / students : 0
}
