import { randomInt } from 'node:crypto'
import { type ModelCheck, type ModelTest, ModelTestStep } from '@assay/shared/model.ts'
import { speedAndCost } from '@assay/shared/rules/model-test.ts'
import type { Ask, ModelQuestion } from '../../grader/model/ask.ts'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import type { Services } from '../../services.ts'
import type { AskModel } from './asking.ts'
import { drawableWords, drawWord } from './draw-word.ts'
import { hostOf } from './model.present.ts'
import type { ResolvedModel } from './resolve-model.ts'
import { costOf } from './sums.ts'
import { answerQuestion, pictureQuestion, structuredQuestion } from './test-questions.ts'

/** The longest a test may take as a whole, in ms: somebody waits for it. */
const PATIENCE_MS = 90_000

export interface TestOf {
  /** Whose course is being set up, null for the system. */
  courseId: number | null
  courseBudget: number | null
  /** One step alone; null for all of them. */
  only: ModelTestStep | null
  /** Stops it: whoever asked for it waits no longer. */
  signal: AbortSignal
}

/** Asks a model a few things and says, a line each, what works. What it costs stands in the ledger as `test`. */
export async function testModel(
  model: ResolvedModel,
  { courseId, courseBudget, only, signal: stopped }: TestOf,
  askModel: AskModel,
  { clock }: Pick<Services, 'clock'>,
): Promise<ModelTest> {
  const { settings } = model
  const since = clock.now()
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const signal = AbortSignal.any([patience, stopped])
  const checks: ModelCheck[] = []
  const begun = performance.now()
  for (const step of only ? [only] : ModelTestStep.options) {
    const { outcome, message, hopeless } = await take(step)
    checks.push({ check: step, outcome, message })
    if (!hopeless) continue
    const later = ModelTestStep.options.slice(ModelTestStep.options.indexOf(step) + 1)
    checks.push(...later.map((check) => skipped(check, 'Not tried, as there was no answer.')))
    break
  }
  const ms = Math.round(performance.now() - begun)
  const spent = await costOf({
    purpose: 'test',
    course_id: courseId,
    provider: settings.provider,
    model: settings.model,
    at: { $gte: since },
    submission_id: null,
  })
  if (!only) checks.push(...speedAndCost([{ spent, ms }]))
  return { name: `${settings.provider}/${settings.model}`, host: hostOf(settings) ?? '', checks, spent, ms }

  async function take(step: ModelTestStep): Promise<Tried> {
    try {
      const ask = askModel(model, { course_id: courseId }, courseBudget)
      return await steps[step](ask, settings, signal)
    } catch (error) {
      if (stopped.aborted) return failed('The test was stopped.')
      if (patience.aborted)
        return failed(
          'No answer came within 90 seconds, and the test was given up. A model on your own machine may still be loading: test again in a minute.',
        )
      if (error instanceof ModelTrouble) return failed(error.message)
      throw error
    }
  }
}

interface Tried {
  outcome: ModelCheck['outcome']
  message: string
  /** Nothing later would work either. */
  hopeless: boolean
}

const worked = (message: string): Tried => ({ outcome: 'ok', message, hopeless: false })
const failed = (message: string, hopeless = true): Tried => ({ outcome: 'failed', message, hopeless })
const skipped = (check: ModelTestStep, message: string): ModelCheck => ({
  check,
  outcome: 'skipped',
  message,
})

type Take = (ask: Ask, settings: ResolvedModel['settings'], signal: AbortSignal) => Promise<Tried>

const steps: Record<ModelTestStep, Take> = {
  async answer(ask, _, signal) {
    // Whatever it wrote, and in whatever form: somebody is there.
    await tryOut(ask, answerQuestion, () => worked(''), signal)
    return worked('The model answers.')
  },
  structured: (ask, _, signal) =>
    tryOut(ask, structuredQuestion, () => worked('It gives answers in the form that grading needs.'), signal),
  async pictures(ask, settings, signal) {
    if (!settings.pictures)
      return { outcome: 'skipped', message: 'Not tried: pictures are switched off.', hopeless: false }
    const word = drawableWords[randomInt(drawableWords.length)] ?? 'HERON'
    const read = ({ text }: { text: string }) => {
      if (text.toUpperCase().includes(word)) return worked(`It reads pictures: it found the word “${word}”.`)
      const what = text.trim() === '' ? 'read nothing' : `read “${text.trim().slice(0, 40)}”`
      return failed(
        `It took the picture, but ${what} where “${word}” stands. Do not rely on it for handwriting.`,
        false,
      )
    }
    return tryOut(ask, pictureQuestion(await drawWord(word)), read, signal)
  },
}

/** @throws {ModelTrouble} where the provider or the settings are to blame, so that nothing else would work either */
async function tryOut<T>(
  ask: Ask,
  asked: ModelQuestion<T>,
  tell: (value: T) => Tried,
  signal: AbortSignal,
): Promise<Tried> {
  try {
    return tell((await ask(asked, signal)).value)
  } catch (error) {
    // It answered, though not as it was asked to.
    const answered = error instanceof ModelTrouble && (error.scope === 'paper' || error.code === 'cannot')
    if (answered) return failed(error.message, false)
    throw error
  }
}
