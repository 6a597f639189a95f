import { z } from 'zod'

export const Sureness = z.enum(['sure', 'unsure', 'illegible'])
type Sureness = z.infer<typeof Sureness>

/** `at` is its height on the page, 0 (top) to 1. */
export interface TranscribedLine {
  text: string
  confidence: number // 0..1
  at: number
}

const confidences: Record<Sureness, number> = { sure: 0.95, unsure: 0.6, illegible: 0.3 }

export const lineConfidence = (text: string, sure: Sureness): number =>
  text.includes('[illegible]') ? Math.min(confidences.unsure, confidences[sure]) : confidences[sure]

/** Hardly more than a guess. */
export const isIllegibleLine = ({ text, confidence }: Pick<TranscribedLine, 'text' | 'confidence'>): boolean =>
  confidence <= confidences.illegible || text.replaceAll('[illegible]', '').trim() === ''
