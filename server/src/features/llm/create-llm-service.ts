import type { Health } from '@assay/shared/admin.ts'
import type { LlmProvider, LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { createSharedSlots } from '../../cluster/redis/shared-slots.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import type { LlmCallLedger } from '../../grader/llm/llm-call-ledger.ts'
import { createLlmClient } from '../../grader/llm/llm-client.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'
import { ProviderStates } from '../../grader/llm/provider/provider-state.ts'
import { gradingErrorMessages } from '../../grader/llm-grading/grading-error-messages.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { createSsrfSafeFetch } from '../../lib/security/ssrf-safe-fetch.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { type LlmCallDoc, LlmCallModel, monthOf } from '../../records/llm/llm-call.model.ts'
import { llmSettingsChangedSince } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import type { ChosenLlm, LlmCallContext, LlmService } from './llm-service.ts'
import { type ResolvedLlm, resolveLlm, resolveSystemLlm } from './resolve-llm.ts'
import { budgetsFor, spentFromBudget } from './usage/llm-budgets.ts'
import { createLlmCallLedger } from './usage/llm-call-ledger.ts'
import { findTotals } from './usage/llm-usage.ts'

function toChosenLlm({ settings, source }: ResolvedLlm): ChosenLlm | null {
  if (settings.provider === 'offline') return null
  return { ...settings, source, name: `${settings.provider}/${settings.model}` }
}

export function createLlmService(services: LlmClientServices): LlmService {
  const { config, clock } = services
  const createClient = createLlmClientFactory(services)

  return {
    chosenFor: async (courseId) => toChosenLlm(await resolveLlm(courseId, config)),

    clientFor: (model, context) => async (question, signal) => {
      const system = await resolveSystemLlm(config)
      const shows = question.parts.some((part) => 'picture' in part)
      const look = async () => requireUnchanged(model, await resolveLlm(context.course_id, config), shows)
      // Checked again in turn: once an LLM is turned off, waiting requests must not be sent.
      const isStillChosen = async () => void (await look())
      return createClient(await look(), context, system.courseBudget, isStillChosen)(question, signal)
    },

    async resetCircuit(courseId) {
      const model = await resolveLlm(courseId, config)
      if (toChosenLlm(model) && !model.keyUnreadable) createClient.resetCircuit(model)
    },

    settingsChangedSince: llmSettingsChangedSince,

    concurrencyFor: createConcurrencyLimits(config),

    async costOf(context) {
      const { calls, input_tokens, output_tokens, dollars, estimated } = await findTotals(context)
      return { calls, input_tokens, output_tokens, dollars, estimated }
    },

    async remainingBudget(model, courseId) {
      const payer = model.source === 'course' ? 'course' : 'system'
      const { courseBudget } = await resolveSystemLlm(config)
      const budgets = { monthly: model.monthly_budget, course: courseBudget }
      const month = monthOf(clock.now())
      let least: number | null = null
      for (const { name, limit } of budgetsFor({ payer, course_id: courseId }, budgets)) {
        if (limit === null) continue
        const left = Math.max(0, limit - (await spentFromBudget(name, month)))
        least = least === null ? left : Math.min(least, left)
      }
      return least
    },
  }
}

/** A paper is finished with its LLM, at today's price. Keys go only to their address, images only while allowed. */
function requireUnchanged(model: ChosenLlm, now: ResolvedLlm, shows: boolean): ResolvedLlm {
  const same = (name: keyof LlmSettings) => model[name] === now.settings[name]
  const hidden = shows && !now.settings.pictures
  if (model.source !== now.source || !same('provider') || !same('base_url') || hidden)
    throw new LlmError('waiting', 'The AI model’s settings were changed. Grading continues with the new settings.', {
      retryAfterMs: 1000,
    })
  const { settings } = now
  const price = same('model') ? settings.price : model.price
  const second_price = same('second_model') ? settings.second_price : model.second_price
  const { second_model } = model
  return { ...now, settings: { ...settings, model: model.model, price, second_model, second_price } }
}

type LlmClientServices = Pick<Services, 'config' | 'clock' | 'log' | 'metrics' | 'events' | 'redis'>

export type LlmClientFactory = ReturnType<typeof createLlmClientFactory>

/** Waiting requests are lost with the process. Processes share circuit breaker changes and request counts. */
export function createLlmClientFactory(services: LlmClientServices) {
  const { events, redis } = services
  const providerStates = new ProviderStates(Date.now, (provider, change) => {
    if (events.isShared) events.emit('llm_circuit_changed', { provider, change })
  })
  events.onAny('llm_circuit_changed', ({ provider, change }) => providerStates.learn(provider, change))
  const slots = redis && createSharedSlots('llm', redis)
  const semaphores = new Map<string, Semaphore>()
  const semaphoreOf = (payer: string) => {
    const semaphore = semaphores.get(payer) ?? new Semaphore()
    semaphores.set(payer, semaphore)
    return semaphore
  }

  /** `courseBudget`: its share of the system's. `isStillChosen` throws to stop a request. */
  const createClient = (
    model: ResolvedLlm,
    context: LlmCallContext,
    courseBudget: number | null,
    isStillChosen?: () => Promise<void>,
  ): LlmClient => {
    const { settings, source } = model
    const payer = source === 'course' ? 'course' : 'system'
    const share = payer === 'course' ? `course/${context.course_id}` : 'system'
    const semaphore = semaphoreOf(share)
    return createLlmClient({
      settings,
      api_key: requireKey(model),
      context,
      providerStates,
      messages: gradingErrorMessages,
      log: services.log,
      fetch: fetchForSource(model, services),
      // Storing before and after takes no slot at the provider.
      limiter: (run, signal) => {
        const inTurn = async () => {
          await isStillChosen?.()
          return run()
        }
        const max = settings.at_once
        const everywhere = () => (slots ? slots.run(share, max, inTurn, signal) : inTurn())
        return semaphore.run(max, everywhere, signal)
      },
      ledger: measureCalls(
        createLlmCallLedger(
          { context, payer, budgets: { monthly: settings.monthly_budget, course: courseBudget } },
          services,
        ),
        { provider: settings.provider, payer },
        services.metrics,
      ),
    })
  }
  return Object.assign(createClient, {
    resetCircuit: (model: ResolvedLlm) =>
      providerStates.stateOf(model.settings, requireKey(model)).circuitBreaker.allowProbe(),
  })
}

function requireKey({ settings, key, keyUnreadable }: ResolvedLlm): string {
  if (keyUnreadable)
    throw new LlmError(
      'key_refused',
      'The AI model’s key was encrypted with a different SECRET_KEY and can no longer be decrypted. Enter it again in its settings.',
    )
  if (key === null && settings.provider !== 'openai-compatible')
    throw new LlmError('key_refused', 'The AI model has no key. Enter it in its settings.')
  return key ?? ''
}

/** A teacher may name only public addresses, checked again at each connection. */
function fetchForSource({ source }: ResolvedLlm, { config }: Pick<Services, 'config'>): typeof globalThis.fetch {
  if (source !== 'course') return createSsrfSafeFetch({ allowPrivateAddresses: true, allowPlainHttp: true })
  const { allowPrivateAddresses, allowPlainHttp } = config.llm
  return createSsrfSafeFetch({ allowPrivateAddresses: allowPrivateAddresses, allowPlainHttp })
}

function measureCalls(
  ledger: LlmCallLedger,
  { provider, payer }: { provider: LlmProvider; payer: LlmCallDoc['payer'] },
  metrics: Pick<Metrics, 'llmSeconds' | 'llmTokens' | 'llmDollars' | 'llmBudgetRefusals'>,
): LlmCallLedger {
  return {
    ...ledger,
    async begin(call) {
      try {
        return await ledger.begin(call)
      } catch (error) {
        if (error instanceof LlmError && error.code === 'budget') metrics.llmBudgetRefusals.inc({ payer })
        throw error
      }
    },
    async finish(callId, end) {
      await ledger.finish(callId, end)
      const { outcome, error_code, ms, input_tokens, output_tokens, dollars } = end
      metrics.llmSeconds.observe({ provider, outcome: error_code ?? outcome }, ms / 1000)
      metrics.llmTokens.inc({ provider, direction: 'input' }, input_tokens)
      metrics.llmTokens.inc({ provider, direction: 'output' }, output_tokens)
      metrics.llmDollars.inc({ provider, payer }, dollars ?? 0)
    },
  }
}

const HOUR_MS = 60 * 60 * 1000
const MAX_CALLS = 500

export async function providerHealth({
  config,
  clock,
}: Pick<Services, 'config' | 'clock'>): Promise<Pick<Health, 'state' | 'detail'> | null> {
  const { settings, keyUnreadable } = await resolveSystemLlm(config)
  if (settings.provider === 'offline') return null
  const name = `${settings.provider}/${settings.model}`
  if (keyUnreadable)
    return { state: 'bad', detail: `${name}: its key was encrypted with a different SECRET_KEY. Enter it again.` }
  const since = new Date(clock.now().getTime() - HOUR_MS)
  const calls = await LlmCallModel.find(
    { payer: 'system', at: { $gte: since }, outcome: { $ne: 'asking' } },
    { error_code: 1, paid: 1 },
  )
    .sort({ at: -1 })
    .limit(MAX_CALLS)
    .lean()
  // Errors about one paper say nothing about the provider.
  const failed = calls.filter(
    ({ error_code }) => error_code !== null && new LlmError(error_code, '').scope !== 'request',
  )
  const answered = calls.filter(({ paid }) => paid).length
  if (answered + failed.length === 0) return { state: 'good', detail: `${name}; no requests in the last hour.` }
  const detail = `${name}. In the last hour it answered ${answered} times and failed ${failed.length} times.`
  if (failed.length === 0) return { state: 'good', detail }
  return { state: calls[0]?.error_code != null && answered < failed.length ? 'bad' : 'warn', detail }
}
