import { listOpenRegrades, type OpenRegrade } from '@assay/shared/regrades.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { branded } from '../../testing/branded.ts'
import { mockEndpoint, ok } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'

const request = (id: number, student: string, number: string | null): OpenRegrade =>
  branded<OpenRegrade>({
    id,
    submission_id: 30 + id,
    state: 'open',
    reason: `Reason of ${student}`,
    criterion: number === null ? null : { id, text: 'Why?', criterion_id: `q${number}` },
    question: number === null ? null : { id: `q${number}`, number },
    points: number === null ? null : { when_asked: 2, when_answered: null, of: 5 },
    asked_at: '2026-01-12T14:02:00Z',
    score_when_asked: 82.5,
    answer: null,
    answered_at: null,
    score_when_answered: null,
    outcome: null,
    student,
  })

beforeEach(() => signInAs())

it('lists the open requests in the order they came, and those of one question', async () => {
  const all = [request(1, 'Ada', '10'), request(2, 'Ben', null), request(3, 'Cleo', '2'), request(4, 'Dan', '10')]
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, all))
  renderPage('/assignments/5/regrades')
  await screen.findByText('4 open requests')
  const names = () => within(screen.getAllByRole('list').at(-1) as HTMLElement).getAllByRole('link')
  expect(names().map(({ textContent }) => textContent)).toEqual(['Ada', 'Ben', 'Cleo', 'Dan'])
  expect(names()[2]?.getAttribute('href')).toBe('/assignments/5/submissions/33')
  const filters = within(screen.getByRole('group', { name: 'Show' })).getAllByRole('button')
  expect(filters.map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'Question 2 1',
    'Question 10 2',
    'Whole paper 1',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Question 10 2' }))
  expect(names().map(({ textContent }) => textContent)).toEqual(['Ada', 'Dan'])
  expect(screen.getByText('2 open requests')).toBeTruthy()
})

it('says that there are none', async () => {
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, []))
  renderPage('/assignments/5/regrades')
  await screen.findByText('No open requests')
})
