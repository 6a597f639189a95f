import type { CriterionOpinion, Grading } from '../answer-schema.ts'
import type { Ask, ModelQuestion } from '../ask.ts'

/** What is asked, but for the shape of its answer. */
export type Asked = Omit<ModelQuestion<unknown>, 'schema' | 'check'>

/** Everything that was sent as words in a question to a model. */
const wordsSent = ({ system, parts }: Pick<Asked, 'system' | 'parts'>): string =>
  [system, ...parts.map((part) => ('text' in part ? part.text : '(picture)'))].join('\n')

export interface ScriptedAsk {
  ask: Ask
  asked: Asked[]
  /** The words of the nth question. */
  sent(n: number): string
}

/** Answers with what `say` says; answers that break the schema or its check fail the test. */
export function scriptedAsk(say: (question: Asked, n: number) => unknown): ScriptedAsk {
  const asked: Asked[] = []
  const ask: Ask = async (question) => {
    const n = asked.push(question)
    const value = question.schema.parse(await say(question, n))
    const wrong = question.check?.(value) ?? null
    if (wrong) throw new Error(wrong)
    return { value, call_id: 100 + n, model: 'fake/model' }
  }
  return {
    ask,
    asked,
    sent(n) {
      const question = asked[n]
      if (!question) throw new RangeError(`Only ${asked.length} questions were asked.`)
      return wordsSent(question)
    },
  }
}

/** What a model says of one criterion, where a test does not care. */
export const opinion = (criterion_id: string, rest: Partial<CriterionOpinion> = {}): CriterionOpinion => ({
  criterion_id,
  quotes: [],
  reasoning: 'It has the main idea.',
  cannot_judge: false,
  points: 0,
  feedback: 'You are on the way.',
  confidence: 0.9,
  ...rest,
})

export const grading = (criteria: CriterionOpinion[], rest: Partial<Grading> = {}): Grading => ({
  criteria,
  instructions_found: [],
  summary: 'You know most of this.',
  ...rest,
})
