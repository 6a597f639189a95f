import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, Answer } from '../../../grader/grader.ts'
import type { TokenCounts } from '../../../grader/llm/tokens.ts'
import { chooseExamples } from '../../../grader/llm-grading/choose-examples.ts'
import { type EstimateOptions, estimateGradingTokens } from '../../../grader/llm-grading/estimate-grading-tokens.ts'
import { isDecidedByTeacher } from '../../../grader/llm-grading/prepare-questions.ts'
import { rubricText } from '../../../grader/rubric/rubric-text.ts'
import { createYielder } from '../../../lib/yielder.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { findAnchors } from '../../grades/anchors.ts'
import { countHandwritten } from '../../submissions/submission-grading.ts'
import { findAllAnswers, streamAnswers } from '../../transcriptions/answers.service.ts'
import { createIdentityLookup } from '../context/grade-context.ts'

/** A paper where not even the questions are known: two pages of ten. */
const DEFAULT_PAPER_TOKENS = { input_tokens: 3000, output_tokens: 1900 }

/** The assumed length of unread answers. */
const PLACEHOLDER_ANSWER = 'an answer of a line or two, as most of them are, without anything beside it'
/** The assumed confidence of read handwriting. */
const HANDWRITING_CONFIDENCE = 0.9

interface TokenEstimateInput {
  assignment: AssignmentDoc
  /** Only the questions the LLM grades. */
  rubric: Rubric | null
  pictures: boolean
}

/** The average tokens for grading one of these papers, with the teacher's decisions as examples; by the papers that were read. */
export async function averagePaperTokens(
  read: number[],
  unread: number[],
  { assignment, rubric, pictures }: TokenEstimateInput,
): Promise<TokenCounts> {
  if (!rubric) return DEFAULT_PAPER_TOKENS
  const anchors = await findAnchors(assignment)
  const examples = await chooseExamplesPerQuestion(rubric, anchors)
  if (read.length === 0) {
    const reading = (await isMostlyHandwritten(unread)) ? HANDWRITING_CONFIDENCE : 1
    return estimateGradingTokens(rubric, placeholderAnswers(rubric, reading), pictures, { examples })
  }
  const sum = { input_tokens: 0, output_tokens: 0 }
  const turn = createYielder()
  for await (const { _id, extracted } of streamAnswers(read)) {
    const skip: EstimateOptions['isDecided'] = (question) => isDecidedByTeacher(question, _id, { anchors })
    const one = estimateGradingTokens(rubric, extracted.answers, pictures, { examples, isDecided: skip })
    sum.input_tokens += one.input_tokens
    sum.output_tokens += one.output_tokens
    await turn()
  }
  return { input_tokens: sum.input_tokens / read.length, output_tokens: sum.output_tokens / read.length }
}

/** Whether most of them are marked as handwritten. */
async function isMostlyHandwritten(ids: number[]): Promise<boolean> {
  const count = await countHandwritten(ids)
  return count > ids.length / 2
}

const placeholderAnswers = ({ questions }: Rubric, reading: number): Answer[] =>
  questions.map(({ id }) => ({
    question_id: id,
    text: PLACEHOLDER_ANSWER,
    found: true,
    evidence: [],
    reading,
    seen: true,
  }))

/** The examples sent with each paper's questions: the same for all, except for a paper that is an example itself. */
async function chooseExamplesPerQuestion(rubric: Rubric, anchors: Anchor[]): Promise<EstimateOptions['examples']> {
  const ids = [...new Set(anchors.map(({ submission_id }) => submission_id))]
  const papers = await findAllAnswers(ids)
  const everyone = { key: '', submissions: papers.map(({ _id, extracted }) => ({ id: _id, extracted })) }
  const context = { anchors, private_words_of: createIdentityLookup() }
  const rubricPrompt = rubricText(rubric)
  const nobody = -1
  const chosen = await Promise.all(
    rubric.questions.map(
      async (question) =>
        [question.id, await chooseExamples(question, nobody, everyone, context, rubricPrompt)] as const,
    ),
  )
  return new Map(chosen)
}
