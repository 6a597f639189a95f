import { randomUUID } from 'node:crypto'
import type { ModelPrice, ModelSettings } from '@assay/shared/model-settings.ts'
import type { Log } from '../../lib/log.ts'
import type { Ask, ModelQuestion } from './ask.ts'
import { askProvider, type Door, type Provider, type Tries } from './ask-provider.ts'
import { type Belonging, hashInputs, identify, isLasting, numbered } from './identity.ts'
import { judgeAnswer } from './judge-answer.ts'
import { type CallBegun, type CallEnded, type Ledger, longestRaw } from './ledger.ts'
import type { AnswerAsKept, Lines } from './lines.ts'
import { ModelTrouble } from './model-trouble.ts'
import { nameOf } from './providers.ts'
import { delayAfter, mostTries, type Pace, realPace } from './retries.ts'
import { withoutKey } from './scrub.ts'
import type { WrongAnswer } from './send-question.ts'
import { shareWork } from './share-work.ts'
import { dollarsFor, mostTokens, type Tokens, tokensGivenUp } from './tokens.ts'
import { wordsFor } from './trouble-words.ts'

export interface AskOptions {
  settings: Pick<ModelSettings, 'provider' | 'model' | 'base_url' | 'price'> &
    Partial<Pick<ModelSettings, 'second_model' | 'second_price'>>
  /** Empty where the server wants none. */
  api_key: string
  /** The run and the submission, or the making, asked about. Without any nothing is found again: the same question is a new one. */
  about: Belonging
  ledger: Ledger
  /** Shared by everything in the process that asks. */
  lines: Lines
  log?: Pick<Log, 'warn'>
  /** The longest an answer may take, in ms. */
  answerWithin?: number
  fetch?: typeof globalThis.fetch
  /** By default everybody comes in at once. */
  door?: Door
  pace?: Pace
}

/** Asks one model about one thing; see `Ask`. */
export function createAsk(options: AskOptions): Ask {
  const { settings, api_key, ledger, pace = realPace } = options
  const line = options.lines.to(settings, api_key)
  const provider: Provider = {
    provider: settings.provider,
    base_url: settings.base_url,
    api_key,
    line,
    pace,
    fetch: options.fetch ?? globalThis.fetch,
    door: options.door ?? ((run) => run()),
    log: options.log ?? null,
    answerWithin: options.answerWithin ?? 120_000,
  }

  return async (question, signal) => {
    const model = question.model ?? settings.model
    const inputs = hashInputs(question)
    const known = identify(question, inputs, { provider: settings.provider, model }, options.about)
    const identity = isLasting(options.about) ? known : numberedAnew(known)
    const begun: Asked = {
      identity,
      purpose: question.purpose,
      provider: settings.provider,
      model,
      prompt_version: question.prompt_version,
      schema_name: question.schema_name,
      inputs,
    }
    const { call_id, raw } = await shareWork(line.asking, identity, signal, (signal) =>
      findAnswer(question, begun, signal),
    )
    const judged = judgeAnswer(question, raw)
    // Only when two who asked the same at once check differently.
    if ('complaint' in judged) throw badAnswer(question, model, judged.complaint, raw)
    return { value: judged.value, call_id, model: `${settings.provider}/${model}` }
  }

  /**
   * Goes through the answers already paid for, then asks. A wrong answer is followed by one more question that says what was wrong;
   * after two wrong ones the next asker begins anew, under a new identity, as the provider would only repeat itself under the old one.
   */
  async function findAnswer<T>(
    question: ModelQuestion<T>,
    call: Asked,
    signal: AbortSignal,
  ): Promise<AnswerAsKept> {
    let wrong: WrongAnswer | null = null
    let n = 1
    for (; ; n++) {
      const before = await ledger.find(numbered(call.identity, n))
      if (!before) break
      const judged = before.outcome === 'failed' ? null : judgeAnswer(question, before.raw)
      if (judged && 'value' in judged) return before
      wrong = judged && !wrong ? { raw: before.raw, complaint: judged.complaint } : null
    }
    for (; ; n++) {
      const answer = await makeCall(
        question,
        { ...call, identity: numbered(call.identity, n) },
        wrong,
        signal,
      )
      if (!answer.complaint) return answer
      if (wrong) throw badAnswer(question, call.model, answer.complaint, answer.raw)
      wrong = { raw: answer.raw, complaint: answer.complaint }
    }
  }

  /** One line in the ledger, and an answer that is paid for; its `complaint` is empty when the answer is right. */
  async function makeCall<T>(
    question: ModelQuestion<T>,
    call: Asked,
    wrong: WrongAnswer | null,
    signal: AbortSignal,
  ): Promise<AnswerAsKept & { complaint: string }> {
    signal.throwIfAborted()
    const leave = line.breaker.enter(nameOf(provider), question.purpose === 'test')
    const price = priceOf(call.model)
    // What goes along to say what was wrong is paid for like the rest.
    const most = mostTokens(question, wrong)
    const end: CallEnded & Tries = {
      outcome: 'failed',
      trouble: null,
      paid: false,
      raw: '',
      input_tokens: 0,
      output_tokens: 0,
      dollars: price && 0,
      estimated: false,
      ms: 0,
      tries: 0,
      out: null,
    }
    let call_id: number
    try {
      call_id = await ledger.begin({ ...call, most_dollars: dollarsFor(most, price) })
    } catch (error) {
      leave.left()
      throw error
    }
    const started = pace.now()
    let complaint = ''
    try {
      const send = { question, wrong, idempotencyKey: call.identity }
      const sent = await askProvider(provider, call.model, send, leave, end, signal)
      const { input_tokens, output_tokens } = sent
      const raw = withoutKey(sent.text, api_key).slice(0, longestRaw)
      Object.assign(end, {
        paid: true,
        raw,
        input_tokens,
        output_tokens,
        dollars: dollarsFor(sent, price),
      })
      const words = wordsFor(question.purpose)
      if (sent.ending === 'refused') throw new ModelTrouble('refused', words.refused(call.model))
      if (sent.ending === 'cut_off') throw new ModelTrouble('cut_off', words.cutOff(call.model))
      const judged = judgeAnswer(question, raw)
      if ('complaint' in judged) complaint = judged.complaint
      end.outcome = complaint ? 'wrong' : 'answered'
    } catch (error) {
      leave.left()
      if (error instanceof ModelTrouble) end.trouble = error.code
      throw error
    } finally {
      const { out, ...result } = end
      result.ms = pace.now() - started
      if (out !== null) Object.assign(result, givenUp(most, pace.now() - out, result.trouble, price))
      await writeDown(call_id, result)
    }
    return { call_id, raw: end.raw, complaint }
  }

  /** Each model's own; null where nobody has said what its tokens cost. */
  function priceOf(model: string): ModelPrice | null {
    if (model === settings.model) return settings.price
    return model === settings.second_model ? (settings.second_price ?? null) : null
  }

  /** A database that is away for a moment must not lose an answer that is paid for. Goes on where the asker has been stopped. */
  async function writeDown(call_id: number, end: CallEnded): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await ledger.finish(call_id, end)
      } catch (error) {
        if (tries === mostTries) throw error
        await pace.sleep(delayAfter(tries, null, 0), new AbortController().signal)
      }
    }
  }

  /** `raw` is without the key already. */
  function badAnswer(
    { purpose }: Pick<ModelQuestion<unknown>, 'purpose'>,
    model: string,
    complaint: string,
    raw: string,
  ): ModelTrouble {
    const words = wordsFor(purpose)
    return new ModelTrouble('bad_answer', words.badAnswer(model, withoutKey(complaint, api_key), raw))
  }
}

/** A call before it is known what it may cost: that depends on what goes along with the question. */
type Asked = Omit<CallBegun, 'most_dollars'>

/** Nobody knows what the provider charges for an answer that nobody waited for: it is booked, and said to be a guess. */
function givenUp(most: Tokens, ms: number, trouble: CallEnded['trouble'], price: ModelPrice | null) {
  const tokens = tokensGivenUp(most, ms, trouble === 'timeout')
  return { ...tokens, dollars: dollarsFor(tokens, price), estimated: true }
}

/** Outside a run and a making nothing says whether the same words are the same question, so they are not. */
function numberedAnew(identity: string): string {
  return numbered(`${identity} ${randomUUID()}`, 2)
}
