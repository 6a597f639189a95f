/** From this confidence on (0..1) the grader is called sure of a criterion, unless a flag names its question. */
export const SURE_CONFIDENCE = 0.9
