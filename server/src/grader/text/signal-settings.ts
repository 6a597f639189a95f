/** Chosen by measuring; `npm run bench:grader` shows each on unseen files. */
export interface SignalSettings {
  /** Factor for terms of the question. */
  questionTermFactor: number
  /** Share of the others that is the better part. */
  topShare: number
  /** Share of the better part that must use a word. */
  minTopUse: number
  negationPenalty: number
  centralityWeight: number
  /** For each e-fold of length. */
  lengthWeight: number
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
