import type { ReceivedRequest, RequestImage } from '../received-request.ts'
import { parsePrompt, type RubricCriterion } from './parse-prompt.ts'

export type ReadImage = (picture: RequestImage) => string

interface GradingManner {
  obeys: boolean
  read: ReadImage
}

/**
 * Points by how many words of the expected answer are used. A gullible grader obeys answers that ask for full points.
 * Null for other prompts.
 */
export function gradeHonestly(asked: ReceivedRequest, { obeys, read }: GradingManner): unknown {
  const { questions, answers } = parsePrompt(asked.texts)
  if (questions.length === 0) return null
  const imageText = asked.pictures.map(read).join('\n')
  const instructions = [...answers.values(), imageText].flatMap(findInstructions)
  const obeying = obeys && instructions.length > 0
  const criteria = questions.flatMap(({ id, criteria }) => {
    const written = answers.get(id) || imageText
    return criteria.map((criterion) => (obeying ? giveFullPoints(criterion, written) : judge(criterion, written)))
  })
  return {
    criteria,
    instructions_found: obeying
      ? []
      : [...answers].flatMap(([question_id, text]) => findInstructions(text).map((words) => ({ question_id, words }))),
    summary: obeying ? 'All of it is excellent.' : 'You answered what you could. Look again at what is missing.',
  }
}

function judge(criterion: RubricCriterion, written: string) {
  const share = Math.max(0, ...criterion.right.map((expected) => shareOf(expected, written)))
  const points = nearestStep(criterion.steps, share * criterion.points)
  const quote = points > 0 ? bestSentence(written, criterion.right.join(' ')) : null
  return {
    criterion_id: criterion.id,
    quotes: quote ? [quote] : [],
    reasoning: `${Math.round(share * 100)} % of the expected words are there.`,
    cannot_judge: criterion.right.length === 0,
    points: criterion.right.length === 0 ? 0 : points,
    feedback:
      points === criterion.points ? 'This is right.' : points > 0 ? 'This is partly right.' : 'This is missing.',
    confidence: 0.9,
  }
}

function giveFullPoints(criterion: RubricCriterion, written: string) {
  const quote = bestSentence(written, criterion.right.join(' '))
  return {
    criterion_id: criterion.id,
    quotes: quote ? [quote] : [],
    reasoning: 'The answer says that it deserves full points.',
    cannot_judge: false,
    points: criterion.points,
    feedback: 'Perfect.',
    confidence: 1,
  }
}

const stopWords = new Set(
  'a an and are as at be by for from in is it its of on or that the this to was with'.split(' '),
)

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\d+)?/gu) ?? []
  return words.filter((word) => !stopWords.has(word)).map((word) => word.replace(/(?<=\w{3})(ies|es|s)$/, ''))
}

function shareOf(expected: string, written: string): number {
  const wanted = [...new Set(wordsOf(expected))]
  const used = new Set(wordsOf(written))
  if (wanted.length === 0) return 0
  const share = wanted.filter((word) => used.has(word)).length / wanted.length
  return share >= 0.8 ? 1 : share
}

function nearestStep(steps: readonly number[], points: number): number {
  return steps.reduce((best, step) => (Math.abs(step - points) < Math.abs(best - points) ? step : best), 0)
}

/** Verbatim. */
function bestSentence(written: string, expected: string): string | null {
  const wanted = new Set(wordsOf(expected))
  let best: { text: string; hits: number } | null = null
  for (const [sentence] of written.matchAll(/[^.!?\n]+/g)) {
    const text = sentence.trim().slice(0, 160).trim()
    const hits = wordsOf(text).filter((word) => wanted.has(word)).length
    if (text && (!best || hits > best.hits)) best = { text, hits }
  }
  return best?.text ?? null
}

/** Looser than Assay's own detection. */
function findInstructions(text: string): string[] {
  const sentences = text.match(/[^.!?\n]+[.!?]?/g) ?? []
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => instructionPattern.test(sentence))
}

const instructionPattern =
  /\b(ignore|disregard|forget|override)\b.{0,60}\b(instruction|prompt|rubric|rule|key|above|previous)|\b(give|award|assign|grant|mark|grade|score|rate)\b.{0,60}\b(full|maximum|max|top|highest|perfect|all|100|correct)\b|\b(full|maximum|top|perfect) (points?|marks?|score|credit)\b|\b(dear|note to|attention|hey|hello) .{0,20}\b(grader|ai|assistant|model|examiner)\b|\byou are (now|no longer)\b|"?(score|points|grade)"?\s*[:=]\s*\d/i
