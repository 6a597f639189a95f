import type { Log } from '../../lib/log.ts'
import type { Leave } from './breaker.ts'
import type { Line } from './lines.ts'
import { ModelTrouble } from './model-trouble.ts'
import { type Address, nameOf, openModel } from './providers.ts'
import { type Failure, readError } from './read-error.ts'
import { delayAfter, longestSleep, mostTries, type Pace } from './retries.ts'
import { scrub } from './scrub.ts'
import { type Sent, sendQuestion, type ToSend } from './send-question.ts'
import { type Asked, type TroubleWords, wordsFor } from './trouble-words.ts'

/** Whom we ask, and what with. */
export interface Provider extends Address {
  api_key: string
  line: Line
  fetch: typeof globalThis.fetch
  pace: Pace
  log: Pick<Log, 'warn'> | null
  /** The longest an answer may take, in ms; waiting for a place does not count. */
  answerWithin: number
  /** Lets so many ask at once, and the others wait. */
  door: Door
}

/** Runs something once there is a place. @throws the signal's reason when it is stopped before */
export type Door = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Counts what was asked, also when there is no answer in the end. */
export interface Tries {
  tries: number
  /** Since when (ms since 1970) the provider has had a question that it has neither answered nor refused; null: it has none. */
  out: number | null
}

/**
 * One answer from the provider, whatever it says. Asks again after what will pass, as long as the waits are short.
 * @throws {ModelTrouble} of the provider or the settings; the signal's reason when it was stopped
 */
export async function askProvider(
  provider: Provider,
  model: string,
  send: Omit<ToSend, 'schemaInWords'>,
  leave: Leave,
  count: Tries,
  signal: AbortSignal,
): Promise<Sent> {
  const { line, pace, api_key } = provider
  const asked: Asked = { who: nameOf(provider), model, ...provider, has_key: api_key !== '' }
  const words = wordsFor(send.question.purpose)
  // Whoever tries the connection is told at once, and tries again by hand.
  const most = send.question.purpose === 'test' ? 1 : mostTries
  const opened = await openModel(provider, api_key, model, provider.fetch)
  const pictures = send.question.parts.some((part) => 'picture' in part)
  // Whoever tries the connection wants to know what works now, not what was found earlier.
  if (send.question.purpose === 'test') line.withoutSchema.delete(model)
  // How often it failed; a schema refused is no failure.
  let failed = 0
  for (;;) {
    const schemaInWords = line.withoutSchema.has(model)
    // Another request, hence another key: a provider would refuse the same key with other words.
    const idempotencyKey = schemaInWords ? `${send.idempotencyKey}-words` : send.idempotencyKey
    count.tries++
    let failure: Failure
    try {
      const sent = await provider.door(() => {
        // It may have stopped answering while we stood at the door.
        leave.check()
        count.out = pace.now()
        return inTime(
          provider,
          () => words.timeout(asked, provider.answerWithin),
          signal,
          (inside) => sendQuestion(opened, { ...send, schemaInWords, idempotencyKey }, inside),
        )
      }, signal)
      count.out = null
      leave.worked()
      return sent
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ModelTrouble) {
        if (error.code === 'timeout') leave.failed()
        throw error
      }
      const read = readError(error, pace.now(), pictures)
      if (!read) throw error
      count.out = null
      failure = read
    }
    if (failure.lacks === 'schema' && !schemaInWords) {
      line.withoutSchema.add(model)
      continue
    }
    failed++
    const delay = delayAfter(failed, failure.retryAfterMs, pace.random())
    provider.log?.warn(
      { model, code: failure.code, status: failure.status, tries: count.tries },
      'a model did not answer',
    )
    if (!failure.again || failed === most || (failure.retryAfterMs ?? 0) > longestSleep) {
      throw giveUp(failure, words, asked, api_key, leave)
    }
    await pace.sleep(delay, signal)
    leave.check()
  }
}

/** @throws {ModelTrouble} `timeout` when it takes longer than an answer may */
async function inTime<T>(
  { answerWithin }: Provider,
  words: () => string,
  signal: AbortSignal,
  run: (inside: AbortSignal) => Promise<T>,
): Promise<T> {
  const timed = within(answerWithin, signal)
  try {
    return await run(timed.signal)
  } catch (error) {
    if (timed.ranOut()) throw new ModelTrouble('timeout', words())
    throw error
  } finally {
    timed.end()
  }
}

function giveUp(
  failure: Failure,
  words: TroubleWords,
  asked: Asked,
  apiKey: string,
  leave: Leave,
): ModelTrouble {
  const said = failure.said && scrub(failure.said, apiKey)
  const { retryAfterMs } = failure
  // The SDK's error is not handed on as the cause: it holds the request, and with it the student's words and the key.
  const trouble = new ModelTrouble(failure.code, words.failure(failure, asked, said), {
    ...(retryAfterMs !== null && { retryAfterMs }),
  })
  if (trouble.scope !== 'provider') leave.worked()
  else leave.failed(retryAfterMs !== null && retryAfterMs > longestSleep ? retryAfterMs : undefined)
  return trouble
}

/** A signal that follows `signal`, or fires after `ms`. Unlike `AbortSignal.any`, `end` leaves nothing hanging on a run's signal. */
function within(ms: number, signal: AbortSignal) {
  const controller = new AbortController()
  let ranOut = false
  const follow = () => controller.abort(signal.reason)
  const timer = setTimeout(() => {
    ranOut = true
    controller.abort(new DOMException('The time is up', 'TimeoutError'))
  }, ms)
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) follow()
  return {
    signal: controller.signal,
    ranOut: () => ranOut,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', follow)
    },
  }
}
