import { overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildCriterion, buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../testing/render.tsx'

const criterion = buildCriterion({ criterion_text: 'Names the gas', max_score: 5, score: 3, llm_feedback: 'Close.' })
const grade = buildGrade({ criterion_grades_collection: [criterion] })
const own = buildGrade({ criterion_grades_collection: [{ ...criterion, teacher_feedback: 'It is oxygen.' }] })

beforeEach(() => {
  signInAs()
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ grade })))
})

async function choose() {
  renderPage('/assignments/5/submissions/31')
  await userEvent.click(await screen.findByRole('button', { name: /Names the gas/, pressed: false }))
}

it('takes words where the chosen criterion stands, and keeps them when they cannot be saved', async () => {
  const sent = mockEndpoint(overrideGrade, (_, count) =>
    count === 1 ? errorReply('conflict', { detail: 'Not just now.' }) : ok(overrideGrade, own),
  )
  await choose()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  const words = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your feedback for “Names the gas”' })
  expect(words.value).toBe('Close.')
  await fillIn(words, ' It is oxygen.')
  await userEvent.tab()
  await screen.findByText('Not just now.')
  expect(words.value).toBe('Close. It is oxygen.')
  await userEvent.click(screen.getByRole('button', { name: 'Save again' }))
  await screen.findByText('Saved')
  expect(await sent[1]?.json()).toMatchObject({
    overall_score: null,
    reviewed: false,
    criteria: [{ criterion_id: criterion.criterion_id, feedback: 'Close. It is oxygen.' }],
  })
})

it('keeps the AI’s words where they are looked at and left as they are', async () => {
  const sent = mockEndpoint(overrideGrade, () => ok(overrideGrade, grade))
  await choose()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.tab()
  await screen.findByRole('button', { name: 'Edit feedback for “Names the gas”' })
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.keyboard(' No.{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  expect(sent).toEqual([])
})

it('shows the teacher’s own words instead of the AI’s, and withdraws them', async () => {
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ grade: own })))
  const sent = mockEndpoint(overrideGrade, () => ok(overrideGrade, { ...grade, revision: 2 }))
  await choose()
  expect(screen.getByText('It is oxygen.')).toBeTruthy()
  expect(screen.queryByText('Close.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Edit feedback for “Names the gas”' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Your feedback for “Names the gas”' }))
  await userEvent.tab()
  await screen.findByText('Saved')
  expect(await sent[0]?.json()).toMatchObject({ criteria: [{ criterion_id: criterion.criterion_id, feedback: null }] })
})
