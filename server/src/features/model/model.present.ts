import type { CourseModel, ModelMonth, SystemModel } from '@assay/shared/model.ts'
import { isPriced, type ModelSettings } from '@assay/shared/model-settings.ts'
import type { Services } from '../../services.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { monthOf } from './model-call.model.ts'
import { ModelSettingsModel } from './model-settings.model.ts'
import { type Purse, spentOf } from './purses.ts'
import { type ResolvedModel, type ResolvedSystem, resolveOwn, resolveSystem } from './resolve-model.ts'

type Deps = Pick<Services, 'config' | 'clock'>

const ownHosts = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  google: 'generativelanguage.googleapis.com',
}

/** Where answers are sent; null for the offline grader, which sends none. */
export function hostOf({ provider, base_url }: Pick<ModelSettings, 'provider' | 'base_url'>): string | null {
  if (provider === 'offline') return null
  if (base_url !== null) return new URL(base_url).host
  return provider === 'openai-compatible' ? null : ownHosts[provider]
}

const keptKey = ({ key, keyEnds, keyUnreadable }: ResolvedModel) => ({
  has_key: key !== null || keyUnreadable,
  key_ends: keyEnds,
  key_unreadable: keyUnreadable,
})

async function monthIn(
  { name, budget }: Purse,
  settings: ModelSettings,
  { clock }: Deps,
): Promise<ModelMonth> {
  const month = monthOf(clock.now())
  return { month, spent: await spentOf(name, month), budget, kept: isPriced(settings) }
}

export async function presentSystemModel(system: ResolvedSystem, services: Deps): Promise<SystemModel> {
  const { settings, fixed, courseBudget, teachersKeys } = system
  return {
    settings,
    ...keptKey(system),
    fixed: system.source === 'environment' ? [...fixed, 'api_key'] : fixed,
    course_budget: courseBudget,
    teachers_keys: teachersKeys,
    month: await monthIn({ name: 'system', budget: settings.monthly_budget }, settings, services),
    own_courses: await ModelSettingsModel.countDocuments({ course_id: { $ne: null } }),
  }
}

export async function presentCourseModel(course: CourseDoc, services: Deps): Promise<CourseModel> {
  const { config } = services
  const [system, own] = await Promise.all([resolveSystem(config), resolveOwn(course._id, config)])
  const { settings, courseBudget, teachersKeys } = system
  const share: Purse = { name: `system/course/${course._id}`, budget: courseBudget }
  const purse = (budget: number | null): Purse => ({ name: `course/${course._id}`, budget })
  return {
    in_force: own && teachersKeys ? 'course' : 'school',
    own: own && {
      settings: own.settings,
      ...keptKey(own),
      month: await monthIn(purse(own.settings.monthly_budget), own.settings, services),
    },
    school: {
      provider: settings.provider,
      model: settings.model,
      host: hostOf(settings),
      pictures: settings.pictures,
      month: await monthIn(share, settings, services),
    },
    may_have_own: teachersKeys,
  }
}
