import { getAssignment } from '@assay/shared/assignments.ts'
import {
  type DecisionResult,
  decideAnswers,
  getAnswer,
  getQuestion,
  groupAnswersTogether,
  type QuestionToGrade,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { singleKeysStore } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildQuestionAnswer, buildQuestionToGrade } from '../../../testing/build-question.ts'
import { errorReply, mockBodies, mockEndpoint, ok, server, signInAs } from '../../../testing/mock-api.ts'
import { sendEvent } from '../../../testing/realtime.ts'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  // jsdom has no layout: the virtual list would draw no row.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  signInAs()
})

const result = (part: Partial<DecisionResult>): DecisionResult => ({
  change_id: 1,
  changed: [],
  conflicts: [],
  unavailable: [],
  ...part,
})

function serveDecisions() {
  const sent: unknown[] = []
  mockBodies(decideAnswers, ({ answers, points }, change_id) => {
    const ids = answers.map(({ submission_id }) => submission_id)
    sent.push({ ids, points })
    return ok(decideAnswers, result({ change_id, changed: ids }))
  })
  return sent
}

async function open(question: QuestionToGrade = buildQuestionToGrade()) {
  const asked = mockEndpoint(getQuestion, () => ok(getQuestion, question))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  return asked
}

const options = () => screen.getAllByRole('option')
const groupAt = (index: number) => options()[index]?.textContent
const openGroup = () => {
  const id = screen.getByRole('listbox').getAttribute('aria-activedescendant') ?? ''
  return document.getElementById(id)?.textContent
}
const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent?.trim())

it('lists the groups with what they say, their size and the points expected, and opens the first undecided one', async () => {
  const full = buildQuestionToGrade()
  const [first, ...others] = full.answers
  if (!first) throw new Error('no answer')
  await open({ ...full, answers: [{ ...first, decided: { q3: 5 }, decided_by: 'Martin Keller' }, ...others] })
  expect(options()).toHaveLength(4)
  expect(groupAt(0)).toBe('Partly decided: 1443 answers5 / 5')
  expect(groupAt(2)).toBe('Undecided: 122 answers Flagged0 / 5')
  expect(groupAt(3)).toBe('Undecided: Left blank1 answer0 / 5')
  expect(openGroup()).toBe(groupAt(0))
  expect(screen.getByText('How much is 12 times 12?')).toBeTruthy()
  expect(screen.getByText('a gross')).toBeTruthy()
})

it('sends to the key first where it may be wrong, until answers are decided', async () => {
  serveDecisions()
  const message = 'Question 3: all 8 answers got 0 points.'
  const doubtful_results = [
    { question_id: 'q3', message },
    { question_id: 'q1', message: 'Another question.' },
  ]
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ doubtful_results })))
  await open()
  const link = await screen.findByRole('link', { name: `Check the key: ${message}` })
  expect(link.getAttribute('href')).toBe('/assignments/5/rubric?question=q3')
  expect(screen.queryByText('Another question.')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Accept \d+ clear/ })).toBeNull()
  await userEvent.keyboard('a')
  await screen.findByRole('button', { name: /^Accept \d+ clear/ })
  expect(screen.queryByText(message)).toBeNull()
})

it('a decision gives full points or none by one key', async () => {
  const sent = serveDecisions()
  await open()
  await userEvent.keyboard('=')
  expect(groupAt(0)).toBe('Decided: 1443 answers5 / 5')
  expect(announced()).toContain('3 answers: 5 of 5 points')
  await waitFor(() => expect(sent).toEqual([{ ids: [11, 12, 13], points: { q3: 5 } }]))
  await userEvent.keyboard('-')
  await waitFor(() => expect(sent[1]).toEqual({ ids: [14, 15], points: { q3: 0 } }))
})

it('a decision refuses more points than there are before anything is sent', async () => {
  const sent = serveDecisions()
  await open()
  await userEvent.keyboard('6{Enter}')
  expect(screen.getByText('At most 5')).toBeTruthy()
  expect(openGroup()).toContain('144')
  await userEvent.keyboard('{Backspace}2{Enter}')
  await waitFor(() => expect(sent).toEqual([{ ids: [11, 12, 13], points: { q3: 2 } }]))
})

it('a decision is about the ticked answers only, and the group stays open for the others', async () => {
  const sent = serveDecisions()
  await open()
  await userEvent.keyboard(' {ArrowDown} ')
  expect(screen.getByText('2 selected answers')).toBeTruthy()
  await userEvent.keyboard('1{Enter}')
  await waitFor(() => expect(sent).toEqual([{ ids: [11, 12], points: { q3: 1 } }]))
  expect(openGroup()).toContain('144')
})

it('a decision on a run of groups says first how many answers it is about, and leaves decided ones alone', async () => {
  const sent = serveDecisions()
  await open()
  await userEvent.keyboard('5{Enter}')
  await userEvent.keyboard('n')
  expect(openGroup()).toContain('12')
  await userEvent.click(screen.getByRole('button', { name: 'More ways to decide' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Select all from here up' }))
  expect(screen.getByText('3 groups, 7 answers')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Give 4' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Give 4 of 5 points to 4 answers?')).toBeTruthy()
  expect(dialog.getByLabelText('Change 3 answers decided already, too')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Give points' }))
  await waitFor(() => expect(sent[1]).toEqual({ ids: [14, 15, 16, 17], points: { q3: 4 } }))
  await waitFor(() => expect(openGroup()).toContain('Left blank'))
})

it('a decision is undone in the order of deciding, however fast', async () => {
  serveDecisions()
  const undone: string[] = []
  server.use(
    http.post(`*/api/v1${undoQuestionChange.path}`, ({ params }) => {
      undone.push(String(params.changeId))
      const undo = { id: 1, kind: 'decision' as const, answers: 3, at: '2026-01-12T14:02:00Z' }
      return ok(undoQuestionChange, { ...result({ change_id: null, changed: [14, 15] }), undo })
    }),
  )
  await open()
  await userEvent.keyboard('5{Enter}1{Enter}zz')
  await waitFor(() => expect(undone).toEqual(['2', '1']))
  await waitFor(() => expect(announced()).toContain('Undone: 2 answers with the earlier points'))
  expect(openGroup()).toContain('124')
})

it('a decision leaves what is selected after an undo selected, also while the answers are read again', async () => {
  serveDecisions()
  mockEndpoint(undoQuestionChange, { ...result({ change_id: null, changed: [11, 12, 13] }), undo: null })
  const readAgain = Promise.withResolvers<void>()
  mockEndpoint(getQuestion, async (_, count) => {
    if (count > 1) await readAgain.promise
    return ok(getQuestion, buildQuestionToGrade())
  })
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  await userEvent.keyboard('5{Enter}z')
  await waitFor(() => expect(openGroup()).toContain('144'))
  await userEvent.keyboard('J')
  readAgain.resolve()
  await waitFor(() => expect(announced()).toContain('Undone: 3 answers with the earlier points'))
  expect(screen.getByText('2 of 4 selected')).toBeTruthy()
})

const criteria = [
  { id: 'a', text: 'Method', points: 3, expected: 'multiplies', alternatives: [] },
  { id: 'b', text: 'Result', points: 2, expected: '144', alternatives: [] },
]
const base = buildQuestionToGrade()
const several = {
  ...base,
  question: { ...base.question, criteria },
  answers: [11, 12, 13].map((id) => buildQuestionAnswer(id, { suggested: { a: 3, b: 1 } })),
  groups: base.groups.slice(0, 1),
}

it('several criteria are toggled by their number, stepped by arrows, and given together', async () => {
  const sent = serveDecisions()
  await open(several)
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(name) })
  expect([field('Method').value, field('Result').value]).toEqual(['3', '1'])
  await userEvent.keyboard('1')
  expect(field('Method').value).toBe('0')
  await userEvent.keyboard('{ArrowRight}2{Enter}')
  await waitFor(() => expect(sent).toEqual([{ ids: [11, 12, 13], points: { a: 0.5, b: 2 } }]))
})

const serveGrouping = () =>
  mockBodies(groupAnswersTogether, (_, count) =>
    ok(groupAnswersTogether, { change_id: 9, group_id: `manual-${count}` }),
  )

it('groups lose an answer that is taken out, which comes after them', async () => {
  const sent = serveGrouping()
  await open()
  await userEvent.keyboard('{ArrowDown}x')
  await waitFor(() => expect(options()).toHaveLength(5))
  expect(sent.map(({ submission_ids }) => submission_ids)).toEqual([[12]])
  expect(groupAt(0)).toContain('2 answers')
  expect(groupAt(1)).toContain('1 answer')
  expect(openGroup()).toBe(groupAt(0))
})

it('groups of several wordings list each once, with who wrote it and its points, and lead to its answer', async () => {
  await open()
  expect(screen.queryByRole('list', { name: 'Wordings' })).toBeNull()
  await userEvent.click(options()[2] ?? document.body)
  const list = await screen.findByRole('list', { name: 'Wordings' })
  const wordings = within(list).getAllByRole('button')
  expect(wordings.map((wording) => wording.textContent)).toEqual(['121 answer0 / 5', '241 answer0 / 5'])
  await userEvent.click(wordings[1] ?? document.body)
  expect(
    within(screen.getByRole('region', { name: 'Answers' })).getAllByRole('listitem', { current: true }),
  ).toHaveLength(1)
})

it('groups are merged when several are selected', async () => {
  const sent = serveGrouping()
  await open()
  await userEvent.keyboard('Jm')
  await waitFor(() => expect(options()).toHaveLength(3))
  expect(sent.map(({ submission_ids }) => submission_ids)).toEqual([[11, 12, 13, 14, 15]])
  expect(openGroup()).toContain('5 answers')
})

it('groups keep their order when suggestions change, until the screen is opened anew', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const first = buildQuestionToGrade()
  const asked = mockEndpoint(getQuestion, (_, count) =>
    ok(getQuestion, count === 1 ? first : { ...first, groups: [...first.groups].reverse() }),
  )
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  sendEvent('question_changed', { assignment_id: 5, question_id: 'q3', change_id: 77 })
  await vi.advanceTimersByTimeAsync(1000)
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(groupAt(0)).toContain('144')
})

it('shows others’ decisions soon, and asks nothing of another question', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const asked = await open()
  sendEvent('question_changed', { assignment_id: 5, question_id: 'q1', change_id: 77 })
  await vi.advanceTimersByTimeAsync(2000)
  expect(asked).toHaveLength(1)
  sendEvent('question_changed', { assignment_id: 5, question_id: 'q3', change_id: 78 })
  sendEvent('question_changed', { assignment_id: 5, question_id: 'q3', change_id: 79 })
  await vi.advanceTimersByTimeAsync(2000)
  await waitFor(() => expect(asked).toHaveLength(2))
})

it('selects all groups from here up or down, and withdraws points, by key', async () => {
  const sent = serveDecisions()
  const [one, ...others] = buildQuestionToGrade().answers
  if (!one) throw new Error('no answer')
  await open(
    buildQuestionToGrade({ answers: [{ ...one, decided: { q3: 5 }, decided_by: 'Martin Keller' }, ...others] }),
  )
  await userEvent.keyboard('{Shift>}D{/Shift}')
  const chosen = () => options().filter((option) => option.getAttribute('aria-selected') === 'true').length
  expect(chosen()).toBe(options().length)
  await userEvent.keyboard('{Escape}jj{Shift>}U{/Shift}')
  expect(chosen()).toBe(3)
  await userEvent.keyboard('{Escape}kkkk')
  await userEvent.keyboard('{Shift>}W{/Shift}')
  await waitFor(() => expect(sent).toMatchObject([{ points: null }]))
})

it('offers a few answers first, one by one, and says what each has changed', async () => {
  const sent = serveDecisions()
  const start = buildQuestionToGrade({ mark_first: [16, 14] })
  const learnt = {
    ...start,
    answers: start.answers.map((answer) =>
      answer.submission_id === 17 ? { ...answer, suggested: { q3: 1 } } : answer,
    ),
    mark_first: [14],
    expected_error: 0.4,
  }
  mockEndpoint(getQuestion, (_, count) => ok(getQuestion, count === 1 ? start : learnt))
  renderPage('/assignments/5/questions/q3')
  await screen.findByText('Mark these 2 answers first. The grader learns from your marks.')
  await userEvent.click(screen.getByRole('button', { name: 'Mark them' }))
  expect(screen.getByText('Mark these first: 1 of 2')).toBeTruthy()
  expect(screen.getByText('Student 16')).toBeTruthy()
  await userEvent.keyboard('2{Enter}')
  const words = '1 suggestion has changed. Suggestions are now expected to be off by about 0.4 points on average.'
  await screen.findByText(words, { selector: '[role=note] *' })
  expect(screen.getByText('Student 14')).toBeTruthy()
  expect(screen.getByRole('heading', { name: /^Same words/ })).toBeTruthy()
  await userEvent.keyboard('a')
  await waitFor(() =>
    expect(sent).toEqual([
      { ids: [16], points: { q3: 2 } },
      { ids: [14, 15], points: 'suggested' },
    ]),
  )
  await waitFor(() => expect(screen.queryByText(/Mark these first/)).toBeNull())
})

it('offers the next best answers after any decision, with how far off suggestions are expected to be', async () => {
  const sent = serveDecisions()
  const [one, ...others] = buildQuestionToGrade().answers
  if (!one) throw new Error('no answer')
  const answers = [{ ...one, decided: { q3: 5 }, decided_by: 'Martin Keller' }, ...others]
  await open(buildQuestionToGrade({ answers, mark_first: [16, 14], expected_error: 0.7 }))
  await screen.findByText(/Suggestions are now expected to be off by about 0.7 points on average/)
  expect(screen.getByRole('button', { name: 'Mark 2 more' })).toBeTruthy()
  await userEvent.keyboard('o')
  expect(screen.getByText('Mark these next: 1 of 2')).toBeTruthy()
  await userEvent.keyboard('2{Enter}')
  await waitFor(() => expect(sent).toEqual([{ ids: [16], points: { q3: 2 } }]))
})

it('says of answers that a model graded what a mark counts for', async () => {
  await open(buildQuestionToGrade({ mark_first: [16], learns_from: 'same' }))
  expect(screen.getByText(/Your marks also count for matching answers/)).toBeTruthy()
  expect(screen.queryByText(/grader learns/)).toBeNull()
})

it('tells its keys, and leaves them alone when they are turned off', async () => {
  const sent = serveDecisions()
  await open()
  await userEvent.keyboard('?')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Merge the selected groups')).toBeTruthy()
  await userEvent.click(dialog.getByLabelText('Single-key shortcuts'))
  expect(singleKeysStore.get()).toBe('off')
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('4a')
  expect(openGroup()).toContain('144')
  await userEvent.type(screen.getByRole('textbox', { name: 'Points, of 5' }), '4{Enter}')
  await waitFor(() => expect(sent).toEqual([{ ids: [11, 12, 13], points: { q3: 4 } }]))
})

it('draws only what is in sight of thousands of groups and answers', async () => {
  const ids = Array.from({ length: 3000 }, (_, index) => index + 100)
  await open(
    buildQuestionToGrade({
      answers: ids.map((id) => buildQuestionAnswer(id)),
      groups: [
        { id: 'many', kind: 'same', variants: [ids.slice(0, 1000)] },
        ...ids.slice(1000).map((id) => ({ id: `g${id}`, kind: 'single' as const, variants: [[id]] })),
      ],
    }),
  )
  expect(options().length).toBeLessThan(40)
  expect(options()[0]?.getAttribute('aria-setsize')).toBe('2001')
  expect(screen.getAllByText(/^Student /)).toHaveLength(12)
  await userEvent.click(screen.getByRole('button', { name: 'Show 36 more answers' }))
  expect(screen.getAllByText(/^Student /)).toHaveLength(48)
})

it('says that a question has no answers, or could not be loaded', async () => {
  mockEndpoint(getQuestion, () => errorReply('resource_not_found'))
  mockEndpoint(getAnswer, () => errorReply('resource_not_found'))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Error Loading Question', level: 1 })
})
