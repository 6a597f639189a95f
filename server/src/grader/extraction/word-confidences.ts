import type { Line } from '@assay/shared/papers.ts'

const TELLING = /[\p{L}\p{N}]/u

/** For words left without the print, in order. Empty where OCR read none of it. */
export function wordConfidences(pieces: readonly { line: Line; text: string }[]): number[] {
  return pieces.flatMap(({ line, text }) => {
    if (line.source !== 'ocr') return []
    const words = (line.words ?? []).filter((word) => TELLING.test(word.text))
    if (words.length === 0) return wordsOf(text).map(() => line.confidence)
    const left = new Map<string, number>()
    for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1)
    const own = words.filter((word) => {
      const count = left.get(word.text) ?? 0
      left.set(word.text, count - 1)
      return count > 0
    })
    return (own.length > 0 ? own : words).map(({ confidence }) => confidence)
  })
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => TELLING.test(word))
