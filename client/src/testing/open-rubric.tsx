import { checkRubric, getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { withProblems, withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { buildCurrentRubric } from './build-rubric.ts'
import { errorReply, mockEndpoint, ok } from './mock-api.ts'
import { renderPage } from './render.tsx'

export const region = { page: 1, box: { x: 40, y: 100, width: 400, height: 60 } }

export function question(number: string, part: Partial<Question> & { expected?: string } = {}): Question {
  const { expected = 'ice', ...rest } = part
  const id = `q${number}`
  const criteria = [{ id, text: 'What is asked', points: 5, expected, alternatives: [] }]
  return { id, number, prompt: `What is it in ${number}?`, kind: 'text', criteria, regions: [region], ...rest }
}

export const rubricOf = (questions: Question[], rest: Partial<Rubric> = {}) => withProblems({ questions, ...rest }, [])

/** A rubric nobody has confirmed. The server answers with what was stored, once `stored` has resolved. */
export async function openRubric(rubric: Rubric, stored?: Promise<void>) {
  let current = buildCurrentRubric({ rubric, checked: null, graded: 0 })
  const saved: Rubric[] = []
  mockEndpoint(getRubric, () => ok(getRubric, current))
  mockEndpoint(saveRubric, async ({ json }) => {
    const body = saveRubric.body?.parse(await json())
    if (!body) throw new Error('a body')
    if (body.version !== current.version) return errorReply('conflict')
    const next = withProblemsAfterEdit(current.rubric, body.rubric)
    saved.push(next)
    current = { ...current, version: current.version + 1, rubric: next }
    await stored
    return ok(saveRubric, current)
  })
  const checked: { version: number; checked: boolean }[] = []
  mockEndpoint(checkRubric, async ({ json }) => {
    const body = checkRubric.body?.parse(await json())
    if (!body) throw new Error('a body')
    checked.push(body)
    current = { ...current, checked: body.checked ? { by_name: 'Martin Keller', at: '2026-01-12T15:00:00Z' } : null }
    return ok(checkRubric, current)
  })
  const app = renderPage('/assignments/5/rubric')
  await screen.findByRole('region', { name: 'Problems' })
  return { ...app, user: userEvent.setup(), saved, checked }
}

export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
export const problems = () => within(screen.getByRole('region', { name: 'Problems' }))
export const rows = () =>
  within(screen.getByRole('list', { name: 'Questions' }))
    .getAllByRole('heading', { level: 3 })
    .map((row) => row.textContent?.replace(/(?:What|No question).*/, ''))
