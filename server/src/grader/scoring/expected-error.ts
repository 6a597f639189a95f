/** Logistic regression of |error| by share of the points, on teachers' scores of public sets (`docs/grading.md`). */

/** Agreement in words is never as sure as a number that is right: 1 in 14 full marks were worth nothing. */
const LEAST_ERROR = 0.105

const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds))
/** 1 half-way between nothing and all, 0 at both. */
const doubt = (share: number): number => 4 * share * (1 - share)

/** For mostly right-or-wrong questions. `length`: different terms, as only long answers may paraphrase the key. */
export function errorOfOneMark(share: number, length: number): number {
  const said = Math.max(0, Math.min(3.6, Math.log(Math.max(1, length))) - 2)
  const odds = -2.34 + 0.42 * share + 2.17 * doubt(share) + (1.57 * (1 - share) - 1.37 * doubt(share)) * said
  return Math.max(LEAST_ERROR, logistic(odds))
}

/** For several marks, where part of the idea earns part of them. */
export const errorOfMarks = (share: number): number => Math.max(LEAST_ERROR, logistic(-2.24 + 1.6 * doubt(share)))
