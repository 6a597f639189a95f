/** SQLite's checksum of its write-ahead log, used for pages of the main file as well: two 32-bit sums. */
export interface Checksum {
  first: number
  second: number
}

/**
 * Adds up 32-bit words `from` to `to`, two at a time, starting from zero. Each bit counts: the factors of a word in the two sums are
 * neighbours in the Fibonacci sequence, so one of them is odd. Several times as fast as zlib's CRC-32 on a page.
 */
export function checksumOf(words: Int32Array, from: number, to: number): Checksum {
  let first = 0
  let second = 0
  for (let at = from; at < to; at += 2) {
    first = (first + (words[at] as number) + second) | 0
    second = (second + (words[at + 1] as number) + first) | 0
  }
  return { first, second }
}

/** Continues a checksum over words whose own checksum is known, without adding them up again. */
export type Continuation = (before: Checksum, added: Checksum) => Checksum

/** For stretches of `words` words. A pair of words takes (first, second) to (first + second, first + 2 · second), so many pairs take it to a power of that matrix. */
export function continuationOver(words: number): Continuation {
  let [a, b, c] = [1, 0, 1]
  for (let pair = 0; pair < words / 2; pair++) [a, b, c] = [(a + b) | 0, (b + c) | 0, (b + c + c) | 0]
  const [ofFirst, mixed, ofSecond] = [a, b, c]
  return (before, added) => ({
    first: (Math.imul(ofFirst, before.first) + Math.imul(mixed, before.second) + added.first) | 0,
    second: (Math.imul(mixed, before.first) + Math.imul(ofSecond, before.second) + added.second) | 0,
  })
}
