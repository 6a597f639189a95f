import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import { type ApiError, asApiError } from '../api/api-error.ts'

export interface ContractFormOptions<V, B extends z.ZodType> {
  initialValues: V
  /** The fields as the contract wants them. */
  toBody: (values: V) => z.input<B>
  /** What the contract cannot know, such as a password that is typed twice. */
  check?: (values: V) => FormErrors
  /** The field of the form, by the name in the contract, where they differ. */
  names?: Record<string, keyof V & string>
  /** The messages of a failed call by field; the error's own unless said otherwise. */
  fieldErrors?: (error: ApiError) => Record<string, string>
}

export interface ContractForm<V extends object, I> extends UseFormReturnType<V> {
  /** The last call failed for a reason that belongs to no field. */
  failure: ApiError | null
  /** Checks the fields, then sends. Errors go to their fields, of which the first gets the focus. */
  submit: (
    send: (body: I, values: V) => Promise<unknown>,
    after?: { refused?: () => void; failed?: (error: ApiError) => unknown },
  ) => (event?: FormEvent<HTMLFormElement>) => void
}

type FieldOptions<V> = Pick<ContractFormOptions<V, z.ZodType>, 'initialValues' | 'names'>

/** An error within a list (`origins.1`) is shown at the list; one of no field is left out. */
function byField<V extends object>(errors: FormErrors, { initialValues, names = {} }: FieldOptions<V>): FormErrors {
  const found: FormErrors = {}
  for (const [path, message] of Object.entries(errors)) {
    const name = names[path] ?? path.split('.')[0] ?? path
    if (name in initialValues) found[name] ??= message
  }
  return found
}

/** What the contract and the form have against the values, by field. */
export function formErrors<V extends object, B extends z.ZodType>(
  { body }: { body?: B },
  options: ContractFormOptions<V, B>,
  values: V,
): FormErrors {
  const errors = body ? schemaResolver(body, { sync: true })(options.toBody(values)) : {}
  return { ...byField(errors, options), ...options.check?.(values) }
}

/** A form that is checked by the contract of the call it makes: `useContractForm(createCourse, …)`. */
export function useContractForm<V extends object, B extends z.ZodType>(
  endpoint: { body?: B },
  options: ContractFormOptions<V, B>,
): ContractForm<V, z.input<B>> {
  const [failure, setFailure] = useState<ApiError | null>(null)
  const { initialValues, toBody, fieldErrors = ({ fields }) => fields } = options
  const form = useForm<V>({
    initialValues,
    validate: (values) => formErrors(endpoint, options, values),
    onValuesChange: () => setFailure(null),
  })

  function focusFirst(errors: FormErrors) {
    const first = Object.keys(initialValues).find((name) => errors[name])
    if (first) form.getInputNode(first)?.focus()
  }

  return {
    ...form,
    failure,
    submit: (send, { refused, failed } = {}) => {
      const refuse = (errors: FormErrors) => {
        refused?.()
        focusFirst(errors)
      }
      return form.onSubmit(async (values) => {
        setFailure(null)
        try {
          await send(toBody(values), values)
        } catch (cause) {
          const error = asApiError(cause)
          const errors = byField(fieldErrors(error), options)
          if (Object.keys(errors).length === 0) {
            setFailure(error)
            failed?.(error)
            return
          }
          form.setErrors(errors)
          refuse(errors)
        }
      }, refuse)
    },
  }
}
