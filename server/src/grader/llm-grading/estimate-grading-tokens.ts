import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { BYTES_PER_TOKEN, PICTURE_TOKENS } from '../llm/llm-request.ts'
import { earlierAnswers, needsLlm, needsPicture } from './needs-llm.ts'
import {
  batchQuestions,
  GRADING_SYSTEM_PROMPT,
  gradingPromptParts,
  type PreparedQuestion,
} from './prompt/grading-prompt.ts'

const OVERHEAD_TOKENS = 350 // the schema, which providers count as input, and message overhead
/** Reasoning cannot be estimated. */
const OUTPUT_TOKENS_PER_CRITERION = 160
const OUTPUT_TOKENS_PER_PAPER = 90

export interface EstimateOptions {
  examples?: ReadonlyMap<string, PreparedQuestion['examples']>
  isDecided?: (question: PreparedQuestion['question']) => boolean
}

/** Without second opinions; within about a third for LLMs that do not reason. `pictures`: scanned pages are sent. */
export function estimateGradingTokens(
  rubric: Rubric,
  answers: readonly Answer[],
  pictures: boolean,
  { examples, isDecided }: EstimateOptions = {},
): { input_tokens: number; output_tokens: number } {
  const asked = rubric.questions.flatMap((question): PreparedQuestion[] => {
    if (isDecided?.(question)) return []
    const answer = answers.find((one) => one.question_id === question.id)
    // The rules judge nearly all exact answers.
    const sure = question.criteria.map((criterion) => assumedRuleScore(criterion, question.id))
    if (!needsLlm(question, answer, sure, pictures)) return []
    const others = examples?.get(question.id) ?? []
    return [
      {
        question,
        text: answer.text,
        reading: answer.reading,
        earlier: earlierAnswers(question, rubric.questions, answers),
        examples: others,
        pictures: [],
        outlierSentences: [],
      },
    ]
  })
  let input = 0
  let output = 0
  for (const batch of batchQuestions(asked)) {
    const text = gradingPromptParts(batch).map((part) => ('text' in part ? part.text : ''))
    input += OVERHEAD_TOKENS + Buffer.byteLength(GRADING_SYSTEM_PROMPT + text.join('')) / BYTES_PER_TOKEN
    output += OUTPUT_TOKENS_PER_PAPER
    for (const { question } of batch) {
      output += OUTPUT_TOKENS_PER_CRITERION * question.criteria.length
      const answer = answers.find((one) => one.question_id === question.id)
      if (pictures && answer && needsPicture(question, answer)) input += PICTURE_TOKENS
    }
  }
  return { input_tokens: Math.round(input), output_tokens: Math.round(output) }
}

const assumedRuleScore = (
  criterion: Rubric['questions'][number]['criteria'][number],
  questionId: string,
): SuggestedCriterion => ({
  criterion_id: criterion.id,
  question_id: questionId,
  criterion_text: criterion.text,
  score: criterion.points,
  max_score: criterion.points,
  level: 'excellent',
  feedback: '',
  confidence: 1,
  evidence: [],
})
