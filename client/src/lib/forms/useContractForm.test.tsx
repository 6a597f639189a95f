import { MantineProvider, TextInput } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fillIn } from '../../testing/render.tsx'
import { ApiError, asApiError } from '../api/api-error.ts'
import { laterSchema } from '../api/built-schemas.ts'
import { useContractForm } from './useContractForm.ts'

const endpoint = {
  body: z.object({ name: z.string().min(1, 'Name is required'), code: z.string().max(4, 'At most 4 letters') }),
}
type Body = z.infer<typeof endpoint.body>

const refusal = new ApiError(422, {
  ...asApiError(null).reply,
  detail: [{ loc: ['body', 'code'], msg: 'This code is taken', type: 'taken' }],
})

interface Props {
  send: (body: Body) => Promise<unknown>
  done?: (sent: boolean) => void
  checkedBy?: typeof endpoint
}

function Form({ send, done, checkedBy = endpoint }: Props) {
  const form = useContractForm(checkedBy, { initialValues: { name: '', code: '' }, toBody: (values) => values })
  const submit = form.submit(send)
  const field = (name: keyof Body) => ({
    label: name,
    value: form.values[name],
    error: form.errors[name],
    disabled: form.submitting,
    'data-path': name,
    onChange: (event: { currentTarget: { value: string } }) => form.change({ [name]: event.currentTarget.value }),
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event).then(done)}>
      <TextInput {...field('name')} />
      <TextInput {...field('code')} />
      <button type="submit">Send</button>
      <p role="alert">{form.failure?.message}</p>
    </form>
  )
}

function open(props: Partial<Props> = {}) {
  const sent: Body[] = []
  const outcomes: boolean[] = []
  const send = async (body: Body) => {
    sent.push(body)
    await props.send?.(body)
  }
  render(
    <MantineProvider env="test">
      <Form send={send} checkedBy={props.checkedBy} done={(outcome) => outcomes.push(outcome)} />
    </MantineProvider>,
  )
  const user = userEvent.setup()
  return {
    user,
    sent,
    outcomes,
    name: screen.getByLabelText('name'),
    code: screen.getByLabelText('code'),
    press: () => user.click(screen.getByRole('button', { name: 'Send' })),
  }
}

it('says what the contract has against the fields, and goes on saying it of those that were not corrected', async () => {
  const { user, sent, outcomes, name, code, press } = open()
  await fillIn(code, 'BIO-8')
  await press()
  expect(screen.getByText('Name is required')).toBeTruthy()
  expect(document.activeElement).toBe(name)
  await fillIn(name, 'Biology')
  expect(screen.queryByText('Name is required')).toBeNull()
  expect(screen.getByText('At most 4 letters')).toBeTruthy()
  expect(sent).toEqual([])
  await user.clear(code)
  await press()
  expect(sent).toEqual([{ name: 'Biology', code: '' }])
  expect(outcomes).toEqual([false, true])
})

it('puts the focus where the server refused something, though the field was off until then', async () => {
  const { outcomes, name, code, press } = open({ send: () => Promise.reject(refusal) })
  await fillIn(name, 'Biology')
  await press()
  expect(await screen.findByText('This code is taken')).toBeTruthy()
  expect(document.activeElement).toBe(code)
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(outcomes).toEqual([false])
})

it('says why it failed until something is changed, and keeps what was entered', async () => {
  const { user, name, press } = open({ send: () => Promise.reject(ApiError.of('conflict', 'Someone was first.')) })
  await fillIn(name, 'Biology')
  await press()
  expect(await screen.findByText('Someone was first.')).toBeTruthy()
  expect(name).toHaveProperty('value', 'Biology')
  await user.type(name, ' 8')
  expect(screen.getByRole('alert').textContent).toBe('')
})

it('sends once, however often it is pressed', async () => {
  const arrived = Promise.withResolvers<void>()
  const { sent, outcomes, name, press } = open({ send: () => arrived.promise })
  await fillIn(name, 'Biology')
  await press()
  await press()
  arrived.resolve()
  await expect.poll(() => outcomes).toEqual([false, true])
  expect(sent).toHaveLength(1)
})

describe('with a schema that is loaded when something is first checked, as in the built program', () => {
  function openLoading() {
    const { promise, resolve, reject } = Promise.withResolvers<typeof endpoint.body>()
    const checkedBy = { body: laterSchema(() => promise) as unknown as typeof endpoint.body }
    return { ...open({ checkedBy }), resolve: () => resolve(endpoint.body), reject }
  }

  it('sends once, after the fields were checked', async () => {
    const { sent, name, press, resolve } = openLoading()
    await fillIn(name, 'Biology')
    await press()
    await press()
    expect(sent).toEqual([])
    expect(name).toHaveProperty('disabled', true)
    resolve()
    await expect.poll(() => sent).toEqual([{ name: 'Biology', code: '' }])
  })

  it('says at its field what is wrong', async () => {
    const { sent, press, resolve } = openLoading()
    await press()
    resolve()
    expect(await screen.findByText('Name is required')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('leaves the check to the server where the schema does not come', async () => {
    const { sent, press, reject } = openLoading()
    await press()
    reject(new TypeError('Failed to fetch dynamically imported module'))
    await expect.poll(() => sent).toEqual([{ name: '', code: '' }])
  })
})
