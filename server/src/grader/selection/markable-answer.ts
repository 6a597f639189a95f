/** A different answer to one question, as it stands now. */
export interface MarkableAnswer {
  /** The grader's own share of the points, 0..1, before any decision of the teacher's. */
  share: number
  /** How far off the present suggestion is expected to be, as a share of the points: 1 less its confidence. 1 where there is no score. */
  error: number
  /** How many students wrote it. */
  count: number
  /** Judged by degrees: a decision on it tells of others, and theirs of it. What is right or wrong by rule stands alone. */
  comparable: boolean
  /** The teacher has marked it. */
  decided: boolean
}
