import type { Criterion } from '@assay/shared/rubrics.ts'
import { z } from 'zod'
import { pointSteps } from '../../scoring/score-curve.ts'

/** No ranges or optional keys, which strict modes reject (see `checkGradingResponse`). Reasons come before points. */
const CriterionResponse = z.object({
  criterion_id: z.string(),
  quotes: z.array(z.string()).describe("the student's own words it rests on, verbatim"),
  reasoning: z.string().describe('for the teacher: one sentence'),
  cannot_judge: z.boolean(),
  points: z.number(),
  feedback: z.string().describe('for the student: one to three short sentences'),
  confidence: z.number().describe('0 to 1'),
})
export type CriterionResponse = z.infer<typeof CriterionResponse>

export const GradingResponse = z.object({
  criteria: z.array(CriterionResponse),
  instructions_found: z.array(
    z.object({ question_id: z.string(), words: z.string().describe('verbatim, as the student wrote them') }),
  ),
  summary: z.string().describe('for the student, on the answers as a whole: two sentences'),
})
export type GradingResponse = z.infer<typeof GradingResponse>

const MAX_TEXT_LENGTH = 2000

/** For the LLM; null when nothing is wrong. */
export function checkGradingResponse(grading: GradingResponse, asked: readonly Criterion[]): string | null {
  const wrong: string[] = []
  const ids = new Set(asked.map((criterion) => criterion.id))
  const given = grading.criteria.map((one) => one.criterion_id)
  const strange = [...new Set(given.filter((id) => !ids.has(id)))]
  const missing = [...ids].filter((id) => !given.includes(id))
  const twice = [...ids].filter((id) => given.filter((one) => one === id).length > 1)
  if (strange.length > 0) wrong.push(`There is no criterion ${strange.map(quoted).join(', ')}.`)
  if (missing.length > 0) wrong.push(`Criterion ${missing.map(quoted).join(', ')} is missing.`)
  if (twice.length > 0) wrong.push(`Criterion ${twice.map(quoted).join(', ')} is there more than once.`)
  for (const criterion of asked) {
    const one = grading.criteria.find(({ criterion_id }) => criterion_id === criterion.id)
    if (one) wrong.push(...[...criterionErrors(one, criterion)].map((what) => `Criterion “${criterion.id}”: ${what}`))
  }
  if (grading.summary.trim() === '') wrong.push('The summary is empty.')
  return wrong.length > 0 ? wrong.slice(0, 12).join(' ') : null
}

function* criterionErrors(one: CriterionResponse, criterion: Criterion): Generator<string> {
  const steps = pointSteps(criterion)
  const isStep = steps.some((points) => Math.abs(points - one.points) < 1e-6)
  if (!isStep)
    yield `points must be one of ${steps.length > 12 ? `0 to ${criterion.points} in steps of ${(steps[1] ?? 0) - (steps[0] ?? 0)}` : steps.join(', ')}, not ${one.points}.`
  if (!(one.confidence >= 0 && one.confidence <= 1)) yield `confidence must be from 0 to 1, not ${one.confidence}.`
  if (one.feedback.trim() === '') yield 'feedback is empty.'
  if (one.feedback.length > MAX_TEXT_LENGTH || one.reasoning.length > MAX_TEXT_LENGTH)
    yield 'feedback and reasoning must be short.'
}

const quoted = (id: string) => `“${id.slice(0, 60)}”`
