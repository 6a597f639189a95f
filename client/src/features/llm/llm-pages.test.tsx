import { getCourse } from '@assay/shared/courses.ts'
import {
  type CourseLlm,
  changeCourseLlm,
  changeSystemLlm,
  getCourseLlm,
  getCourseLlmUsage,
  getSystemLlm,
  getSystemLlmUsage,
  type LlmTest,
  type LlmTotals,
  removeCourseLlm,
  type SystemLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildCourseDetail } from '../../testing/build-course.ts'
import { admin, errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'
import { defaultSettings } from './llm-settings-form.ts'

const month = { month: '2026-11', spent: 4.5, budget: 20, enforceable: true }
const stored: SystemLlm = {
  settings: { ...defaultSettings, model: 'some-model', price: { input: 2.5, output: 10 }, monthly_budget: 20 },
  has_key: true,
  key_ends: '4711',
  key_unreadable: false,
  fixed: [],
  course_budget: null,
  teachers_keys: true,
  month,
  own_courses: 0,
}
const sums: LlmTotals = {
  calls: 120,
  failures: 2,
  input_tokens: 400_000,
  output_tokens: 20_000,
  dollars: 4.5,
  unpriced: 0,
  estimated: 0,
}
const tested: LlmTest = {
  name: 'openai/other-model',
  host: 'api.openai.com',
  checks: [],
  spent: { calls: 1, failures: 0, input_tokens: 100, output_tokens: 10, dollars: 0.001, unpriced: 0, estimated: 0 },
  ms: 500,
}
const usage = {
  month: '2026-11',
  total: sums,
  by_purpose: [{ ...sums, purpose: 'grade' }],
  months: [
    { ...sums, month: '2026-11' },
    { ...sums, month: '2026-10' },
  ],
}

describe('the system’s model', () => {
  beforeEach(() => {
    signInAs(admin)
    mockEndpoint(getSystemLlm, () => ok(getSystemLlm, stored))
    mockEndpoint(getSystemLlmUsage, { ...usage, courses: [{ ...sums, id: 7, name: 'Physics' }] })
  })
  const open = async () => {
    const { user } = renderPage('/admin/settings/model')
    await screen.findByLabelText('Key')
    return user
  }

  it('is saved with a new key, which is gone from the screen afterwards', async () => {
    const sent = mockEndpoint(changeSystemLlm, () => ok(changeSystemLlm, { ...stored, key_ends: '0815' }))
    const user = await open()
    const key = screen.getByLabelText('Key')
    expect(screen.getByText(/A key ending in 4711 is stored/)).toBeTruthy()
    await user.type(key, 'sk-new-key-0815')
    await user.clear(screen.getByLabelText('Monthly budget'))
    await user.type(screen.getByLabelText('Monthly budget'), '12,50')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText(/A key ending in 0815 is stored/)).toBeTruthy()
    // It comes a little later: the next test must not find it.
    await screen.findByText('Saved. Changes take effect immediately.')
    expect(screen.getByLabelText('Key')).toHaveProperty('value', '')
    expect(await sent[0]?.json()).toMatchObject({
      api_key: 'sk-new-key-0815',
      monthly_budget: 12.5,
      price: { input: 2.5, output: 10 },
    })
  })

  it('is saved without a key where none was typed, so that the stored one stays', async () => {
    const sent = mockEndpoint(changeSystemLlm, () => ok(changeSystemLlm, stored))
    const user = await open()
    await user.click(screen.getByLabelText(/Let teachers use their own keys/))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Saved. Changes take effect immediately.')
    const body = await sent[0]?.json()
    expect(body).toMatchObject({ teachers_keys: false })
    expect(body).not.toHaveProperty('api_key')
  })

  it('does not take words for “no limit”, nor one price for two', async () => {
    const sent = mockEndpoint(changeSystemLlm, () => ok(changeSystemLlm, stored))
    const user = await open()
    await user.clear(screen.getByLabelText('Monthly budget'))
    await user.type(screen.getByLabelText('Monthly budget'), 'ten')
    await user.clear(screen.getByLabelText('Price per million output tokens'))
    expect(screen.getByText(/Enter both prices to enforce/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Enter a number, such as 12.50')).toBeTruthy()
    expect(screen.getByText('Enter both prices, or neither')).toBeTruthy()
    expect(sent).toHaveLength(0)
  })

  it('takes another model for second opinions with its own prices, without which only tokens are counted', async () => {
    const sent = mockEndpoint(changeSystemLlm, () => ok(changeSystemLlm, stored))
    const user = await open()
    expect(screen.queryByText(/only tokens are counted/)).toBeNull()
    await user.selectOptions(screen.getByLabelText('Second opinion on uncertain answers'), 'other')
    await user.type(screen.getByLabelText('The other model'), 'bigger')
    expect(screen.getByText(/Enter the prices of both models/)).toBeTruthy()
    await user.type(screen.getByLabelText('Price per million input tokens (second model)'), '5')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Enter both prices, or neither')).toBeTruthy()
    expect(sent).toHaveLength(0)
    await user.type(screen.getByLabelText('Price per million output tokens (second model)'), '20')
    expect(screen.queryByText(/only tokens are counted/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Saved. Changes take effect immediately.')
    expect(await sent[0]?.json()).toMatchObject({ second_model: 'bigger', second_price: { input: 5, output: 20 } })
  })

  it('says at the other model’s price what the server refuses of it', async () => {
    mockEndpoint(changeSystemLlm, () =>
      errorReply('validation_failed', {
        validation_errors: [{ field: 'second_price.output', message: 'At most 10000', constraint: 'too_big' }],
      }),
    )
    const user = await open()
    await user.selectOptions(screen.getByLabelText('Second opinion on uncertain answers'), 'other')
    await user.type(screen.getByLabelText('The other model'), 'bigger')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    const field = screen.getByLabelText('Price per million output tokens (second model)')
    expect(await screen.findByText('At most 10000')).toBeTruthy()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    // The focus moves in an effect, which may run after the message is drawn.
    await expect.poll(() => document.activeElement).toBe(field)
  })

  it.each(['Save Changes', 'Test connection'])(
    'says at its field what the contract has against it on “%s”',
    async (press) => {
      const sent = [changeSystemLlm, testSystemLlm].map((endpoint) =>
        mockEndpoint(endpoint, () => errorReply('service_unavailable')),
      )
      const user = await open()
      const model = screen.getByLabelText('Model')
      await user.clear(model)
      await user.type(screen.getByLabelText('Another address (optional)'), 'localhost')
      await user.click(screen.getByRole('button', { name: press }))
      expect(await screen.findByText('Enter an address that begins with https:// or http://')).toBeTruthy()
      expect(screen.getByText('Enter the model name used by the provider')).toBeTruthy()
      expect(document.activeElement).toBe(model)
      expect(sent).toEqual([[], []])
    },
  )

  it('says at the key that it must be entered again for another address', async () => {
    const words = 'Enter the key again: it would go to another address.'
    mockEndpoint(changeSystemLlm, () =>
      errorReply('validation_failed', {
        validation_errors: [{ field: 'api_key', message: words, constraint: 'key_again' }],
      }),
    )
    const user = await open()
    await user.selectOptions(screen.getByLabelText('Provider'), 'anthropic')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByText(/goes to/).textContent).toContain('Anthropic')
  })

  it('is tested with the values in the fields, step by step, and the result of each check is shown', async () => {
    const bodies: unknown[] = []
    mockEndpoint(testSystemLlm, async ({ json }) => {
      const body = testSystemLlm.body?.parse(await json())
      bodies.push(body)
      const checks: Record<string, LlmTest['checks']> = {
        answer: [{ check: 'answer', outcome: 'ok', message: 'The AI model answers.' }],
        structured: [{ check: 'structured', outcome: 'ok', message: 'The format is valid.' }],
        pictures: [{ check: 'pictures', outcome: 'failed', message: 'It cannot read images.' }],
      }
      return ok(testSystemLlm, { ...tested, checks: checks[body?.only ?? ''] ?? [] })
    })
    const user = await open()
    await user.clear(screen.getByLabelText('Model'))
    await user.type(screen.getByLabelText('Model'), 'other-model')
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText(/some checks failed/)).toBeTruthy()
    const list = screen.getByRole('list', { name: 'Checks' })
    expect(within(list).getByText('It cannot read images.')).toBeTruthy()
    expect(within(list).getByText('Does not work')).toBeTruthy()
    expect(within(list).getByText('An answer takes about 0.5 seconds.')).toBeTruthy()
    expect(within(list).getByText('300 tokens read and 30 written in 3 requests: $0.00300 in total.')).toBeTruthy()
    expect(bodies).toMatchObject(
      ['answer', 'structured', 'pictures'].map((only) => ({ only, settings: { model: 'other-model' } })),
    )
  })

  it('takes no step that cannot work any more', async () => {
    const sent = mockEndpoint(testSystemLlm, {
      ...tested,
      spent: { ...sums, calls: 1, failures: 1 },
      checks: [
        { check: 'answer', outcome: 'failed', message: 'Nothing is listening there.' },
        { check: 'structured', outcome: 'skipped', message: 'Not run.' },
        { check: 'pictures', outcome: 'skipped', message: 'Not run.' },
      ],
    })
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText('Nothing is listening there.')).toBeTruthy()
    expect(await screen.findByText(/some checks failed/)).toBeTruthy()
    expect(sent).toHaveLength(1)
    expect(screen.queryByText(/An answer takes/)).toBeNull()
  })

  it('says at which step its test is, and is stopped by a button that does not lose the focus', async () => {
    const sent = mockEndpoint(testSystemLlm, (_, count) =>
      count === 1
        ? ok(testSystemLlm, { ...tested, checks: [{ check: 'answer', outcome: 'ok', message: 'There.' }] })
        : new Promise<Response>(() => {}),
    )
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText('Step 2 of 3: checking structured output…')).toBeTruthy()
    expect(screen.getByText('There.')).toBeTruthy()
    await expect.poll(() => sent).toHaveLength(2)
    // A second press begins no second test.
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/stopped\. The provider may charge/)).toBeTruthy()
    expect(screen.getAllByText('Not run: the test was stopped.')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    expect(document.activeElement?.textContent).toBe('Test connection')
    expect(sent).toHaveLength(2)
  })

  it('cannot be changed where the environment says it', async () => {
    mockEndpoint(getSystemLlm, { ...stored, fixed: ['provider', 'model', 'base_url', 'api_key'] })
    await open()
    for (const label of ['Provider', 'Model', 'Key'])
      expect(screen.getByLabelText(label)).toHaveProperty('readOnly', true)
    expect(screen.getByLabelText('Monthly budget')).toHaveProperty('readOnly', false)
  })

  it('shows what it has cost, by course, and in another month', async () => {
    const asked = mockEndpoint(getSystemLlmUsage, { ...usage, courses: [{ ...sums, id: 7, name: 'Physics' }] })
    const user = await open()
    const link = await screen.findByRole('link', { name: 'Physics' })
    expect(link.getAttribute('href')).toBe('/courses/7/model')
    expect(screen.getByText('of $20.00')).toBeTruthy()
    await user.selectOptions(screen.getByLabelText('Month'), '2026-10')
    await expect.poll(() => asked.at(-1)?.url.searchParams.get('month')).toBe('2026-10')
  })

  it.each([
    [
      'nothing is priced',
      { enforceable: false },
      { dollars: null, unpriced: 120 },
      'Not known',
      /so the budget of \$20\.00 is not enforced/,
    ],
    ['the budget is nought', { budget: 0 }, { dollars: 0, calls: 3 }, '$0', /budget is \$0: no requests are sent/],
    ['a price came late', {}, { unpriced: 2 }, 'at least $4.50', /some requests were made before a price/],
  ])('says in words what it has cost where %s', async (_, ofMonth, ofSums, cost, note) => {
    const total = { ...sums, ...ofSums }
    mockEndpoint(getSystemLlm, () => ok(getSystemLlm, { ...stored, month: { ...month, ...ofMonth } }))
    mockEndpoint(getSystemLlmUsage, () => ok(getSystemLlmUsage, { ...usage, total, by_purpose: [], courses: [] }))
    await open()
    expect(await screen.findByText(cost)).toBeTruthy()
    expect(screen.getByText(note)).toBeTruthy()
  })

  it('says what belongs to no course, and which questions are counted by a guess', async () => {
    const tests = { ...sums, id: null, name: null, estimated: 2 }
    mockEndpoint(getSystemLlmUsage, () => ok(getSystemLlmUsage, { ...usage, by_purpose: [], courses: [tests] }))
    await open()
    expect(await screen.findByText('Connection tests, and assignments outside courses')).toBeTruthy()
    expect(screen.getByText(/2 interrupted \(counted at the maximum cost\)/)).toBeTruthy()
  })

  it('says where figures could not be loaded, and leaves the form alone', async () => {
    mockEndpoint(getSystemLlmUsage, () => errorReply('resource_not_found'))
    await open()
    expect(await screen.findByText(/could not be found/)).toBeTruthy()
    expect(screen.getByLabelText('Model')).toHaveProperty('value', 'some-model')
  })
})

describe('a course’s model', () => {
  const course = buildCourseDetail({ id: 7, name: 'Physics' })
  const school: CourseLlm['school'] = {
    provider: 'openai',
    model: 'school-model',
    host: 'api.openai.com',
    pictures: true,
    month: { ...month, spent: 1.25, budget: 10 },
  }
  const model: CourseLlm = { in_force: 'school', own: null, school, may_have_own: true }
  const own: CourseLlm['own'] = { ...stored, month }

  beforeEach(() => {
    signInAs()
    mockEndpoint(getCourse, () => ok(getCourse, course))
    mockEndpoint(getCourseLlm, () => ok(getCourseLlm, model))
    mockEndpoint(getCourseLlmUsage, () => ok(getCourseLlmUsage, { ...usage, assignments: [], runs: [] }))
  })

  it('is the school’s, with what leaves the server and what the course has spent, until there is one of its own', async () => {
    const sent = mockEndpoint(changeCourseLlm, () => ok(changeCourseLlm, { ...model, in_force: 'course', own }))
    const { user } = renderPage('/courses/7/model')
    expect(await screen.findByText('school-model (OpenAI)')).toBeTruthy()
    expect(screen.getByText(/of the \$10.00 limit/)).toBeTruthy()
    expect(screen.getByText('api.openai.com')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Use our own model' }))
    await user.type(screen.getByLabelText('Model'), 'our-model')
    await user.type(screen.getByLabelText('Key'), 'sk-ours-0815')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText(/uses its own model/)).toBeTruthy()
    expect(await sent[0]?.json()).toMatchObject({ model: 'our-model', api_key: 'sk-ours-0815' })
  })

  it('of its own is removed after asking, and the school’s grades again', async () => {
    mockEndpoint(getCourseLlm, () => ok(getCourseLlm, { ...model, in_force: 'course', own }))
    const removed = mockEndpoint(removeCourseLlm, () => ok(removeCourseLlm, model))
    const { user } = renderPage('/courses/7/model')
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('Its key is deleted')
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText(/as your school has set/)).toBeTruthy()
    expect(removed).toHaveLength(1)
  })

  it('of its own is not asked, and not offered, where the administrator has turned them off', async () => {
    mockEndpoint(getCourseLlm, () => ok(getCourseLlm, { ...model, own, may_have_own: false }))
    renderPage('/courses/7/model')
    expect(await screen.findByText(/administrator has turned off course models/)).toBeTruthy()
    expect(screen.queryByLabelText('Key')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Use our own model' })).toBeNull()
  })
})
