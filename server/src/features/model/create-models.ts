import type { ModelSettings } from '@assay/shared/model-settings.ts'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import type { Services } from '../../services.ts'
import { type AskModel, createAsking } from './asking.ts'
import { monthOf } from './model-call.model.ts'
import { settingsChangedSince } from './model-settings.model.ts'
import type { ChosenModel, Models } from './models.ts'
import { createPlaces } from './places.ts'
import { pursesOf, spentOf } from './purses.ts'
import { type ResolvedModel, resolveFor, resolveSystem } from './resolve-model.ts'
import { costOf } from './sums.ts'

/** Null for the offline grader. */
function chosen({ settings, source }: ResolvedModel): ChosenModel | null {
  if (settings.provider === 'offline') return null
  return { ...settings, source, name: `${settings.provider}/${settings.model}` }
}

export function createModels(
  services: Pick<Services, 'config' | 'clock' | 'log'>,
  askModel: AskModel = createAsking(services),
): Models {
  const { config, clock } = services

  return {
    chosenFor: async (courseId) => chosen(await resolveFor(courseId, config)),

    askFor: (model, about) => async (question, signal) => {
      const system = await resolveSystem(config)
      const shows = question.parts.some((part) => 'picture' in part)
      const look = async () => requireSame(model, await resolveFor(about.course_id, config), shows)
      // Looked at again when its turn comes: who switches a model off does not want what waits at its door to be sent to it.
      const isStillChosen = async () => void (await look())
      return askModel(await look(), about, system.courseBudget, isStillChosen)(question, signal)
    },

    async askAtOnce(courseId) {
      const model = await resolveFor(courseId, config)
      if (chosen(model) && !model.keyUnreadable) askModel.reopen(model)
    },

    changedSince: settingsChangedSince,

    atOnce: createPlaces(config),

    async costOf(about) {
      const { calls, input_tokens, output_tokens, dollars, estimated } = await costOf(about)
      return { calls, input_tokens, output_tokens, dollars, estimated }
    },

    async leftOfBudget(model, courseId) {
      const payer = model.source === 'course' ? 'course' : 'system'
      const { courseBudget } = await resolveSystem(config)
      const budgets = { monthly: model.monthly_budget, course: courseBudget }
      const month = monthOf(clock.now())
      let least: number | null = null
      for (const { name, budget } of pursesOf({ payer, course_id: courseId }, budgets)) {
        if (budget === null) continue
        const left = Math.max(0, budget - (await spentOf(name, month)))
        least = least === null ? left : Math.min(least, left)
      }
      return least
    },
  }
}

/**
 * What holds now, for work that was begun with `model`. A key goes only where it was entered for, and no picture goes out once pictures are
 * switched off: whoever chose otherwise has to choose anew. Else a paper is finished by the model it was begun with. What that costs is
 * today's price as long as it is the same model, so that a price put right holds at once, and else the price it had; a price of today
 * would be another model's. Key, budget and how many are asked at once are today's.
 */
function requireSame(model: ChosenModel, now: ResolvedModel, shows: boolean): ResolvedModel {
  const same = (name: keyof ModelSettings) => model[name] === now.settings[name]
  const hidden = shows && !now.settings.pictures
  if (model.source !== now.source || !same('provider') || !same('base_url') || hidden)
    throw new ModelTrouble(
      'waiting',
      'The AI model’s settings were changed meanwhile; the new ones hold now.',
      {
        retryAfterMs: 1000,
      },
    )
  const { settings } = now
  const price = same('model') ? settings.price : model.price
  const second_price = same('second_model') ? settings.second_price : model.second_price
  const { second_model } = model
  return { ...now, settings: { ...settings, model: model.model, price, second_model, second_price } }
}
