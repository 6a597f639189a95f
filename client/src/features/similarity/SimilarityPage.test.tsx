import { dismissSimilarPairs, getSimilarity, type SimilarityReport, setSimilarity } from '@assay/shared/similarity.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

beforeEach(() => signInAs())

const off: SimilarityReport = { enabled: false, state: 'off', compared: null, pairs: [] }
const first = 'Frozen ponds wear a crusty jacket today.'
const second = 'I say frozen ponds wear a crusty jacket.'
const report = (dismissed = false): Unbranded<SimilarityReport> => ({
  enabled: true,
  state: 'done',
  compared: { at: '2026-11-20T09:00:00.000Z', papers: 30 },
  pairs: [
    {
      id: '7-9',
      first: { submission_id: 7, student: 'Ada Byron' },
      second: { submission_id: 9, student: 'Ben Okri' },
      answers: [
        {
          question_id: 'q2',
          number: '2',
          kind: 'words',
          first,
          second,
          passages: [{ words: 6, first: [0, 33], second: [6, 39] }],
        },
        { question_id: 'q7', number: '7', kind: 'same_wrong_answer', first: '124', second: '124', passages: [] },
      ],
      dismissed: dismissed ? { by_name: 'Ines Keller', at: '2026-11-20T10:00:00.000Z' } : null,
    },
  ],
})

const open = () => renderPage('/assignments/5/similarity')

it('is off until it is asked for, with what it is and is not', async () => {
  mockEndpoint(getSimilarity, () => ok(getSimilarity, off))
  const sent = mockEndpoint(setSimilarity, () => ok(setSimilarity, report()))
  open()
  const wanted = await screen.findByRole<HTMLInputElement>('switch', { name: /unusually similar/ })
  expect(wanted.checked).toBe(false)
  expect(screen.getByText(/a hint, never a verdict/)).toBeTruthy()
  await userEvent.click(wanted)
  expect(await sent[0]?.json()).toEqual({ enabled: true })
  await screen.findByText(/^1 pair unusually alike\. 30 papers compared/)
})

it('shows why two papers are alike, side by side, with the words in common marked', async () => {
  mockEndpoint(getSimilarity, () => ok(getSimilarity, report()))
  open()
  const pair = within(await screen.findByRole('article', { name: 'Ada Byron and Ben Okri' }))
  expect(pair.getByText('6 words in a row in question 2 and the same wrong answer to question 7.')).toBeTruthy()
  expect(pair.getAllByText(/ponds wear a crusty jacket/, { selector: 'mark' }).map((mark) => mark.textContent)).toEqual(
    [first.slice(0, 33), second.slice(6, 39)],
  )
  expect(pair.getByRole('link', { name: 'Ben Okri' }).getAttribute('href')).toBe('/assignments/5/submissions/9')
})

it('folds up what is dismissed, with undo, and says when that was not saved', async () => {
  mockEndpoint(getSimilarity, () => ok(getSimilarity, report()))
  const sent = mockEndpoint(dismissSimilarPairs, (_, count) =>
    count === 1 ? errorReply('conflict', { detail: 'Not just now.' }) : ok(dismissSimilarPairs, report(count === 2)),
  )
  open()
  const pair = within(await screen.findByRole('article', { name: 'Ada Byron and Ben Okri' }))
  await userEvent.click(pair.getByRole('button', { name: 'Dismiss' }))
  await pair.findByText('Not just now.')
  await userEvent.click(pair.getByRole('button', { name: 'Dismiss' }))
  await pair.findByText(/Dismissed by Ines Keller on /)
  expect(pair.queryByText('Question 2')).toBeNull()
  await userEvent.click(pair.getByRole('button', { name: 'Undo' }))
  await pair.findByText('Question 2')
  expect(await Promise.all(sent.map((one) => one.json()))).toEqual([
    { pair_ids: ['7-9'], dismissed: true },
    { pair_ids: ['7-9'], dismissed: true },
    { pair_ids: ['7-9'], dismissed: false },
  ])
})

it('says that papers are being compared, and shows failures', async () => {
  mockEndpoint(getSimilarity, (_, count) =>
    ok(getSimilarity, { ...report(), pairs: [], state: count === 1 ? 'comparing' : 'failed' }),
  )
  const { unmount } = open()
  await screen.findByText(/Comparing the papers/)
  await screen.findByText(/could not be compared/)
  unmount()
  mockEndpoint(getSimilarity, () => errorReply('resource_not_found'))
  open()
  await screen.findByText('Error Loading Similar Answers')
})

it('shows three papers that are alike as one card, two at a time, and dismisses all at once', async () => {
  const [pair] = report().pairs
  if (!pair) throw new Error('a pair')
  const cleo = { submission_id: 11, student: 'Cleo Adeyemi' }
  const three = (dismissed: string[] = []): Unbranded<SimilarityReport> => ({
    ...report(),
    pairs: [pair, { ...pair, id: '9-11', first: pair.second, second: cleo }, { ...pair, id: '7-11', second: cleo }].map(
      (one) => ({
        ...one,
        dismissed: dismissed.includes(one.id) ? { by_name: 'Ines Keller', at: '2026-11-20T10:00:00.000Z' } : null,
      }),
    ),
  })
  mockEndpoint(getSimilarity, () => ok(getSimilarity, three()))
  const sent = mockEndpoint(dismissSimilarPairs, (_, count) =>
    ok(dismissSimilarPairs, three(count === 1 ? ['9-11'] : ['7-9', '9-11', '7-11'])),
  )
  open()
  const card = within(await screen.findByRole('article', { name: 'Ada Byron, Ben Okri and Cleo Adeyemi' }))
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(card.getByText('3 papers alike in 3 pairs.')).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Next pair' }))
  expect(card.getByRole('status').textContent).toMatch(/^Ben Okri and Cleo Adeyemi: 6 words in a row/)
  await userEvent.click(card.getByRole('button', { name: 'Dismiss this pair' }))
  await card.findByText('3 papers alike in 3 pairs. 1 pair dismissed.')
  await userEvent.selectOptions(card.getByLabelText('Compare'), 'Ada Byron and Cleo Adeyemi')
  expect(card.getByRole('status').textContent).toMatch(/^Ada Byron and Cleo Adeyemi/)
  await userEvent.click(card.getByRole('button', { name: 'Dismiss all' }))
  await waitFor(() => expect(card.queryByText('Question 2')).toBeNull())
  expect(await Promise.all(sent.map((one) => one.json()))).toEqual([
    { pair_ids: ['9-11'], dismissed: true },
    { pair_ids: ['7-9', '7-11'], dismissed: true },
  ])
})
