import { z } from 'zod'
import type { ReceivedRequest } from '../received-request.ts'

const Draft = z.array(
  z.object({
    id: z.string(),
    number: z.string(),
    prompt: z.string(),
    kind: z.string(),
    criteria: z.array(
      z.object({
        text: z.string(),
        points: z.number(),
        expected: z.string(),
        alternatives: z.array(z.string()).default([]),
        levels: z.array(z.object({ points: z.number(), text: z.string() })).default([]),
      }),
    ),
  }),
)

/** Returns a rubric draft (`server/src/grader/rubric`) without changes. Null when the prompt has none. */
export function completeDraft({ texts }: ReceivedRequest): unknown {
  const draft = texts.find((text) => text.startsWith('# The draft\n'))
  if (!draft) return null
  const questions = Draft.parse(JSON.parse(draft.slice(draft.indexOf('['), draft.lastIndexOf(']') + 1)))
  return { questions: questions.map((question) => ({ ...question, points_as_printed: '' })) }
}
