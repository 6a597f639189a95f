import type { Box, Line } from '@assay/shared/papers.ts'
import { overlapX, overlapY, touches, union } from '../geometry/boxes.ts'

const minSimilarity = 0.5
const minConfidence = 0.6

export async function compareWithOcr(
  lines: readonly Line[],
  doubted: readonly Box[],
  readAt: (boxes: Box[]) => Promise<Line[]>,
): Promise<Line[]> {
  const isDoubted = (line: Line) => !line.hidden && doubted.some((box) => overlaps(line.box, box))
  const read = await readAt(lines.filter(isDoubted).map(({ box }) => box))
  return lines.flatMap((line): Line[] => {
    if (!isDoubted(line)) return [line]
    const there = read.filter(({ box }) => overlaps(line.box, box))
    const text = there.map((one) => one.text).join(' ')
    const confidence = Math.min(1, ...there.map((one) => one.confidence))
    // A line read by OCR may hold words of neighbours, as beside a matrix.
    const around = lines.filter((one) => one !== line && !one.hidden && there.some(({ box }) => touches(box, one.box)))
    const written = [line, ...around].map((one) => one.text).join(' ')
    if (confidence < minConfidence || bigramSimilarity(line.text, text) >= minSimilarity) return [line]
    if (!hasOtherWords(text, written)) return [line]
    const box = there.map((one) => one.box).reduce(union)
    return [
      { text, box, source: 'ocr', confidence },
      { ...line, hidden: 'other_words' },
    ]
  })
}

const recognisable = /^\p{P}*(?:\p{L}{3,}|\p{N}{3,})\p{P}*$/u

function hasOtherWords(seen: string, written: string): boolean {
  const plain = normaliseLetters(written)
  const words = seen.split(/\s+/).filter((word) => recognisable.test(word))
  const found = words.filter((word) => plain.includes(normaliseLetters(word)))
  return words.length > 2 * found.length
}

function overlaps(one: Box, other: Box): boolean {
  const area = overlapX(one, other) * overlapY(one, other)
  return area > 0.4 * Math.min(one.width * one.height, other.width * other.height)
}

const normaliseLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

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
