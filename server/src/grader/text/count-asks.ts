/** Where a prompt goes on to ask something else: “What is it, and where?”, “Which is larger and why?”. */
const FURTHER_ASK =
  /(?:[,;?.]|\band\b|\bor\b)\s+(?:in\s+|at\s+|to\s+|for\s+|by\s+)?(?:what|where|when|who|whom|whose|why|how|which)\b/giu

/** At least one. */
export const countAsks = (prompt: string): number => 1 + [...prompt.matchAll(FURTHER_ASK)].length
