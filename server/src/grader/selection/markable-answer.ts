export interface MarkableAnswer {
  /** The grader's own, 0..1, before any decision of the teacher's. */
  share: number
  /** Expected error as a share of the points: 1 less its confidence. 1 without a score. */
  error: number
  /** Students who wrote it. */
  count: number
  /** By degrees: decisions carry over. Answers right or wrong by rule stand alone. */
  comparable: boolean
  decided: boolean
}
