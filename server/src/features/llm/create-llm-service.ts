import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import { monthOf } from '../../records/llm/llm-call.model.ts'
import { llmSettingsChangedSince } from '../../records/llm/llm-settings.model.ts'
import { createConcurrencyLimits } from './concurrency-limits.ts'
import { createLlmClientFactory, type LlmClientFactory, type LlmClientServices } from './llm-client-factory.ts'
import type { ChosenLlm, LlmService } from './llm-service.ts'
import { type ResolvedLlm, resolveLlm, resolveSystemLlm } from './resolve-llm.ts'
import { budgetsFor, spentFromBudget } from './usage/llm-budgets.ts'
import { findTotals } from './usage/llm-totals.ts'

function toChosenLlm({ settings, source }: ResolvedLlm): ChosenLlm | null {
  if (settings.provider === 'offline') return null
  return { ...settings, source, name: `${settings.provider}/${settings.model}` }
}

export function createLlmService(
  services: LlmClientServices,
  createClient: LlmClientFactory = createLlmClientFactory(services),
): LlmService {
  const { config, clock } = services

  return {
    chosenFor: async (courseId) => toChosenLlm(await resolveLlm(courseId, config)),

    clientFor: (model, context) => async (question, signal) => {
      const system = await resolveSystemLlm(config)
      const shows = question.parts.some((part) => 'picture' in part)
      const look = async () => requireUnchanged(model, await resolveLlm(context.course_id, config), shows)
      // Checked again when its turn comes: once an LLM is turned off, waiting requests must not be sent.
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

/**
 * Settings for work begun with `model`. Keys go only to the address they were entered for, images only while allowed. A
 * paper is finished with its LLM, at today's price for the same model; key, budget and concurrency are today's.
 */
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
