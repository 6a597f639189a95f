import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { type ApiError, asApiError } from '../api/api-error.ts'

export interface ContractFormOptions<V, B extends z.ZodType> {
  initialValues: V
  toBody: (values: V) => z.input<B>
  /** What the contract cannot check, such as a password typed twice. */
  check?: (values: V) => FormErrors
  /** From names in the contract to fields of the form, where they differ. */
  names?: Record<string, keyof V & string>
  fieldErrors?: (error: ApiError) => Record<string, string>
  checkAsTyped?: boolean
  /** Tells its fields from another form's on the page. */
  name?: string
}

export interface AfterSending {
  refused?: () => void
  failed?: (error: ApiError) => unknown
}

export interface ContractForm<V extends object, I> extends UseFormReturnType<V> {
  /** The last call failed for a reason that belongs to no field. */
  failure: ApiError | null
  /** Other fields keep their errors. */
  change: (part: Partial<V>) => void
  /** Shows errors at their fields and focuses the first. */
  passes: () => boolean | Promise<boolean>
  /** Without a check, for calls beside the form's own; true once it is done. */
  attempt: (send: () => Promise<unknown>, after?: AfterSending) => Promise<boolean>
  /** Checks the fields, then sends; true once it is done. */
  submit: (
    send: (body: I, values: V) => Promise<unknown>,
    after?: AfterSending,
  ) => (event?: Pick<FormEvent, 'preventDefault'>) => Promise<boolean>
}

type FieldOptions<V> = Pick<ContractFormOptions<V, z.ZodType>, 'initialValues' | 'names'>

const fieldOf = (path: string) => path.split('.')[0] ?? path

/** An error within a list (`origins.1`) is shown at the list; one of no field is left out. */
function byField<V extends object>(errors: FormErrors, { initialValues, names = {} }: FieldOptions<V>): FormErrors {
  const found: FormErrors = {}
  for (const [path, message] of Object.entries(errors)) {
    const name = names[path] ?? fieldOf(path)
    if (name in initialValues) found[name] ??= message
  }
  return found
}

/** The built program loads the schema for the first check; without it the server checks. */
export function formErrors<V extends object, B extends z.ZodType>(
  { body }: { body?: B },
  options: ContractFormOptions<V, B>,
  values: V,
): FormErrors | Promise<FormErrors> {
  const and = (errors: FormErrors) => ({ ...byField(errors, options), ...options.check?.(values) })
  const errors: FormErrors | Promise<FormErrors> = body
    ? schemaResolver(body, { sync: true })(options.toBody(values))
    : {}
  return errors instanceof Promise ? errors.catch(() => ({})).then(and) : and(errors)
}

/** Checked by the contract of the call it makes: `useContractForm(createCourse, …)`. */
export function useContractForm<V extends object, B extends z.ZodType>(
  endpoint: { body?: B },
  options: ContractFormOptions<V, B>,
): ContractForm<V, z.input<B>> {
  const [failure, setFailure] = useState<ApiError | null>(null)
  const { initialValues, toBody, fieldErrors = ({ fields }) => fields, checkAsTyped = false, name = '' } = options
  const isWarm = useRef(false)
  const isChecking = useRef(false)
  const form = useForm<V>({
    name,
    initialValues,
    validate: (values) => formErrors(endpoint, options, values),
    validateInputOnChange: checkAsTyped,
    onValuesChange: (values) => {
      setFailure(null)
      // Loads the schema at the first keystroke, so that it is there when the form is sent.
      if (!isWarm.current) void formErrors(endpoint, options, values)
      isWarm.current = true
    },
  })

  // A field that was disabled or folded away gets the focus once it can have it.
  const toFocus = useRef<FormErrors | null>(null)
  useEffect(() => {
    if (!toFocus.current) return
    const wrong = Object.keys(toFocus.current)
    toFocus.current = null
    const first = Object.keys(initialValues).flatMap((field) => wrong.filter((path) => fieldOf(path) === field))[0]
    if (first) form.getInputNode(first)?.focus()
  })

  function refuse(errors: FormErrors, { refused }: AfterSending) {
    form.setErrors(errors)
    refused?.()
    toFocus.current = errors
  }

  /** Synchronous where the schema is loaded. */
  function passes(after: AfterSending = {}, values = form.getValues()): boolean | Promise<boolean> {
    setFailure(null)
    const accept = (errors: FormErrors) => {
      const passed = Object.keys(errors).length === 0
      if (passed) form.clearErrors()
      else refuse(errors, after)
      return passed
    }
    const errors = formErrors(endpoint, options, values)
    return errors instanceof Promise ? errors.then(accept) : accept(errors)
  }

  async function attempt(send: () => Promise<unknown>, after: AfterSending = {}) {
    setFailure(null)
    form.setSubmitting(true)
    try {
      await send()
      return true
    } catch (cause) {
      const error = asApiError(cause)
      const errors = byField(fieldErrors(error), options)
      if (Object.keys(errors).length > 0) refuse(errors, after)
      else {
        setFailure(error)
        after.failed?.(error)
      }
      return false
    } finally {
      form.setSubmitting(false)
    }
  }

  return {
    ...form,
    failure,
    change: (part) => {
      for (const [field, value] of Object.entries(part)) form.setFieldValue(field, value as never)
      form.setErrors((now) => Object.fromEntries(Object.entries(now).filter(([path]) => !(fieldOf(path) in part))))
    },
    passes: () => passes(),
    attempt,
    submit: (send, after) => async (event) => {
      event?.preventDefault()
      if (form.submitting || isChecking.current) return false
      const values = form.getValues()
      const checked = passes(after, values)
      if (checked instanceof Promise) {
        isChecking.current = true
        form.setSubmitting(true)
        try {
          if (!(await checked)) return false
        } finally {
          isChecking.current = false
          form.setSubmitting(false)
        }
      } else if (!checked) return false
      return await attempt(() => send(toBody(values), values), after)
    },
  }
}
