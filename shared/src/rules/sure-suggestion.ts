/** Confidence (0..1), unless a flag names its question. */
export const SURE_CONFIDENCE = 0.9
