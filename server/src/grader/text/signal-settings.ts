/** What was chosen by measuring; `npm run bench:grader` shows what each does to files it was not chosen on. */
export interface SignalSettings {
  /** What is left of a term's weight when the question has it. */
  questionTermFactor: number
  /** Share of the others that count as its better part. */
  topShare: number
  /** Share of the better part that must use a word for it to count. */
  minTopUse: number
  negationPenalty: number
  /** How much being nearer to the others than usual adds. */
  centralityWeight: number
  /** What each e-fold of length adds. */
  lengthWeight: number
  /** What another word for the same counts. */
  synonymScore: number
}

export const DEFAULT_SIGNAL_SETTINGS: Readonly<SignalSettings> = {
  questionTermFactor: 0.2,
  topShare: 0.5,
  minTopUse: 0.12,
  negationPenalty: 0.2,
  centralityWeight: 0.3,
  lengthWeight: 0.025,
  synonymScore: 0.7,
}
