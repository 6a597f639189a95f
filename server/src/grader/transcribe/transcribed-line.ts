import { z } from 'zod'
import { clamp } from '../../lib/numbers.ts'

const Sureness = z.enum(['sure', 'unsure', 'illegible'])

/** As an LLM writes it down. */
export const seenLine = (of: 'page' | 'picture') =>
  z.object({
    text: z.string(),
    sure: Sureness,
    y: z.number().describe(`percent of the ${of}’s height from the top, 0 to 100`),
  })

export const MAX_LINES = 400

/** `at` is its height on the page, 0 (top) to 1. */
export interface TranscribedLine {
  text: string
  confidence: number // 0..1
  at: number
}

const confidences: Record<z.infer<typeof Sureness>, number> = { sure: 0.95, unsure: 0.6, illegible: 0.3 }

/** Without those that say nothing. */
export const readLines = <Seen extends z.infer<ReturnType<typeof seenLine>>>(lines: readonly Seen[]) =>
  lines
    .map(({ text, sure, y, ...rest }) => ({
      ...rest,
      text: text.replace(/\s+/g, ' ').trim(),
      confidence: Math.min(confidences[sure], text.includes('[illegible]') ? confidences.unsure : 1),
      at: clamp(y / 100, 0, 1),
    }))
    .filter(({ text }) => text !== '')

/** Hardly more than a guess. */
export const isIllegibleLine = ({ text, confidence }: Pick<TranscribedLine, 'text' | 'confidence'>): boolean =>
  confidence <= confidences.illegible || text.replaceAll('[illegible]', '').trim() === ''
