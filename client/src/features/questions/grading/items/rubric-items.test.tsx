import { decideAnswers, getQuestion, type QuestionToGrade } from '@assay/shared/questions.ts'
import {
  applyRubricItem,
  type BankItem,
  changeRubricItem,
  createRubricItem,
  listRubricItems,
  type RubricItem,
  removeRubricItem,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildQuestionAnswer, buildQuestionToGrade } from '../../../../testing/build-question.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../../testing/render.tsx'

const unit: RubricItem = {
  id: 1,
  criterion_id: 'q3',
  kind: 'takes',
  points: 1,
  text: 'The unit is missing.',
  revision: 1,
  answers: 2,
}
const neat: RubricItem = { ...unit, id: 2, kind: 'comment', points: 0, text: 'Neat.', answers: 0 }
const banked: BankItem = {
  id: 9,
  kind: 'gives',
  points: 7,
  text: 'The method is right.',
  answers: 12,
  assignment: 'Quiz 1',
  question: '2. How long?',
}

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  signInAs()
  mockEndpoint(searchCommentBank, () => ok(searchCommentBank, []))
})

async function open(items: RubricItem[] = [unit, neat], question: QuestionToGrade = buildQuestionToGrade()) {
  mockEndpoint(getQuestion, () => ok(getQuestion, question))
  const listed = mockEndpoint(listRubricItems, () => ok(listRubricItems, items))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  if (items.length > 0) await screen.findByRole('list', { name: 'Rubric items' })
  return listed
}

const serveItems = () =>
  mockBodies(applyRubricItem, ({ answers }, change_id) => {
    const changed = answers.map(({ submission_id }) => submission_id)
    return ok(applyRubricItem, { change_id, changed, conflicts: [], unavailable: [] })
  })

const groupAt = (index: number) => screen.getAllByRole('option')[index]?.textContent
const openGroup = () =>
  document.getElementById(screen.getByRole('listbox').getAttribute('aria-activedescendant') ?? '')?.textContent
const item = (name: RegExp) => screen.getByRole('button', { name })
const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent?.trim())

it('an item is given to the open group by its key, and taken away by it; Enter goes on', async () => {
  const sent = serveItems()
  await open()
  expect(item(/^Takes off 1 point/).getAttribute('aria-keyshortcuts')).toBe('q')
  await userEvent.keyboard('q')
  expect(groupAt(0)).toBe('Decided: 1443 answers4 / 5')
  expect(item(/^Takes off 1 point/).getAttribute('aria-pressed')).toBe('true')
  expect(announced()).toContain('3 answers: “The unit is missing.” given')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    applied: true,
    answers: [11, 12, 13].map((submission_id) => ({ submission_id, decided: null, items: [] })),
  })
  await userEvent.keyboard('q')
  expect(groupAt(0)).toBe('Undecided: 1443 answers5 / 5')
  await waitFor(() => expect(sent[1]?.answers[0]).toEqual({ submission_id: 11, decided: { q3: 4 }, items: [1] }))
  await userEvent.keyboard('qw')
  await waitFor(() => expect(sent).toHaveLength(4))
  await userEvent.keyboard('{Enter}')
  expect(openGroup()).toContain('124')
})

it('an item is given by the same key on a layout of other letters', async () => {
  const sent = serveItems()
  await open()
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'й', code: 'KeyQ', bubbles: true }))
  await waitFor(() => expect(sent).toHaveLength(1))
})

it('an item says what was typed beyond it', async () => {
  serveItems()
  mockEndpoint(decideAnswers, { change_id: 9, changed: [11, 12, 13], conflicts: [], unavailable: [] })
  await open()
  await userEvent.keyboard('q3{Enter}')
  await userEvent.keyboard('k')
  await screen.findByText('−1 typed by hand. It stays when an item’s points change.')
})

it('an item asks before it is given to several groups', async () => {
  const sent = serveItems()
  await open()
  await userEvent.keyboard('Jq')
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('Give this item to 5 answers?')
  expect(sent).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Give item' }))
  await waitFor(() => expect(sent[0]?.answers).toHaveLength(5))
})

it('an item is shown at the answers that have it', async () => {
  const full = buildQuestionToGrade()
  const answers = full.answers.map((answer) =>
    answer.submission_id === 11 ? buildQuestionAnswer(11, { items: [1], decided: { q3: 4 } }) : answer,
  )
  await open([unit], { ...full, answers })
  expect(screen.getByRole('list', { name: 'Rubric items of this answer' }).textContent).toBe('−1 The unit is missing.')
  expect(item(/^Takes off 1 point/).getAttribute('aria-pressed')).toBe('mixed')
})

describe('the form of items', () => {
  const full = buildQuestionToGrade()
  const withUnit = {
    ...full,
    answers: full.answers.map((answer, i) => (i < 2 ? { ...answer, items: [1], decided: { q3: 4 } } : answer)),
  }

  it('adds one by keys alone, with the points checked', async () => {
    const made = mockEndpoint(createRubricItem, () => ok(createRubricItem, unit))
    await open([])
    await userEvent.keyboard('i')
    const dialog = await screen.findByRole('dialog')
    const points = within(dialog).getByLabelText('Points, at most 5')
    await userEvent.clear(points)
    await userEvent.type(points, '6')
    await userEvent.type(within(dialog).getByLabelText('What the student reads'), 'The unit is missing.{Enter}')
    expect(within(dialog).getByText('At most 5')).toBeTruthy()
    await userEvent.clear(points)
    await userEvent.type(points, '1,5{Enter}')
    await waitFor(async () =>
      expect(await made.at(-1)?.json()).toEqual({
        criterion_id: 'q3',
        kind: 'takes',
        points: 1.5,
        text: 'The unit is missing.',
      }),
    )
  })

  it('says how many answers a change is about, and tells of another person’s before it overwrites', async () => {
    const sent = mockEndpoint(changeRubricItem, () =>
      errorReply('conflict', { message: 'Somebody else has changed this item.' }),
    )
    await open([unit, neat], withUnit)
    await userEvent.click(screen.getByRole('button', { name: 'Edit “The unit is missing.”' }))
    const dialog = await screen.findByRole('dialog')
    within(dialog).getByText('This changes 2 answers.')
    mockEndpoint(listRubricItems, () => ok(listRubricItems, [{ ...unit, text: 'No unit!', revision: 2 }]))
    const save = within(dialog).getByRole('button', { name: 'Change 2 answers' })
    await userEvent.click(save)
    await within(dialog).findByText(/It is now: −1 No unit!/)
    await userEvent.click(save)
    await waitFor(() => expect(sent).toHaveLength(2))
    const revisions = await Promise.all(sent.map(async (one) => Object(await one.json()).revision))
    expect(revisions).toEqual([1, 2])
  })

  it('removes one after saying what that does', async () => {
    const sent = mockEndpoint(removeRubricItem, { change_id: 4, item: null, changed: [11, 12] })
    await open([unit, neat], withUnit)
    await userEvent.click(screen.getByRole('button', { name: 'Edit “The unit is missing.”' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
    await screen.findByText(/2 answers will lose its words and points/)
    mockEndpoint(listRubricItems, () => ok(listRubricItems, [neat]))
    await userEvent.click(screen.getByRole('button', { name: 'Remove item' }))
    await waitFor(async () => expect(await sent[0]?.json()).toEqual({ revision: 1 }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit “The unit is missing.”' })).toBeNull())
  })

  it('adds a copy from the comment bank with the arrow keys, with no more points than the criterion has', async () => {
    const searched = mockEndpoint(searchCommentBank, () => ok(searchCommentBank, [banked]))
    const made = mockEndpoint(createRubricItem, () => ok(createRubricItem, unit))
    await open([])
    await userEvent.keyboard('i')
    const bank = await screen.findByRole('region', { name: 'Comment bank' })
    await fillIn(screen.getByLabelText('What the student reads'), 'method')
    await waitFor(() => expect(searched.at(-1)?.url.searchParams.get('search')).toBe('method'))
    within(bank).getByRole('button', { name: /The method is right/ })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(async () =>
      expect(await made[0]?.json()).toEqual({
        criterion_id: 'q3',
        kind: 'gives',
        points: 5,
        text: 'The method is right.',
        copy_of: 9,
      }),
    )
  })
})
