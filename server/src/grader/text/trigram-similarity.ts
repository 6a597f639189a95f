/** 0..1: twice the shared trigrams over all (Dice, 1945). */
export function trigramSimilarity(a: string, b: string): number {
  const [own, other] = [trigramsOf(a), trigramsOf(b)]
  if (own.size + other.size === 0) return 1
  return (2 * [...own].filter((piece) => other.has(piece)).length) / (own.size + other.size)
}

const trigramsOf = (text: string) =>
  new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, i) => text.slice(i, i + 3)))
