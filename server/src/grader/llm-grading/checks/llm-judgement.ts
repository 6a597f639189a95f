import type { Evidence } from '@assay/shared/papers.ts'
import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import type { Answer, SuggestedCriterion } from '../../grader.ts'
import type { CriterionResponse } from '../prompt/grading-schema.ts'
import { findQuote } from './find-quote.ts'
import type { OutlierSentence } from './outlier-sentences.ts'

/** Compared with the paper and the rules. Unmasked. */
export interface LlmJudgement {
  question: Question
  criterion: Criterion
  answer: Answer
  response: CriterionResponse
  sawPage: boolean
  evidence: Evidence[]
  /** Quotes that are not in the answer. */
  strange: string[]
  /** The offline grader's. */
  ruleScore: SuggestedCriterion | null
  /** Unrelated sentences that no points rest on by the LLM's own quotes. */
  outlierSentences: OutlierSentence[]
  secondOpinion: CriterionResponse | null
}

/** In the paper's order, without repeats. Quotes without a line get the answer space. */
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
