const RETRACTED =
  /^.*[\p{L}\d)][\s.…,;:—–-]*\b(?:oh\s+)?(?:no,?\s+wait|wait,?\s+no|no\s+sorry|sorry|correction|scratch\s+that|i\s+mean|actually|(?<=[.…,;—–-]\s*)no(?=\s*[,:]))\b[,:.]?\s*(?=\S)/isu

/** “240 … no wait, it's 420”: what is left after the writer took something back. */
export const correctedAnswer = (answer: string): string => answer.replace(RETRACTED, '')
