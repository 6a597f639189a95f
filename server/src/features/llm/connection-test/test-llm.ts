import { randomInt } from 'node:crypto'
import { type LlmCheck, type LlmTest, LlmTestStep } from '@assay/shared/llm/llm.ts'
import { speedAndCost } from '@assay/shared/rules/llm-test-checks.ts'
import sharp from 'sharp'
import { z } from 'zod'
import type { Picture } from '../../../grader/grader.ts'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import type { LlmClient, LlmRequest } from '../../../grader/llm/llm-request.ts'
import type { Services } from '../../../services.ts'
import type { LlmClientFactory } from '../create-llm-service.ts'
import type { ResolvedLlm } from '../resolve-llm.ts'
import { llmHost } from '../resolve-llm.ts'
import { findTotals } from '../usage/llm-usage.ts'

/** In ms: a user waits for it. */
const TIMEOUT_MS = 90_000

interface LlmTestOptions {
  courseId: number | null
  courseBudget: number | null
  only: LlmTestStep | null
  signal: AbortSignal
}

export async function testLlm(
  model: ResolvedLlm,
  { courseId, courseBudget, only, signal: stopped }: LlmTestOptions,
  createClient: LlmClientFactory,
  { clock }: Pick<Services, 'clock'>,
): Promise<LlmTest> {
  const { settings } = model
  const since = clock.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = AbortSignal.any([timeout, stopped])
  const checks: LlmCheck[] = []
  const begun = performance.now()
  for (const step of only ? [only] : LlmTestStep.options) {
    const { outcome, message, fatal } = await runStep(step)
    checks.push({ check: step, outcome, message })
    if (!fatal) continue
    const later = LlmTestStep.options.slice(LlmTestStep.options.indexOf(step) + 1)
    checks.push(...later.map((check) => skipped(check, 'Not run because there was no answer.')))
    break
  }
  const ms = Math.round(performance.now() - begun)
  const spent = await findTotals({
    purpose: 'test',
    course_id: courseId,
    provider: settings.provider,
    model: settings.model,
    at: { $gte: since },
    submission_id: null,
  })
  if (!only) checks.push(...speedAndCost([{ spent, ms }]))
  return { name: `${settings.provider}/${settings.model}`, host: llmHost(settings) ?? '', checks, spent, ms }

  async function runStep(step: LlmTestStep): Promise<StepResult> {
    try {
      const ask = createClient(model, { course_id: courseId }, courseBudget)
      return await steps[step](ask, settings, signal)
    } catch (error) {
      if (stopped.aborted) return failed('The test was stopped.')
      if (timeout.aborted)
        return failed(
          'There was no answer within 90 seconds, so the test was stopped. A model on your own computer may still be loading: test again in a minute.',
        )
      if (error instanceof LlmError) return failed(error.message)
      throw error
    }
  }
}

interface StepResult {
  outcome: LlmCheck['outcome']
  message: string
  fatal: boolean
}

const passed = (message: string): StepResult => ({ outcome: 'ok', message, fatal: false })
const failed = (message: string, fatal = true): StepResult => ({ outcome: 'failed', message, fatal })
const skipped = (check: LlmTestStep, message: string): LlmCheck => ({ check, outcome: 'skipped', message })

type StepRunner = (ask: LlmClient, settings: ResolvedLlm['settings'], signal: AbortSignal) => Promise<StepResult>

const steps: Record<LlmTestStep, StepRunner> = {
  async answer(ask, _, signal) {
    // Any response shows that the LLM is reachable.
    await runRequest(ask, answerRequest, () => passed(''), signal)
    return passed('The AI model answers.')
  },
  structured: (ask, _, signal) =>
    runRequest(ask, structuredRequest, () => passed('It returns answers in the format that grading needs.'), signal),
  async pictures(ask, settings, signal) {
    if (!settings.pictures) return { outcome: 'skipped', message: 'Not run: images are turned off.', fatal: false }
    const word = drawableWords[randomInt(drawableWords.length)] ?? 'HERON'
    const read = ({ text }: { text: string }) => {
      if (text.toUpperCase().includes(word)) return passed(`It reads images: it found the word “${word}”.`)
      const what = text.trim() === '' ? 'read nothing' : `read “${text.trim().slice(0, 40)}”`
      return failed(`It accepted the image but ${what} instead of “${word}”. Do not rely on it for handwriting.`, false)
    }
    return runRequest(ask, pictureRequest(await drawWord(word)), read, signal)
  },
}

/** @throws {LlmError} where the provider or the settings are to blame */
async function runRequest<T>(
  ask: LlmClient,
  asked: LlmRequest<T>,
  toResult: (value: T) => StepResult,
  signal: AbortSignal,
): Promise<StepResult> {
  try {
    return toResult((await ask(asked, signal)).value)
  } catch (error) {
    const answered = error instanceof LlmError && (error.scope === 'request' || error.code === 'cannot')
    if (answered) return failed(error.message, false)
    throw error
  }
}

const SYSTEM =
  'You are being tried out before you help to grade papers. Do exactly what is asked, in the form that is asked for.'
const VERSION = 'test-1'

const testRequest = <T>(
  name: string,
  schema: z.ZodType<T>,
  parts: LlmRequest<T>['parts'],
  check: (value: T) => string | null = () => null,
): LlmRequest<T> => ({
  purpose: 'test',
  is_connection_test: true,
  prompt_version: VERSION,
  system: SYSTEM,
  schema_name: name,
  schema,
  parts,
  check,
  most_tokens: 2000,
})

const Text = z.object({ text: z.string() })
const answerRequest = testRequest('test_answer', Text, [
  { text: 'Which word comes next: one, two, three? Give it as "text".' },
])

/** Like the schema of grades: ids to repeat, bounded numbers and optional text. */
const CriteriaPoints = z.object({
  criteria: z.array(z.object({ id: z.string(), points: z.number(), quote: z.string().nullable(), reason: z.string() })),
})
const structuredRequest = testRequest(
  'test_marks',
  CriteriaPoints,
  [
    {
      text: [
        'Give points for the answer to each of these criteria, with the ids as they stand.',
        'c1 (0 to 2 points): names the colour of the sky. c2 (0 to 1 point): says why.',
        'The answer: "The sky is blue."',
        'For each criterion: "id", "points", "quote" (words of the answer, or null) and "reason" in one short sentence.',
      ].join('\n'),
    },
  ],
  ({ criteria }) => {
    const ids = criteria.map(({ id }) => id)
    if (ids.join() !== 'c1,c2') return 'Give exactly the criteria c1 and c2, in this order.'
    const fits = criteria.every(({ id, points }) => points >= 0 && points <= (id === 'c1' ? 2 : 1))
    return fits ? null : 'Points must lie within what each criterion may bring.'
  },
)

const pictureRequest = (picture: Picture) =>
  testRequest('test_picture', Text, [
    { text: 'Which word is written in this picture? Give it as "text".' },
    { picture },
  ])

/** Seven rows of five dots, a bit mask a row. */
const letters: Record<string, readonly number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  E: [31, 16, 16, 30, 16, 16, 31],
  G: [14, 17, 16, 23, 17, 17, 15],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
}

/** Drawn at random, so the LLM must read the picture to know it. */
export const drawableWords = ['HERON', 'MAPLE', 'TIGER', 'LEMON', 'PIANO', 'CAMEL', 'ORANGE', 'MIRROR'] as const

const DOT = 14
const ROWS = 7
const COLUMNS = 6

/** Without a font, as the system may have none; about 2 kB. */
export async function drawWord(word: string): Promise<Picture> {
  const width = (word.length * COLUMNS + 3) * DOT
  const height = (ROWS + 4) * DOT
  const pixels = Buffer.alloc(width * height, 255)
  for (const [at, letter] of [...word].entries()) {
    for (const [row, dots] of (letters[letter] ?? []).entries()) {
      for (let column = 0; column < 5; column++) {
        if (!(dots & (16 >> column))) continue
        const [x, y] = [(2 + at * COLUMNS + column) * DOT, (2 + row) * DOT]
        for (let line = y; line < y + DOT; line++) pixels.fill(0, line * width + x, line * width + x + DOT)
      }
    }
  }
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
  return { bytes, media_type: 'image/png' }
}
