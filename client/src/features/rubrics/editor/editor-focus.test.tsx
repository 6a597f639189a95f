import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildCurrentRubric } from '../../../testing/build-rubric.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { question, rubricOf } from '../../../testing/open-rubric.tsx'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => signInAs())

/** Three questions, the first with three criteria, of which the first has two more answers and two levels. */
function buildLong(): Rubric {
  const levels = [
    { points: 5, text: 'All of it' },
    { points: 2, text: 'Half of it' },
  ]
  const criteria = [
    { id: 'a', text: 'Names it', points: 4, expected: 'ice', alternatives: ['x', 'y'], levels },
    { id: 'b', text: 'Says why', points: 3, expected: '', alternatives: [] },
    { id: 'c', text: 'Draws it', points: 3, expected: '', alternatives: [] },
  ]
  const first = question('1', { prompt: 'Why does ice float?', criteria })
  return rubricOf([first, question('2', { prompt: 'How much is 12 times 12?' }), question('3')])
}

async function open() {
  mockEndpoint(getRubric, () => ok(getRubric, buildCurrentRubric({ rubric: buildLong() })))
  renderPage('/assignments/5/rubric')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /Why does ice float/ }))
  const press = async (name: string | RegExp) => {
    screen.getByRole('button', { name }).focus()
    await user.keyboard('{Enter}')
  }
  return { user, press }
}

const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''
const heard = (words: string) => screen.getAllByRole('status').some((one) => one.textContent?.includes(words))

describe('the focus in the rubric’s editor', () => {
  it('goes to the next row when one is taken out, then to the one before, then to what adds', async () => {
    const { press } = await open()
    await press('Remove accepted answer 1, criterion 1')
    expect(focused()).toBe('Remove accepted answer 1, criterion 1')
    expect(heard('Accepted answer 1 removed.')).toBe(true)
    await press('Remove accepted answer 1, criterion 1')
    expect(focused()).toBe('Add an accepted answer, criterion 1')
    await press('Remove level 2, criterion 1')
    expect(focused()).toBe('Remove level 1, criterion 1')
    await press('Remove level 1, criterion 1')
    expect(focused()).toBe('Add a level, criterion 1')
    await press('Remove criterion 3')
    expect(focused()).toBe('Remove criterion 2')
    await press('Remove criterion 1')
    expect(focused()).toBe('Add a criterion')
    await press('Undo the last change')
    expect(screen.getByDisplayValue('Names it')).toBeTruthy()
  })

  it('goes to the next question, and to Add when all are gone', async () => {
    const { user, press } = await open()
    await press('Remove question 1')
    expect(focused()).toContain('12 times 12')
    expect(heard('Question 1 removed.')).toBe(true)
    await user.keyboard('{Enter}')
    await press('Remove question 2')
    await user.keyboard('{Enter}')
    await press('Remove question 3')
    expect(focused()).toBe('Write it yourself')
  })

  it('stays on the button that moves a criterion, which is announced, and goes to its other one at the end', async () => {
    const { user, press } = await open()
    await press('Move criterion 1 down')
    expect(focused()).toBe('Move criterion 2 down')
    expect(heard('Criterion 1 moved to position 2 of 3.')).toBe(true)
    await user.keyboard('{Enter}')
    expect(focused()).toBe('Move criterion 3 up')
    expect(heard('Criterion 2 moved to position 3 of 3.')).toBe(true)
  })

  it('stays on the button that moves a question, and says that numbers are those of the paper', async () => {
    const { user, press } = await open()
    expect(heard('Moving a question does not change its number')).toBe(false)
    await press('Move question 1 down')
    expect(focused()).toBe('Move question 1 down')
    expect(heard('Question 1 moved to position 2 of 3.')).toBe(true)
    expect(heard('Moving a question does not change its number')).toBe(true)
    await press('Move question 1 up')
    expect(focused()).toBe('Move question 1 down')
    expect(heard('Moving a question does not change its number')).toBe(false)
    await user.keyboard('{Enter}')
    expect(heard('Question 1 moved to position 2 of 3.')).toBe(true)
  })

  it('goes into what was added', async () => {
    const { press } = await open()
    await press('Add a level, criterion 2')
    expect(document.activeElement).toBe(
      screen.getByLabelText('Level 1: points', { selector: '[data-focus="row-0"]:focus' }),
    )
    await press('Add a criterion')
    expect(document.activeElement?.getAttribute('data-focus')).toMatch(/^points-/)
  })
})
