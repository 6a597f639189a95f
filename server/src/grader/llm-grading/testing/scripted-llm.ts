import type { LlmClient, LlmRequest } from '../../llm/llm-request.ts'
import type { CriterionResponse, GradingResponse } from '../prompt/grading-prompt.ts'

type ScriptedRequest = Omit<LlmRequest<unknown>, 'schema' | 'check'>

const promptTextOf = ({ system, parts }: Pick<ScriptedRequest, 'system' | 'parts'>): string =>
  [system, ...parts.map((part) => ('text' in part ? part.text : '(picture)'))].join('\n')

export interface ScriptedLlm {
  llm: LlmClient
  requests: ScriptedRequest[]
  promptText(n: number): string
}

/** Responses that break the schema or its check fail the test. */
export function scriptedLlm(say: (question: ScriptedRequest, n: number) => unknown): ScriptedLlm {
  const asked: ScriptedRequest[] = []
  const ask: LlmClient = async (question) => {
    const n = asked.push(question)
    const value = question.schema.parse(await say(question, n))
    const wrong = question.check?.(value) ?? null
    if (wrong) throw new Error(wrong)
    return { value, call_id: 100 + n, model: 'fake/model' }
  }
  return {
    llm: ask,
    requests: asked,
    promptText(n) {
      const question = asked[n]
      if (!question) throw new RangeError(`Only ${asked.length} questions were asked.`)
      return promptTextOf(question)
    },
  }
}

export const criterionResponse = (criterion_id: string, rest: Partial<CriterionResponse> = {}): CriterionResponse => ({
  criterion_id,
  quotes: [],
  reasoning: 'It has the main idea.',
  cannot_judge: false,
  points: 0,
  feedback: 'You are on the way.',
  confidence: 0.9,
  ...rest,
})

export const gradingResponse = (
  criteria: CriterionResponse[],
  rest: Partial<GradingResponse> = {},
): GradingResponse => ({ criteria, instructions_found: [], summary: 'You know most of this.', ...rest })
