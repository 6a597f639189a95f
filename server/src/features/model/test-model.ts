import { randomInt } from 'node:crypto'
import type { ModelCheck, ModelTest } from '@assay/shared/model.ts'
import type { Ask, ModelQuestion } from '../../grader/model/ask.ts'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import type { Services } from '../../services.ts'
import type { AskModel } from './asking.ts'
import { drawableWords, drawWord } from './draw-word.ts'
import { hostOf } from './model.present.ts'
import type { ResolvedModel } from './resolve-model.ts'
import { costOf } from './sums.ts'
import { answerQuestion, pictureQuestion, structuredQuestion } from './test-questions.ts'

/** How long an answer may take before it is called slow, in ms. */
const SLOW_MS = 20_000

interface Tried {
  outcome: 'ok' | 'failed'
  message: string
  /** That of the provider or the settings: nothing else would work either. */
  hopeless: boolean
  /** It answered, though not as it was asked to. */
  answered: boolean
}

const why = (error: unknown) => {
  if (!(error instanceof ModelTrouble)) throw error
  return error
}

async function tryOut<T>(
  ask: Ask,
  asked: ModelQuestion<T>,
  good: (value: T) => string | { failed: string },
  signal: AbortSignal,
): Promise<Tried> {
  try {
    const told = good((await ask(asked, signal)).value)
    return typeof told === 'string'
      ? { outcome: 'ok', message: told, hopeless: false, answered: true }
      : { outcome: 'failed', message: told.failed, hopeless: false, answered: true }
  } catch (error) {
    const { code, scope, message } = why(error)
    const answered = scope === 'paper' || code === 'cannot'
    return { outcome: 'failed', message, hopeless: !answered, answered }
  }
}

/** The longest a test may take as a whole, in ms: somebody waits for it. */
const PATIENCE_MS = 90_000

/**
 * Asks a model a few things and says, a line each, what works. What it costs stands in the ledger as `test`.
 * @param courseId whose course is being set up, null for the system
 */
export async function testModel(
  model: ResolvedModel,
  courseId: number | null,
  courseBudget: number | null,
  askModel: AskModel,
  { clock }: Pick<Services, 'clock'>,
): Promise<ModelTest> {
  const { settings } = model
  const since = clock.now()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const lines: ModelCheck[] = []
  const skip = (check: ModelCheck['check'], message: string) =>
    lines.push({ check, outcome: 'skipped', message })
  const begun = performance.now()
  try {
    await look()
  } catch (error) {
    const message = signal.aborted
      ? 'The model took too long; the test was given up after 90 seconds.'
      : why(error).message
    lines.push({ check: 'answer', outcome: 'failed', message })
  }
  const spent = await costOf({ ...testCalls(), submission_id: null })
  if (spent.calls > spent.failures) lines.push(speed(spent.calls), cost())
  return {
    name: `${settings.provider}/${settings.model}`,
    host: hostOf(settings) ?? '',
    checks: lines,
    spent,
  }

  function testCalls() {
    return {
      purpose: 'test' as const,
      course_id: courseId,
      provider: settings.provider,
      model: settings.model,
      at: { $gte: since },
    }
  }

  async function look(): Promise<void> {
    const ask = askModel(model, { course_id: courseId }, courseBudget)
    const answer = await tryOut(ask, answerQuestion, () => 'The model answers.', signal)
    if (answer.hopeless) {
      lines.push({ check: 'answer', outcome: 'failed', message: answer.message })
      skip('structured', 'Not tried, as there was no answer.')
      skip('pictures', 'Not tried, as there was no answer.')
      return
    }
    lines.push({ check: 'answer', outcome: 'ok', message: 'The model answers.' })
    const structured = await tryOut(
      ask,
      structuredQuestion,
      () => 'It gives answers in the form that grading needs.',
      signal,
    )
    lines.push({ check: 'structured', outcome: structured.outcome, message: structured.message })
    if (!settings.pictures) return void skip('pictures', 'Not tried: pictures are switched off.')
    lines.push(await lookAtPicture(ask))
  }

  async function lookAtPicture(ask: Ask): Promise<ModelCheck> {
    const word = drawableWords[randomInt(drawableWords.length)] ?? 'HERON'
    const asked = pictureQuestion(await drawWord(word))
    const seen = await tryOut(
      ask,
      asked,
      (value) =>
        value.text.toUpperCase().includes(word)
          ? `It reads pictures: it found the word “${word}”.`
          : {
              failed: `It took the picture, but read “${value.text.slice(0, 40)}” where “${word}” stands. Do not rely on it for handwriting.`,
            },
      signal,
    )
    return { check: 'pictures', outcome: seen.outcome, message: seen.message }
  }

  function speed(calls: number): ModelCheck {
    const seconds = (performance.now() - begun) / 1000 / calls
    const slow = seconds * 1000 > SLOW_MS
    const message = `An answer takes about ${seconds.toFixed(1)} seconds.${slow ? ' That is slow: a class will take long.' : ''}`
    return { check: 'speed', outcome: slow ? 'warn' : 'ok', message }
  }

  function cost(): ModelCheck {
    const { calls, input_tokens, output_tokens, dollars } = spent
    const count = (tokens: number) => tokens.toLocaleString('en')
    const tokens = `${count(input_tokens)} tokens read and ${count(output_tokens)} written in ${calls} questions`
    if (settings.price === null)
      return {
        check: 'cost',
        outcome: 'warn',
        message: `${tokens}. Enter a price to see what that costs; without one no budget can be kept.`,
      }
    return { check: 'cost', outcome: 'ok', message: `${tokens}: $${(dollars ?? 0).toFixed(5)} in all.` }
  }
}
