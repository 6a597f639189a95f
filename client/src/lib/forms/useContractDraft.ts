import type { FormErrors } from '@mantine/form'
import type { z } from 'zod'
import { type AfterSending, type ContractForm, type ContractFormOptions, useContractForm } from './useContractForm.ts'

type Typed<V> = { [F in keyof V]: V[F] | undefined }

interface ContractDraftOptions<V, B extends z.ZodType>
  extends Omit<ContractFormOptions<V, B>, 'initialValues' | 'toBody'> {
  /** As the fields show it. */
  stored: V
  /** `changed`: the fields that differ from what is stored. */
  toBody: (values: V, changed: (keyof V & string)[]) => z.input<B>
}

export interface ContractDraft<V extends object, I>
  extends Omit<ContractForm<Typed<V>, I>, 'values' | 'submit' | 'getInputProps'> {
  values: V
  changed: (keyof V & string)[]
  /** Once sent, fields show what is stored, but for those typed in since. */
  submit: (
    send: (body: I, values: V) => Promise<unknown>,
    after?: AfterSending,
  ) => ReturnType<ContractForm<V, I>['submit']>
}

/** A form over stored values: an untouched field follows what others store meanwhile. */
export function useContractDraft<V extends object, B extends z.ZodType>(
  endpoint: { body?: B },
  { stored, toBody, check, ...options }: ContractDraftOptions<V, B>,
): ContractDraft<V, z.input<B>> {
  const fields = Object.keys(stored) as (keyof V & string)[]
  const typedOver = (typed: Typed<V>): V => {
    const values = { ...stored }
    for (const field of fields) if (typed[field] !== undefined) values[field] = typed[field]
    return values
  }
  const changedIn = (values: V) => fields.filter((field) => values[field] !== stored[field])
  const form = useContractForm<Typed<V>, B>(endpoint, {
    ...options,
    initialValues: Object.fromEntries(fields.map((field) => [field, undefined])) as Typed<V>,
    toBody: (typed) => toBody(typedOver(typed), changedIn(typedOver(typed))),
    check: (typed): FormErrors => check?.(typedOver(typed)) ?? {},
  })
  const values = typedOver(form.values)

  return {
    ...form,
    values,
    changed: changedIn(values),
    submit: (send, after) =>
      form.submit(async (body, sent) => {
        await send(body, typedOver(sent))
        const typed = form.getValues()
        const settled = fields.filter((field) => typed[field] === sent[field])
        form.change(Object.fromEntries(settled.map((field) => [field, undefined])) as Partial<Typed<V>>)
      }, after),
  }
}
