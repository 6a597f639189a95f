import type { Box, Line } from '@assay/shared/papers.ts'
import { overlapX, overlapY, union } from '../geometry/boxes.ts'

/** Words read on the page less alike than this are other words. */
const minSimilarity = 0.5
/** Less sure of itself, OCR proves nothing. */
const minConfidence = 0.6

/**
 * Lines whose letters are doubted, against what OCR reads at their place. Where the page shows other words, what it shows counts, and what
 * the file says is kept as hidden.
 */
export function compareWithOcr(lines: readonly Line[], doubted: readonly Box[], read: readonly Line[]): Line[] {
  return lines.flatMap((line): Line[] => {
    if (line.hidden || !doubted.some((box) => overlaps(line.box, box))) return [line]
    const there = read.filter(({ box }) => overlaps(line.box, box))
    const text = there.map((one) => one.text).join(' ')
    const confidence = Math.min(1, ...there.map((one) => one.confidence))
    if (normaliseLetters(text).length < 3 || confidence < minConfidence) return [line]
    if (bigramSimilarity(line.text, text) >= minSimilarity) return [line]
    const box = there.map((one) => one.box).reduce(union)
    return [
      { text, box, source: 'ocr', confidence },
      { ...line, hidden: 'other_words' },
    ]
  })
}

function overlaps(one: Box, other: Box): boolean {
  const area = overlapX(one, other) * overlapY(one, other)
  return area > 0.4 * Math.min(one.width * one.height, other.width * other.height)
}

const normaliseLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Dice's coefficient of pairs of letters, 0 to 1. */
export function bigramSimilarity(one: string, other: string): number {
  const [a, b] = [bigramsOf(one), bigramsOf(other)]
  if (a.length + b.length === 0) return 1
  const left = [...b]
  let shared = 0
  for (const pair of a) {
    const at = left.indexOf(pair)
    if (at < 0) continue
    left.splice(at, 1)
    shared += 1
  }
  return (2 * shared) / (a.length + b.length)
}

function bigramsOf(text: string): string[] {
  const plain = normaliseLetters(text)
  return Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2))
}
