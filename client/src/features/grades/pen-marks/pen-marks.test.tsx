import { addPenMark, erasePenMark, type PenMark, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import { type AnswerDetails, getAnswer, getQuestion } from '@assay/shared/questions.ts'
import { applyRubricItem, listRubricItems, type RubricItem } from '@assay/shared/rubric-items.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { branded } from '../../../testing/branded.ts'
import { buildQuestionToGrade } from '../../../testing/build-question.ts'
import { buildCriterion, buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { findReview, renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  // jsdom has no layout: a page of A4 at a pixel a point.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 595, 842))
  Element.prototype.setPointerCapture = () => {}
  mockEndpoint(getSubmission, ({ url }) =>
    ok(getSubmission, buildSubmission({ id: Number(url.pathname.split('/').at(-1)) })),
  )
})

let stored: PenMark[] = []

async function open(answer: () => 'saved' | 'failed' = () => 'saved') {
  const ids: string[] = []
  const added: PenMarkContent[] = []
  stored = []
  mockEndpoint(addPenMark, async ({ json, url }) => {
    const id = url.pathname.split('/').at(-1) ?? ''
    const content = (await json()) as PenMarkContent
    ids.push(id)
    added.push(content)
    if (answer() === 'failed') return errorReply('conflict')
    const mark = { ...content, id, author: 'Ms Vogel', created_at: '2030-01-02T03:04:05Z' }
    stored.push(mark)
    return ok(addPenMark, mark)
  })
  const erased = mockEndpoint(erasePenMark, ({ url }) => {
    stored = stored.filter(({ id }) => !url.pathname.endsWith(id))
    return ok(erasePenMark, { message: 'The mark was erased.' })
  })
  renderPage('/assignments/5/submissions/31')
  await findReview()
  return { user: userEvent.setup(), ids, added, erased }
}

type Where = [x: number, y: number]
function drag(pointerType: 'mouse' | 'pen' | 'touch', ...path: Where[]) {
  const pointerId = ['mouse', 'pen', 'touch'].indexOf(pointerType)
  const layer = screen.getByTestId('pen-1')
  const event = ([clientX, clientY]: Where) => ({ clientX, clientY, pointerId, pointerType, button: 0, pressure: 0.7 })
  const [first = [0, 0], ...rest] = path
  fireEvent.pointerDown(layer, event(first))
  for (const point of rest) fireEvent.pointerMove(layer, { ...event(point), buttons: 1 })
  fireEvent.pointerUp(layer, event(rest.at(-1) ?? first))
}
const drawings = () => screen.queryAllByRole('img', { name: /^Drawing on page 1/ })

it('what a teacher draws is shown at once, saved in points of the page, undone and erased', async () => {
  const { user, added, erased } = await open()
  await user.keyboard('p')
  drag('mouse', [100, 200], [140, 220], [180, 200])
  expect(drawings()).toHaveLength(1)
  await waitFor(() => expect(added).toHaveLength(1))
  expect(added[0]).toEqual({
    kind: 'ink',
    page: 1,
    colour: 'red',
    points: [100, 200, 0.5, 140, 220, 0.5, 180, 200, 0.5],
  })
  await user.click(screen.getByRole('button', { name: 'Green' }))
  await user.keyboard('v')
  drag('mouse', [50, 60])
  await screen.findByRole('img', { name: 'Tick on page 1 by Ms Vogel' })
  expect(added[1]).toMatchObject({ kind: 'tick', x: 50, y: 60, colour: 'green' })
  await user.keyboard('u')
  await waitFor(() => expect(erased).toHaveLength(1))
  expect(screen.queryByRole('img', { name: /Tick/ })).toBeNull()
  await user.keyboard('b')
  screen.getByRole('button', { name: /Erase drawing/ }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(erased).toHaveLength(2))
  await user.keyboard('u')
  screen.getByRole('button', { name: /Erase drawing/ })
})

it('a pen mark that could not be saved stays with the reason, and is saved by trying again', async () => {
  let answer: 'saved' | 'failed' = 'failed'
  const { user, ids } = await open(() => answer)
  await user.keyboard('w')
  drag('mouse', [50, 60])
  await user.keyboard('Say why{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('A pen mark is not saved')
  expect(alert.textContent).toContain('Someone else changed this')
  screen.getByRole('img', { name: 'Text “Say why” on page 1' })
  answer = 'saved'
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('img', { name: 'Text “Say why” on page 1 by Ms Vogel' })
  expect(screen.queryByText('A pen mark is not saved')).toBeNull()
  expect(ids[1]).toBe(ids[0])
})

it('once there was a stylus, a finger draws nothing', async () => {
  const { user, added } = await open()
  await user.keyboard('p')
  drag('touch', [10, 10], [60, 10])
  expect(drawings()).toHaveLength(1)
  drag('pen', [10, 40], [60, 40])
  expect(drawings()).toHaveLength(2)
  drag('touch', [10, 80], [60, 80])
  expect(drawings()).toHaveLength(2)
  await waitFor(() => expect(added).toHaveLength(2))
})

it('a stamp writes a rubric item’s words and gives it, and erasing its last stamp takes it away', async () => {
  const given = { id: 1, kind: 'takes', points: 1, text: 'No unit' } as const
  const item: RubricItem = { ...given, criterion_id: 'q1', revision: 1, answers: 0 }
  mockEndpoint(listRubricItems, () => ok(listRubricItems, [item]))
  const sent = mockBodies(applyRubricItem, () =>
    ok(applyRubricItem, { change_id: 1, changed: [31], conflicts: [], unavailable: [] }),
  )
  mockEndpoint(getSubmission, () => {
    const criterion = buildCriterion(sent.at(-1)?.applied ? { items: [given] } : {})
    const grade = buildGrade({ criterion_grades_collection: [criterion] })
    return ok(getSubmission, buildSubmission({ grade, pen_marks: stored }))
  })
  const { user, added, erased } = await open()
  await user.keyboard('1')
  await user.click(screen.getByRole('button', { name: 'Stamp' }))
  await user.click(await screen.findByRole('menuitem', { name: '−1 No unit' }))
  drag('mouse', [100, 300])
  await expect.poll(() => sent).toMatchObject([{ applied: true, answers: [{ submission_id: 31, items: [] }] }])
  expect(added).toMatchObject([{ kind: 'stamp', item_id: 1, text: '−1 No unit', x: 100, y: 300 }])
  drag('mouse', [100, 500])
  const stamps = () => screen.queryAllByRole('img', { name: 'Stamp “−1 No unit” on page 1 by Ms Vogel' }).length
  await expect.poll(stamps).toBe(2)
  await user.keyboard('b')
  for (const left of [1, 0]) {
    screen.getAllByRole('button', { name: /Erase stamp/ })[0]?.focus()
    await user.keyboard('{Enter}')
    await expect.poll(() => stored).toHaveLength(left)
    expect(sent).toHaveLength(2 - left)
  }
  expect(erased).toHaveLength(2)
  await expect.poll(() => sent[1]).toMatchObject({ applied: false, answers: [{ items: [1] }] })
})

it.each([
  ['after a line with room beside it', 214, [520, 120]],
  ['before lines as wide as the page', 66, [520]],
] as const)('a sign by key stands %s', async (_, x, widths) => {
  const evidence = widths.map((width, i) => ({
    page: 1,
    quote: '',
    box: { x: 80, width, y: 200 + 20 * i, height: 10 },
  }))
  const answer = branded<AnswerDetails>({
    ...{ submission_id: 11, student: 'Ada', state: 'read', text: '144', evidence, pictures: [], criteria: [] },
    ...{ decided: null, decided_by: null, reasons: [] },
  })
  mockEndpoint(getQuestion, () => ok(getQuestion, buildQuestionToGrade()))
  mockEndpoint(getAnswer, () => ok(getAnswer, answer))
  const signs = mockBodies(addPenMark, () => errorReply('conflict'))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  await userEvent.keyboard('V')
  await expect.poll(() => signs).toMatchObject([{ kind: 'tick', x, y: 185 + 20 * widths.length }])
})
