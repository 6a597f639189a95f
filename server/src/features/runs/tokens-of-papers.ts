import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, Answer } from '../../grader/grader.ts'
import { chooseExamples } from '../../grader/model/choose-examples.ts'
import { estimateTokens, type WithIt } from '../../grader/model/estimate-tokens.ts'
import { isSettled } from '../../grader/model/prepare-questions.ts'
import { rubricWords } from '../../grader/model/rubric-words.ts'
import type { Tokens } from '../../grader/model/tokens.ts'
import { takeTurns } from '../../lib/turns.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { anchorsOf } from '../grades/anchors.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { othersWords } from './grade-context.ts'

/** A paper where not even the questions are known: two pages of ten. */
const UNKNOWN_PAPER = { input_tokens: 3000, output_tokens: 1900 }

/** What is written where nobody has read it yet. */
const UNKNOWN_ANSWER = 'an answer of a line or two, as most of them are, without anything beside it'
/** How surely handwriting is read. */
const BY_HAND = 0.9

export interface ToCount {
  assignment: AssignmentDoc
  /** Only the questions that are asked about. */
  rubric: Rubric | null
  pictures: boolean
}

/** What grading one of these papers takes on average, with the teacher's decisions as examples; by the papers that were read. */
export async function tokensOfOne(
  read: number[],
  unread: number[],
  { assignment, rubric, pictures }: ToCount,
): Promise<Tokens> {
  if (!rubric) return UNKNOWN_PAPER
  const anchors = await anchorsOf(assignment)
  const examples = await examplesFor(rubric, anchors)
  if (read.length === 0) {
    const reading = (await byHand(unread)) ? BY_HAND : 1
    return estimateTokens(rubric, unknownAnswers(rubric, reading), pictures, { examples })
  }
  const sum = { input_tokens: 0, output_tokens: 0 }
  const turn = takeTurns()
  for await (const { _id, laid } of AnswersModel.find({ _id: { $in: read } })
    .lean()
    .cursor()) {
    const skip: WithIt['skip'] = (question) => isSettled(question, _id, { anchors })
    const one = estimateTokens(rubric, laid.answers, pictures, { examples, skip })
    sum.input_tokens += one.input_tokens
    sum.output_tokens += one.output_tokens
    await turn()
  }
  return { input_tokens: sum.input_tokens / read.length, output_tokens: sum.output_tokens / read.length }
}

/** Whether most of them are said to be handwritten. */
async function byHand(ids: number[]): Promise<boolean> {
  const count = await SubmissionModel.countDocuments({ _id: { $in: ids }, 'file.handwritten': true })
  return count > ids.length / 2
}

const unknownAnswers = ({ questions }: Rubric, reading: number): Answer[] =>
  questions.map(({ id }) => ({ question_id: id, text: UNKNOWN_ANSWER, found: true, evidence: [], reading }))

/** The examples each paper's questions go with: the same for all, but for the paper that is an example itself. */
async function examplesFor(rubric: Rubric, anchors: Anchor[]): Promise<WithIt['examples']> {
  const ids = [...new Set(anchors.map(({ submission_id }) => submission_id))]
  const papers = await AnswersModel.find({ _id: { $in: ids } }).lean()
  const everyone = { key: '', submissions: papers.map(({ _id, laid }) => ({ id: _id, laid })) }
  const context = { anchors, private_words_of: othersWords() }
  const kept = rubricWords(rubric)
  const nobody = -1
  const chosen = await Promise.all(
    rubric.questions.map(
      async (question) =>
        [question.id, await chooseExamples(question, nobody, everyone, context, kept)] as const,
    ),
  )
  return new Map(chosen)
}
