import type { Answerer } from './answers/compose-answer.ts'
import { KnownPages } from './answers/known-pages.ts'
import { Behaviour, defaultSettings, ScriptStep, type Settings } from './behaviour.ts'
import { type ReceivedRequest, RecordedRequests, type RequestImage } from './received-request.ts'

export type ScriptedStep = import('zod').z.input<typeof Behaviour> & { times?: number; when?: RegExp | string }

export class ScriptedLlm {
  readonly settings: Settings
  readonly records = new RecordedRequests()
  /** Tried first, in order. */
  readonly answerers: Answerer[] = []
  readonly transcripts = new Map<string, string>()
  readonly pages = new KnownPages()
  steps: ScriptStep[] = []
  /** How many answers may still be sent, and those that wait. */
  #allowed = Number.POSITIVE_INFINITY
  #waiting: (() => void)[] = []

  constructor(settings: Partial<Settings>) {
    this.settings = { ...defaultSettings, ...settings }
  }

  hold(): void {
    this.#allowed = 0
  }

  resume(count = Number.POSITIVE_INFINITY): void {
    this.#allowed = count
    for (const send of this.#waiting.splice(0, count)) {
      this.#allowed--
      send()
    }
  }

  async untilAllowed(): Promise<void> {
    if (this.#allowed > 0) this.#allowed--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** In order; a request skips steps whose `when` does not match. */
  script(...steps: ScriptedStep[]): void {
    for (const { times, when, ...behaviour } of steps) {
      const words = when instanceof RegExp ? when.source : when
      this.steps.push(ScriptStep.parse({ behaviour: Behaviour.parse(behaviour), times, when: words }))
    }
  }

  nextBehaviour(asked: ReceivedRequest): Behaviour {
    const words = [asked.system, ...asked.texts].join('\n')
    const step = this.steps.find(({ when }) => when === undefined || new RegExp(when, 'i').test(words))
    if (!step) return { do: this.settings.mode }
    step.times--
    if (step.times === 0) this.steps.splice(this.steps.indexOf(step), 1)
    return step.behaviour
  }

  async readImage(picture: RequestImage): Promise<string> {
    const exactly = this.transcripts.get(picture.sha256)
    return exactly ?? (await this.pages.read(picture.bytes)) ?? this.settings.transcript
  }

  get requests() {
    return this.records.all
  }

  /** Keeps settings and answers by idempotency key. */
  reset(): void {
    this.records.clear()
    this.steps = []
  }
}
