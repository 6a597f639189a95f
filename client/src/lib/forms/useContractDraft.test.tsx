import { MantineProvider } from '@mantine/core'
import { act, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type ContractDraft, useContractDraft } from './useContractDraft.ts'

interface Values {
  name: string
  code: string
}
const endpoint = { body: z.object({ name: z.string(), code: z.string() }).partial() }
type Body = z.infer<typeof endpoint.body>

let form: ContractDraft<Values, Body> | undefined

function Screen({ stored }: { stored: Values }) {
  form = useContractDraft(endpoint, {
    stored,
    toBody: (values, changed) => Object.fromEntries(changed.map((field) => [field, values[field]])),
  })
  return null
}

const screen = (stored: Values) => (
  <MantineProvider env="test">
    <Screen stored={stored} />
  </MantineProvider>
)

function open(stored: Values) {
  const { rerender } = render(screen(stored))
  return {
    get form() {
      if (!form) throw new Error('the form is not shown')
      return form
    },
    store: (stored: Values) => rerender(screen(stored)),
  }
}

it('shows what others store in fields nobody has typed in, and sends what was typed', async () => {
  const app = open({ name: 'Biology', code: 'BIO' })
  act(() => app.form.change({ name: 'Biology 8' }))
  app.store({ name: 'Chemistry', code: 'CHE' })
  expect(app.form.values).toEqual({ name: 'Biology 8', code: 'CHE' })
  expect(app.form.changed).toEqual(['name'])
  const sent: Body[] = []
  await act(() => app.form.submit(async (body) => sent.push(body))())
  expect(sent).toEqual([{ name: 'Biology 8' }])
})

it('shows what is stored once it is sent, but for what was typed in since', async () => {
  const app = open({ name: 'Biology', code: 'BIO' })
  act(() => app.form.change({ name: ' Biology 8', code: 'BIO8' }))
  const arrived = Promise.withResolvers<void>()
  const sending = app.form.submit(() => arrived.promise)()
  act(() => app.form.change({ code: 'BIO8B' }))
  app.store({ name: 'Biology 8', code: 'BIO8' })
  await act(async () => {
    arrived.resolve()
    await sending
  })
  expect(app.form.values).toEqual({ name: 'Biology 8', code: 'BIO8B' })
  expect(app.form.changed).toEqual(['code'])
})

it('keeps what was typed where it could not be sent, until it is reset', async () => {
  const app = open({ name: 'Biology', code: 'BIO' })
  act(() => app.form.change({ name: '' }))
  await act(() => app.form.submit(() => Promise.reject(new Error('gone')))())
  expect(app.form.failure?.code).toBe('unexpected_error')
  expect(app.form.values).toEqual({ name: '', code: 'BIO' })
  act(() => app.form.reset())
  expect(app.form.values).toEqual({ name: 'Biology', code: 'BIO' })
  expect(app.form.failure).toBeNull()
})
