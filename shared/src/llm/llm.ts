import { z } from 'zod'
import { defineEndpoint } from '../http/endpoint.ts'
import { LlmProvider, LlmSettings } from './llm-settings.ts'

/** Never sent back. */
export const LlmKey = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'A key is one word, without spaces')

const Dollars = LlmSettings.shape.monthly_budget

function validateSettings(
  { provider, model, base_url, second_opinion, second_model }: LlmSettings,
  context: z.RefinementCtx,
): void {
  const wrong = (field: keyof LlmSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (provider === 'offline') return
  if (model === '') wrong('model', 'Enter the model name used by the provider')
  if (provider === 'openai-compatible' && base_url === null) wrong('base_url', 'Enter the API address of the model')
  if (second_opinion === 'other' && !second_model) wrong('second_model', 'Enter the other model’s name')
}

/** Omitted, a stored key stays while its address does; null removes it. */
const NewKey = LlmKey.nullish()

const CourseLlmInput = LlmSettings.extend({ api_key: NewKey })
export const NewCourseLlm = CourseLlmInput.superRefine(validateSettings)
const SystemLlmInput = CourseLlmInput.extend({
  /** Of the system's money, US dollars a calendar month; null: no limit. */
  course_budget: Dollars,
  teachers_keys: z.boolean(),
})
export const NewSystemLlm = SystemLlmInput.superRefine(validateSettings)

const StoredKeyInfo = {
  has_key: z.boolean(),
  key_ends: z.string().nullable(),
  /** Encrypted with another SECRET_KEY: to be entered again. */
  key_unreadable: z.boolean(),
}

export const LlmTotals = z.object({
  calls: z.number().int(),
  /** Calls without an answer. */
  failures: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  dollars: z.number().nullable(),
  /** Calls without a price, which `dollars` leaves out. */
  unpriced: z.number().int(),
  /** Calls abandoned while the LLM was responding: the most they may have cost is in `dollars`. */
  estimated: z.number().int(),
})
export type LlmTotals = z.infer<typeof LlmTotals>

/** `dollars` is null without a price. */
export const LlmCost = LlmTotals.omit({ failures: true, unpriced: true })
export type LlmCost = z.infer<typeof LlmCost>

/** US dollars, calendar months, UTC. */
export const LlmBudgetMonth = z.object({
  /** `2026-11`. */
  month: z.string(),
  spent: z.number(),
  /** Null: no limit. */
  budget: z.number().nullable(),
  enforceable: z.boolean(),
})
export type LlmBudgetMonth = z.infer<typeof LlmBudgetMonth>

export const SystemLlm = z.object({
  settings: LlmSettings,
  ...StoredKeyInfo,
  /** Set by the server's environment. */
  fixed: z.array(z.string()),
  course_budget: Dollars,
  teachers_keys: z.boolean(),
  month: LlmBudgetMonth,
  own_courses: z.number().int(),
})
export type SystemLlm = z.infer<typeof SystemLlm>

const SchoolLlm = z.object({
  provider: LlmProvider,
  model: z.string(),
  host: z.string().nullable(),
  pictures: z.boolean(),
  month: LlmBudgetMonth,
})

export const CourseLlm = z.object({
  in_force: z.enum(['course', 'school']),
  own: z.object({ settings: LlmSettings, ...StoredKeyInfo, month: LlmBudgetMonth }).nullable(),
  school: SchoolLlm,
  may_have_own: z.boolean(),
})
export type CourseLlm = z.infer<typeof CourseLlm>

export const llmTestSteps = ['answer', 'structured', 'pictures'] as const
export const LlmTestStep = z.enum(llmTestSteps)
export type LlmTestStep = z.infer<typeof LlmTestStep>

export const LlmCheck = z.object({
  check: z.enum([...LlmTestStep.options, 'speed', 'cost']),
  outcome: z.enum(['ok', 'warn', 'failed', 'skipped']),
  message: z.string(),
})
export type LlmCheck = z.infer<typeof LlmCheck>

export const LlmTest = z.object({
  name: z.string(),
  host: z.string(),
  /** Of one step's test: its outcome, and those of later steps there is no use in taking. */
  checks: z.array(LlmCheck),
  spent: LlmTotals,
  ms: z.number().int(),
})
export type LlmTest = z.infer<typeof LlmTest>

const LlmTestInput = z.object({
  /** Unsaved; omitted, what is stored is tested. */
  settings: NewCourseLlm.optional(),
  /** One step, to show progress. Omitted: all, with speed and cost. */
  only: LlmTestStep.optional(),
})
/** A local model may have to be loaded first. */
const TEST_TIMEOUT_MS = 110_000

const UsageQuery = z.object({
  /** `2026-11`; this month by default. */
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional(),
})
const Named = z.object({ id: z.number().nullable(), name: z.string().nullable() })
const Usage = z.object({
  month: z.string(),
  total: LlmTotals,
  by_purpose: z.array(LlmTotals.extend({ purpose: z.string() })),
  months: z.array(LlmTotals.extend({ month: z.string() })),
})
/** `id` null: no course's, such as a test by an administrator. */
export const SystemLlmUsage = Usage.extend({ courses: z.array(LlmTotals.extend(Named.shape)) })
/** By who paid. A null `name` was deleted. */
export const CourseLlmUsage = Usage.extend({
  assignments: z.array(LlmTotals.extend(Named.shape)),
  runs: z.array(LlmTotals.extend({ run_id: z.number(), assignment_id: z.number().nullable() })),
})
export type SystemLlmUsage = z.infer<typeof SystemLlmUsage>
export type CourseLlmUsage = z.infer<typeof CourseLlmUsage>

export const getSystemLlm = defineEndpoint('get', '/admin/model', {
  summary: 'The LLM that grades and its cost this month; never its key',
  access: ['admin'],
  reply: SystemLlm,
})

export const changeSystemLlm = defineEndpoint('put', '/admin/model', {
  summary: 'Choose the LLM that grades. Another provider or address needs the key again',
  access: ['admin'],
  body: NewSystemLlm,
  reply: SystemLlm,
})

export const testSystemLlm = defineEndpoint('post', '/admin/model/test', {
  summary: 'Test the LLM, with the stored settings or those in the body',
  access: ['admin'],
  body: LlmTestInput,
  timeoutMs: TEST_TIMEOUT_MS,
  reply: LlmTest,
})

export const getSystemLlmUsage = defineEndpoint('get', '/admin/model/usage', {
  summary: 'Usage and cost of the system’s LLM, by course',
  access: ['admin'],
  query: UsageQuery,
  reply: SystemLlmUsage,
})

export const getCourseLlm = defineEndpoint('get', '/courses/:courseId/model', {
  summary: 'The LLM that grades this course’s papers: its own, or the system’s',
  reply: CourseLlm,
})

export const changeCourseLlm = defineEndpoint('put', '/courses/:courseId/model', {
  summary: 'Choose the LLM that grades this course. Another provider or address needs the key again',
  body: NewCourseLlm,
  reply: CourseLlm,
})

export const removeCourseLlm = defineEndpoint('delete', '/courses/:courseId/model', {
  summary: 'Delete the course’s own LLM settings and key; the system’s LLM grades again',
  reply: CourseLlm,
})

export const testCourseLlm = defineEndpoint('post', '/courses/:courseId/model/test', {
  summary: 'Test the LLM that grades this course, or the one in the body',
  body: LlmTestInput,
  timeoutMs: TEST_TIMEOUT_MS,
  reply: LlmTest,
})

export const getCourseLlmUsage = defineEndpoint('get', '/courses/:courseId/model/usage', {
  summary: 'LLM usage and cost of this course, by assignment and run',
  query: UsageQuery,
  reply: CourseLlmUsage,
})
