/** What was chosen by measuring; `npm run bench:grader` shows what each does to files it was not chosen on. */
export interface SignalSettings {
  /** What is left of a term's weight when the question has it. */
  demoted: number
  /** Share of the others that count as its better part. */
  top: number
  /** Share of the better part that must use a word for it to count. */
  common: number
  turnedCosts: number
  /** How much being nearer to the others than usual adds. */
  central: number
  /** What each e-fold of length adds. */
  length: number
  /** What another word for the same counts. */
  synonym: number
  /** Different terms of an answer whose error is expected to be a short one's, and a long one's. */
  short: number
  long: number
}

export const DEFAULT_SIGNAL_SETTINGS: Readonly<SignalSettings> = {
  demoted: 0.2,
  top: 0.5,
  common: 0.12,
  turnedCosts: 0.2,
  central: 0.3,
  length: 0.025,
  synonym: 0.7,
  short: 4,
  long: 15,
}
