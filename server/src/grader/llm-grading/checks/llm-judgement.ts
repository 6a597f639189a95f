import type { Evidence } from '@assay/shared/papers.ts'
import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import type { Answer, SuggestedCriterion } from '../../grader.ts'
import type { CriterionResponse } from '../prompt/grading-schema.ts'
import { findQuote } from './find-quote.ts'
import type { OutlierSentence } from './outlier-sentences.ts'

/** An LLM's judgement of one criterion, compared with the paper and the rules. Unmasked. */
export interface LlmJudgement {
  question: Question
  criterion: Criterion
  answer: Answer
  response: CriterionResponse
  /** Whether the page was shown. */
  sawPage: boolean
  /** The lines of its quotes. */
  evidence: Evidence[]
  /** Quotes that are not in the answer. */
  strange: string[]
  /** What the offline grader makes of the same answer. */
  ruleScore: SuggestedCriterion | null
  /** Sentences that have nothing to do with the question, and that no points rest on by the LLM's own quotes. */
  outlierSentences: OutlierSentence[]
  /** The second opinion, if requested. */
  secondOpinion: CriterionResponse | null
}

/** Looks up each quote; the lines in the paper's order, each once. Quotes without a line get the question's answer space. */
export function findEvidence(
  quotes: readonly string[],
  answer: Answer,
  question: Question,
): Pick<LlmJudgement, 'evidence' | 'strange'> {
  const lines = new Set<Evidence>()
  const strange: string[] = []
  const placeless: string[] = []
  for (const quote of quotes) {
    if (quote.trim() === '') continue
    const found = findQuote(quote, answer)
    if (!found) strange.push(quote)
    else if (found.length === 0) placeless.push(quote)
    for (const line of found ?? []) lines.add(line)
  }
  const evidence = answer.evidence.filter((line) => lines.has(line))
  if (placeless.length > 0)
    evidence.push(...question.regions.map(({ page, box }) => ({ page, box, quote: placeless.join(' … ') })))
  return { evidence, strange }
}
