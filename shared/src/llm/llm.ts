import { z } from 'zod'
import { defineEndpoint } from '../http/endpoint.ts'
import { LlmProvider, LlmSettings } from './llm-settings.ts'

/** The provider's API key. Accepted, and never sent back. */
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

/** Left out, a stored key stays, as long as it goes where it went before; null takes it away. */
const NewKey = LlmKey.nullish()

const CourseLlmInput = LlmSettings.extend({ api_key: NewKey })
export const NewCourseLlm = CourseLlmInput.superRefine(validateSettings)
const SystemLlmInput = CourseLlmInput.extend({
  /** What one course may spend of the system's, in US dollars a calendar month; null: no limit of its own. */
  course_budget: Dollars,
  teachers_keys: z.boolean(),
})
export const NewSystemLlm = SystemLlmInput.superRefine(validateSettings)

const StoredKeyInfo = {
  has_key: z.boolean(),
  /** The last four letters; null where there is no key, or one too short to tell any of it. */
  key_ends: z.string().nullable(),
  /** It was locked away with another SECRET_KEY and must be entered again. */
  key_unreadable: z.boolean(),
}

export const LlmTotals = z.object({
  calls: z.number().int(),
  /** Those that brought no answer. */
  failures: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  /** US dollars; null where there was something to pay and nobody had said what a token costs. */
  dollars: z.number().nullable(),
  /** Calls that nobody had put a price on: `dollars` is without them. */
  unpriced: z.number().int(),
  /** Calls abandoned while the LLM was responding: the most they may have cost is in `dollars`. */
  estimated: z.number().int(),
})
export type LlmTotals = z.infer<typeof LlmTotals>

/** A month's money, as a budget counts it: US dollars, calendar months, UTC. */
export const LlmBudgetMonth = z.object({
  /** `2026-11`. */
  month: z.string(),
  spent: z.number(),
  /** The most that may be spent; null: as much as it takes. */
  budget: z.number().nullable(),
  enforceable: z.boolean(),
})
export type LlmBudgetMonth = z.infer<typeof LlmBudgetMonth>

export const SystemLlm = z.object({
  settings: LlmSettings,
  ...StoredKeyInfo,
  /** What the server's environment sets, and nobody can change here. */
  fixed: z.array(z.string()),
  course_budget: Dollars,
  teachers_keys: z.boolean(),
  month: LlmBudgetMonth,
  own_courses: z.number().int(),
})
export type SystemLlm = z.infer<typeof SystemLlm>

/** The school's LLM, as far as teachers may see it. */
const SchoolLlm = z.object({
  provider: LlmProvider,
  model: z.string(),
  /** Where answers are sent; null for the offline grader. */
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
  /** `openai/gpt-…`. */
  name: z.string(),
  host: z.string(),
  /** Of a test of one step: its outcome, and that of later ones there is no use in taking. */
  checks: z.array(LlmCheck),
  spent: LlmTotals,
  /** All calls together. */
  ms: z.number().int(),
})
export type LlmTest = z.infer<typeof LlmTest>

const LlmTestInput = z.object({
  /** What nobody has saved yet; left out, what is stored is tested. */
  settings: NewCourseLlm.optional(),
  /** A step alone, to show how far the test has come. Left out: all, with a word on speed and cost. */
  only: LlmTestStep.optional(),
})
/** A model on one's own machine may first have to be loaded. */
const TEST_TIMEOUT_MS = 110_000

const UsageQuery = z.object({
  /** `2026-11`; this month unless said. */
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
  /** The last twelve there was anything in, newest first. */
  months: z.array(LlmTotals.extend({ month: z.string() })),
})
/** Of the system's money; `id` null: what belongs to no course, a test by an administrator say. */
export const SystemLlmUsage = Usage.extend({ courses: z.array(LlmTotals.extend(Named.shape)) })
/** Who paid. A `name` that is null is of something deleted. */
export const CourseLlmUsage = Usage.extend({
  assignments: z.array(LlmTotals.extend(Named.shape)),
  runs: z.array(LlmTotals.extend({ run_id: z.number(), assignment_id: z.number().nullable() })),
})
export type SystemLlmUsage = z.infer<typeof SystemLlmUsage>
export type CourseLlmUsage = z.infer<typeof CourseLlmUsage>

const teaching = ['instructor', 'admin'] as const

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
  access: teaching,
  reply: CourseLlm,
})

export const changeCourseLlm = defineEndpoint('put', '/courses/:courseId/model', {
  summary: 'Choose the LLM that grades this course. Another provider or address needs the key again',
  access: teaching,
  body: NewCourseLlm,
  reply: CourseLlm,
})

export const removeCourseLlm = defineEndpoint('delete', '/courses/:courseId/model', {
  summary: 'Delete the course’s own LLM settings and key; the system’s LLM grades again',
  access: teaching,
  reply: CourseLlm,
})

export const testCourseLlm = defineEndpoint('post', '/courses/:courseId/model/test', {
  summary: 'Test the LLM that grades this course, or the one in the body',
  access: teaching,
  body: LlmTestInput,
  timeoutMs: TEST_TIMEOUT_MS,
  reply: LlmTest,
})

export const getCourseLlmUsage = defineEndpoint('get', '/courses/:courseId/model/usage', {
  summary: 'LLM usage and cost of this course, by assignment and run',
  access: teaching,
  query: UsageQuery,
  reply: CourseLlmUsage,
})
