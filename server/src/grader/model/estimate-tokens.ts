import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { inBatches } from './batches.ts'
import { type AskedQuestion, gradingParts, SYSTEM } from './prompt.ts'
import { BYTES_A_TOKEN, PICTURE_TOKENS } from './tokens.ts'
import { needsModel } from './who-judges.ts'

/** The schema, which providers count as input, and what is between messages. */
const AROUND = 350
/** Words said of a criterion, and of the paper. A model that thinks first says more, which nobody knows beforehand. */
const A_CRITERION = 160
const A_PAPER = 90

/** What goes along with a paper's questions, or keeps them from being asked. */
export interface WithIt {
  /** The teacher's decisions on other papers, by question. */
  examples?: ReadonlyMap<string, AskedQuestion['examples']>
  /** Questions that are decided already. */
  skip?: (question: AskedQuestion['question']) => boolean
}

/**
 * What grading one paper takes, in tokens, without second opinions: an estimate within a third or so for models that answer
 * at once. `pictures`: whether pages of what was scanned go along.
 */
export function estimateTokens(
  rubric: Rubric,
  answers: readonly Answer[],
  pictures: boolean,
  { examples, skip }: WithIt = {},
): { input_tokens: number; output_tokens: number } {
  const asked = rubric.questions.flatMap((question): AskedQuestion[] => {
    if (skip?.(question)) return []
    const answer = answers.find((one) => one.question_id === question.id)
    // Exact answers are expected to be judged by the rules, as nearly all are.
    const sure = question.criteria.map((criterion) => sureOf(criterion, question.id))
    if (!needsModel(question, answer, sure, pictures)) return []
    const others = examples?.get(question.id) ?? []
    return [{ question, text: answer.text, reading: answer.reading, examples: others, pictures: [], odd: [] }]
  })
  let input = 0
  let output = 0
  for (const batch of inBatches(asked)) {
    const text = gradingParts(batch).map((part) => ('text' in part ? part.text : ''))
    input += AROUND + Buffer.byteLength(SYSTEM + text.join('')) / BYTES_A_TOKEN
    output += A_PAPER
    for (const { question, reading } of batch) {
      output += A_CRITERION * question.criteria.length
      if (pictures && (reading < 1 || question.kind === 'drawing')) input += PICTURE_TOKENS
    }
  }
  return { input_tokens: Math.round(input), output_tokens: Math.round(output) }
}

const sureOf = (
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
