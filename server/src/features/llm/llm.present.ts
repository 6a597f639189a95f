import type { CourseLlm, LlmBudgetMonth, SystemLlm } from '@assay/shared/llm/llm.ts'
import { isPriced, type LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { monthOf } from '../../records/llm/llm-call.model.ts'
import { LlmSettingsModel } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import { type ResolvedLlm, type ResolvedSystemLlm, resolveCourseLlm, resolveSystemLlm } from './resolve-llm.ts'
import { type LlmBudget, spentFromBudget } from './usage/llm-budgets.ts'

type Deps = Pick<Services, 'config' | 'clock'>

const providerHosts = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  google: 'generativelanguage.googleapis.com',
}

export function llmHost({ provider, base_url }: Pick<LlmSettings, 'provider' | 'base_url'>): string | null {
  if (provider === 'offline') return null
  if (base_url !== null) return new URL(base_url).host
  return provider === 'openai-compatible' ? null : providerHosts[provider]
}

const presentKey = ({ key, keyEnds, keyUnreadable }: ResolvedLlm) => ({
  has_key: key !== null || keyUnreadable,
  key_ends: keyEnds,
  key_unreadable: keyUnreadable,
})

async function presentMonth(
  { name, limit }: LlmBudget,
  settings: LlmSettings,
  { clock }: Deps,
): Promise<LlmBudgetMonth> {
  const month = monthOf(clock.now())
  return { month, spent: await spentFromBudget(name, month), budget: limit, enforceable: isPriced(settings) }
}

export async function presentSystemLlm(system: ResolvedSystemLlm, services: Deps): Promise<SystemLlm> {
  const { settings, fixed, courseBudget, teachersKeys } = system
  return {
    settings,
    ...presentKey(system),
    fixed: system.source === 'environment' ? [...fixed, 'api_key'] : fixed,
    course_budget: courseBudget,
    teachers_keys: teachersKeys,
    month: await presentMonth({ name: 'system', limit: settings.monthly_budget }, settings, services),
    own_courses: await LlmSettingsModel.countDocuments({ course_id: { $ne: null } }),
  }
}

export async function presentCourseLlm(course: CourseDoc, services: Deps): Promise<CourseLlm> {
  const { config } = services
  const [system, own] = await Promise.all([resolveSystemLlm(config), resolveCourseLlm(course._id, config)])
  const { settings, courseBudget, teachersKeys } = system
  const share: LlmBudget = { name: `system/course/${course._id}`, limit: courseBudget }
  const courseBudgetOf = (budget: number | null): LlmBudget => ({ name: `course/${course._id}`, limit: budget })
  return {
    in_force: own && teachersKeys ? 'course' : 'school',
    own: own && {
      settings: own.settings,
      ...presentKey(own),
      month: await presentMonth(courseBudgetOf(own.settings.monthly_budget), own.settings, services),
    },
    school: {
      provider: settings.provider,
      model: settings.model,
      host: llmHost(settings),
      pictures: settings.pictures,
      month: await presentMonth(share, settings, services),
    },
    may_have_own: teachersKeys,
  }
}
