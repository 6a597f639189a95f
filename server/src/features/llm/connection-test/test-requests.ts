import { z } from 'zod'
import type { Picture } from '../../../grader/grader.ts'
import type { LlmRequest } from '../../../grader/llm/llm-request.ts'

const SYSTEM =
  'You are being tried out before you help to grade papers. Do exactly what is asked, in the form that is asked for.'
const VERSION = 'test-1'

const testRequest = <T>(
  name: string,
  schema: z.ZodType<T>,
  parts: LlmRequest<T>['parts'],
  check: (value: T) => string | null,
): LlmRequest<T> => ({
  purpose: 'test',
  is_connection_test: true,
  prompt_version: VERSION,
  system: SYSTEM,
  schema_name: name,
  schema,
  parts,
  check,
  // Reasoning models need tokens for it.
  most_tokens: 2000,
})

const Text = z.object({ text: z.string() })
export const answerRequest = testRequest(
  'test_answer',
  Text,
  [{ text: 'Which word comes next: one, two, three? Give it as "text".' }],
  () => null,
)

/** A response schema like that of grades: a list with ids to repeat, numbers within bounds, and optional text. */
const CriteriaPoints = z.object({
  criteria: z.array(z.object({ id: z.string(), points: z.number(), quote: z.string().nullable(), reason: z.string() })),
})
export const structuredRequest = testRequest(
  'test_marks',
  CriteriaPoints,
  [
    {
      text: [
        'Give points for the answer to each of these criteria, with the ids as they stand.',
        'c1 (0 to 2 points): names the colour of the sky. c2 (0 to 1 point): says why.',
        'The answer: "The sky is blue."',
        'For each criterion: "id", "points", "quote" (words of the answer, or null) and "reason" in one short sentence.',
      ].join('\n'),
    },
  ],
  ({ criteria }) => {
    const ids = criteria.map(({ id }) => id)
    if (ids.join() !== 'c1,c2') return 'Give exactly the criteria c1 and c2, in this order.'
    const fits = criteria.every(({ id, points }) => points >= 0 && points <= (id === 'c1' ? 2 : 1))
    return fits ? null : 'Points must lie within what each criterion may bring.'
  },
)

export const pictureRequest = (picture: Picture) =>
  testRequest(
    'test_picture',
    Text,
    [{ text: 'Which word is written in this picture? Give it as "text".' }, { picture }],
    () => null,
  )
