import { expect, it } from 'vitest'
import { z } from 'zod'
import { maxTokens } from './llm-request.ts'

const most = (text: string, schema: z.ZodType = z.object({ points: z.number() })) =>
  maxTokens({ system: '', parts: [{ text }], schema, most_tokens: 50 })

it.each([
  ['Chinese', '光合作用把光能转化为化学能', 1],
  ['Japanese', 'ひかりのエネルギー', 1],
  ['Arabic', 'الضوء', 0.6],
  ['English', 'Light is turned into chemical energy.', 0.25],
])('takes %s for no fewer tokens than a provider may', (_, text, tokensALetter) => {
  const empty = most('').input_tokens
  expect(most(text).input_tokens - empty).toBeGreaterThanOrEqual(text.length * tokensALetter)
  expect(most(text).output_tokens).toBe(50)
})

it('counts the schema, which goes along', () => {
  const long = z.object({ points: z.number().describe('as many as there are steps that are right. '.repeat(10)) })
  expect(most('', long).input_tokens - most('').input_tokens).toBeGreaterThanOrEqual(430 / 4)
})
