import { termsOf, wordsOf } from '../text/terms.ts'
import { characterNgrams, dotProduct, tfIdfVectorOf } from '../text/text-vector.ts'

/** 0..1, by words and spelling. */
export function textSimilarity(texts: readonly string[]): (a: number, b: number) => number {
  const even = () => 1
  const toVectors = (text: string) => ({
    words: tfIdfVectorOf(termsOf(text), even),
    ngrams: tfIdfVectorOf(characterNgrams(wordsOf(text)), even),
  })
  const known = new Map<number, ReturnType<typeof toVectors>>()
  const vectorsOf = (place: number) => {
    const vectors = known.get(place) ?? toVectors(texts[place] ?? '')
    known.set(place, vectors)
    return vectors
  }
  return (a, b) => {
    const [one, other] = [vectorsOf(a), vectorsOf(b)]
    return (dotProduct(one.words, other.words) + dotProduct(one.ngrams, other.ngrams)) / 2
  }
}
