import type { SystemLlm } from '@assay/shared/llm/llm.ts'
import { defaultLlmSettings, type LlmSettings, MAX_AT_ONCE } from '@assay/shared/llm/llm-settings.ts'
import type { ReactNode } from 'react'

export type LlmFormValues = ReturnType<typeof formValuesOf>

const numberText = (value: number | null) => (value === null ? '' : String(value))

export function formValuesOf(settings: LlmSettings, system?: SystemLlm) {
  return {
    provider: settings.provider,
    model: settings.model,
    base_url: settings.base_url ?? '',
    // The stored key stays.
    api_key: '',
    removeKey: false,
    input: numberText(settings.price?.input ?? null),
    output: numberText(settings.price?.output ?? null),
    monthly_budget: numberText(settings.monthly_budget),
    pictures: settings.pictures,
    second_opinion: settings.second_opinion,
    second_model: settings.second_model ?? '',
    second_input: numberText(settings.second_price?.input ?? null),
    second_output: numberText(settings.second_price?.output ?? null),
    at_once: String(settings.at_once),
    course_budget: numberText(system?.course_budget ?? null),
    teachers_keys: system?.teachers_keys ?? true,
  }
}

/** With a comma or point; null where there is none, NaN where it is no number. */
function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}

export interface LlmSettingsBody extends LlmSettings {
  api_key?: string | null
}

/** What is no number must not become “no limit”. */
export function parseFormValues(texts: LlmFormValues): {
  body: LlmSettingsBody
  course_budget: number | null
  errors: Record<string, string>
} {
  const errors: Record<string, string> = {}
  const number = (field: keyof LlmFormValues & string, text: string) => {
    const value = parseNumber(text)
    if (Number.isNaN(value)) errors[field] = 'Enter a number, such as 12.50'
    return Number.isNaN(value) ? null : value
  }
  const price = (read: keyof LlmFormValues & string, written: keyof LlmFormValues & string) => {
    const [input, output] = [number(read, String(texts[read])), number(written, String(texts[written]))]
    const half = input === null ? read : written
    if ((input === null) !== (output === null)) errors[half] ??= 'Enter both prices, or neither'
    return input === null || output === null ? null : { input, output }
  }
  const at_once = parseNumber(texts.at_once) ?? Number.NaN
  const isAllowed = Number.isInteger(at_once) && at_once >= 1 && at_once <= MAX_AT_ONCE
  if (!isAllowed) errors.at_once = `Enter a whole number from 1 to ${MAX_AT_ONCE}`
  const offline = texts.provider === 'offline'
  const body: LlmSettingsBody = {
    provider: texts.provider,
    model: offline ? '' : texts.model.trim(),
    base_url: offline ? null : texts.base_url.trim() || null,
    price: price('input', 'output'),
    monthly_budget: number('monthly_budget', texts.monthly_budget),
    pictures: texts.pictures,
    second_opinion: texts.second_opinion,
    second_model: texts.second_model.trim() || null,
    second_price: texts.second_opinion === 'other' ? price('second_input', 'second_output') : null,
    at_once: Number.isNaN(at_once) ? 1 : at_once,
  }
  if (texts.api_key !== '') body.api_key = texts.api_key
  else if (texts.removeKey) body.api_key = null
  return { body, course_budget: number('course_budget', texts.course_budget), errors }
}

const fieldNames: Record<string, keyof LlmFormValues & string> = {
  price: 'input',
  'price.input': 'input',
  'price.output': 'output',
  second_price: 'second_input',
  'second_price.input': 'second_input',
  'second_price.output': 'second_output',
}

/** `toBody` adds what only a course or only the system has. */
export const llmForm = (stored: LlmFormValues) => ({
  stored,
  names: fieldNames,
  check: (texts: LlmFormValues) => parseFormValues(texts).errors,
})

export function testFieldErrors(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const name = path.replace(/^settings\./, '')
      return [fieldNames[name] ?? name, message]
    }),
  )
}

type StoredKey = Pick<SystemLlm, 'has_key' | 'key_ends' | 'key_unreadable'>

export interface LlmFieldsProps {
  values: LlmFormValues
  set: (change: Partial<LlmFormValues>) => void
  errors: Record<string, ReactNode>
  fixedFields: readonly string[]
  storedKey: StoredKey
  /** A teacher’s own provider must be at a public internet address. */
  publicOnly: boolean
}

export function providerHost({ provider, base_url }: Pick<LlmFormValues, 'provider' | 'base_url'>): string | null {
  const written = URL.parse(base_url)?.host
  if (written) return written
  return provider === 'openai-compatible' || provider === 'offline'
    ? null
    : { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' }[provider]
}

export const defaultSettings: LlmSettings = { ...defaultLlmSettings, provider: 'openai' }

export function hasAllPrices(texts: LlmFormValues): boolean {
  const all = [texts.input, texts.output]
  if (texts.second_opinion === 'other' && texts.second_model.trim() !== texts.model.trim())
    all.push(texts.second_input, texts.second_output)
  return all.every((text) => text.trim() !== '')
}
