import { getAssignment } from '@assay/shared/assignments.ts'
import type { Line } from '@assay/shared/papers.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import {
  correctAnswer,
  getTranscription,
  type TranscribedAnswer,
  type Transcription,
} from '@assay/shared/transcriptions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildSubmission } from '../../testing/build-submission.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { fillIn, findReview, renderPage } from '../../testing/render.tsx'

const line = (y: number, text: string, confidence = 1): Line => ({
  text,
  box: { x: 60, y, width: 200, height: 12 },
  source: confidence < 1 ? 'ocr' : 'text',
  confidence,
})
const lines = [
  line(40, '1. Why does ice float?'),
  line(100, 'lce is lass dense', 0.52),
  line(120, 'than water', 0.9),
  line(200, '2. Name the bonds.'),
]
const evidence = (...own: Line[]) => own.map(({ text, box }) => ({ page: 1, box, quote: text }))
const first: TranscribedAnswer = {
  question_id: 'q1',
  number: '1',
  prompt: 'Why does ice float?',
  text: 'lce is lass dense\nthan water',
  read_text: 'lce is lass dense\nthan water',
  reading: 0.6,
  found: true,
  evidence: evidence(...lines.slice(1, 3)),
  sheet: null,
  corrected: null,
  revision: 0,
  scoring: 'settled',
  failure: null,
}
const second: TranscribedAnswer = {
  ...first,
  question_id: 'q2',
  number: '2',
  prompt: 'Name the bonds.',
  text: '',
  read_text: '',
  reading: 1,
  evidence: [],
}
const transcription = (part: Partial<Transcription> = {}): Transcription => ({
  submission_id: 31,
  read: true,
  model: null,
  page_order: null,
  pages: [{ number: 1, width: 600, height: 800, lines }],
  answers: [first, second],
  ...part,
})

const serve = (read: Transcription) => mockEndpoint(getTranscription, () => ok(getTranscription, read))

const hearCorrections = (reply: () => Response) => mockBodies(correctAnswer, reply)

async function open() {
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission()))
  renderPage('/assignments/5/submissions/31')
  await findReview()
  const user = userEvent.setup()
  await user.keyboard('t')
  return user
}

const card = (number: string) => within(screen.getByTestId(`answer ${number}`))

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ course_id: null, course_name: null })))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
})

it('shows what was read by key and by button, with poor lines marked, and the grade again', async () => {
  serve(transcription())
  const user = await open()
  expect(await screen.findByText('Answer 1 may be misread')).toBeTruthy()
  expect(screen.getByText(/No handwriting model is set up/)).toBeTruthy()
  expect(
    screen.getByRole('button', { name: 'Answer 1, line read as “lce is lass dense”, 52 % confidence' }).dataset.tone,
  ).toBe('poor')
  expect(screen.getByRole('button', { name: 'Line read as “than water”' }).dataset.tone).toBe('read')
  expect(screen.queryByRole('button', { name: /^Evidence for 1/ })).toBeNull()
  expect(card('1').getByText('52 % confidence')).toBeTruthy()
  expect(card('2').getByText('No text found.')).toBeTruthy()
  expect(screen.getByText('Other lines on the page (2)')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Transcription' }))
  expect(screen.getByRole('button', { name: /^Evidence for 1/ })).toBeTruthy()
  expect(screen.queryByTestId('answer 1')).toBeNull()
})

it('shows a line once, though the answer has the place of its ink', async () => {
  const evidence = first.evidence.map((one) => ({
    ...one,
    box: { x: one.box.x + 1.2, y: one.box.y + 1.4, width: one.box.width - 2, height: one.box.height - 1.6 },
  }))
  serve(transcription({ answers: [{ ...first, evidence }, second] }))
  await open()
  expect(await screen.findByText('Other lines on the page (2)')).toBeTruthy()
  expect(
    screen.getByRole('button', { name: 'Answer 1, line read as “lce is lass dense”, 52 % confidence' }),
  ).toBeTruthy()
})

it('goes from a line of the list to its place, and from a place to its line', async () => {
  serve(transcription())
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'than water' }))
  expect(screen.getByTestId('paper').dataset.look).toBe('answer q1 1')
  await user.click(screen.getByRole('button', { name: 'Line read as “2. Name the bonds.”' }))
  const row = screen.getByRole('button', { name: '2. Name the bonds.' })
  expect(row.getAttribute('aria-pressed')).toBe('true')
  expect(row.closest('details')?.open).toBe(true)
})

it('keeps what was typed when somebody corrected it meanwhile, and sends nothing that did not change', async () => {
  serve(transcription())
  const sent = hearCorrections(() => errorReply('conflict', { detail: 'Someone else has corrected this answer.' }))
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Correct answer 2' }))
  await user.click(screen.getByRole('button', { name: 'Save and regrade' }))
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Correct answer 2' }))
  await fillIn(screen.getByLabelText('Text on the page for question 2'), 'hydrogen')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Someone else has corrected this answer.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text on the page for question 2').value).toBe('hydrogen')
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Your correction has not been saved.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Discard/ }))
  expect(screen.queryByText('Someone else has corrected this answer.')).toBeNull()
})

it('takes a correction back, and scores again what could not be scored', async () => {
  const corrected: TranscribedAnswer = {
    ...first,
    text: 'Ice',
    corrected: { by: null, at: '2026-01-12T14:02:00Z' },
    revision: 3,
    scoring: 'failed',
    failure: 'The rubric has changed since this paper was graded.',
  }
  serve(transcription({ answers: [corrected, second] }))
  const waiting: TranscribedAnswer = { ...corrected, scoring: 'waiting', failure: null }
  const sent = hearCorrections(() => {
    serve(transcription({ answers: [waiting, second] }))
    return ok(correctAnswer, waiting)
  })
  const user = await open()
  expect(await screen.findByText('The rubric has changed since this paper was graded.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Regrade' }))
  expect(await screen.findByText('Regrading…')).toBeTruthy()
  expect(card('1').getByText(/Original:/).textContent).toContain('lce is lass dense')
  await user.click(screen.getByRole('button', { name: 'Undo the correction of answer 1' }))
  await waitFor(() =>
    expect(sent).toEqual([
      { text: 'Ice', revision: 3 },
      { text: null, revision: 3 },
    ]),
  )
})

it('says in which order pages were read that were scanned out of order', async () => {
  serve(transcription({ page_order: [2, 1] }))
  await open()
  expect(await screen.findByText(/read in this order: 2, 1/)).toBeTruthy()
})

it('says that a paper is not read yet', async () => {
  serve(transcription({ read: false, pages: [], answers: [] }))
  await open()
  expect(await screen.findByText('Not read yet')).toBeTruthy()
})

it('says when what was read cannot be loaded', async () => {
  mockEndpoint(getTranscription, () => errorReply('resource_not_found'))
  await open()
  expect(await screen.findByText('The transcription could not be loaded')).toBeTruthy()
})

it('says what was read of an answer sheet, and why something was not', async () => {
  const read = { ...first, text: 'B', read_text: 'B', reading: 1, evidence: evidence(...lines.slice(1, 2)) }
  const unread = {
    ...second,
    text: '',
    read_text: '',
    evidence: evidence(...lines.slice(2, 3)).map((one) => ({ ...one, quote: '' })),
  }
  serve(
    transcription({
      answers: [
        { ...read, sheet: { separation: 0.87, flag: null } },
        { ...unread, sheet: { separation: 0.1, flag: 'double' } },
      ],
    }),
  )
  await open()
  await screen.findByTestId('answer 1')
  expect(await card('1').findByText('Read from the answer sheet; the mark stands out by 87 %.')).toBeTruthy()
  expect(card('2').getByText(/more than one circle is filled/)).toBeTruthy()
  expect(card('2').getByRole('button', { name: 'Its circles on the answer sheet' })).toBeTruthy()
})
