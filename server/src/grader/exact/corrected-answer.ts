const RETRACTED =
  /^.*[\p{L}\d)]\s*(?:[.…,;:—–-]+\s*sorry,?\s+(?=[-−]?\d|it['’]?s\b)|[.…,;:—–-]*\s*(?:oh\s+)?(?:no,?\s+wait|wait,?\s+no|no,?\s+sorry|scratch\s+that)\b|[.…,;—–]+\s*no(?=\s*[,:]))[,:.]?\s*(?=\S)/isu

/** “240 … no wait, it's 420”: what is left after the writer took something back. */
export const correctedAnswer = (answer: string): string => answer.replace(RETRACTED, '')
