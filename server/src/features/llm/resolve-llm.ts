import type { CourseLlm, SystemLlm } from '@assay/shared/llm/llm.ts'
import { defaultLlmSettings, isPriced, LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { Config } from '../../config.ts'
import { decryptSecret } from '../../lib/security/secret-encryption.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { monthOf } from '../../records/llm/llm-call.model.ts'
import { type LlmSettingsDoc, LlmSettingsModel, llmSettingsId } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import type { ChosenLlm } from './llm-service.ts'
import { type LlmBudget, spentFromBudget } from './usage/llm-budgets.ts'

export const KEY_PURPOSE = 'model key'

export interface ResolvedLlm {
  settings: LlmSettings
  source: ChosenLlm['source']
  key: string | null
  /** The key was sealed with another SECRET_KEY. */
  keyUnreadable: boolean
  keyEnds: string | null
}

export interface ResolvedSystemLlm extends ResolvedLlm {
  fixed: (keyof LlmSettings)[]
  courseBudget: number | null
  teachersKeys: boolean
}

export type LlmConfig = Pick<Config, 'llm' | 'secretKey'>

/** None of a key so short that this would reveal half of it. */
export const keyEnding = (key: string): string | null => (key.length >= 12 ? key.slice(-4) : null)

/** An older version's value that is invalid now counts as none. */
function validValues(values: Record<string, unknown>): Partial<LlmSettings> {
  const valid = Object.entries(LlmSettings.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(values[name])
    return read.success ? [[name, read.data] as const] : []
  })
  return Object.fromEntries(valid)
}

function unsealKey(doc: LlmSettingsDoc | null, { secretKey }: LlmConfig) {
  const sealed = doc?.key_sealed ?? null
  const key = sealed === null ? null : decryptSecret(sealed, secretKey, KEY_PURPOSE)
  return { key, keyUnreadable: sealed !== null && key === null, keyEnds: doc?.key_ends ?? null }
}

/** The environment overrides stored values. Not cached, as another process may change them. */
export async function resolveSystemLlm(config: LlmConfig): Promise<ResolvedSystemLlm> {
  const doc = await LlmSettingsModel.findById(llmSettingsId(null)).lean()
  const { provider: given, otherSettings } = config.llm
  const stored = { ...defaultLlmSettings, ...validValues({ ...doc?.values }), ...otherSettings }
  const more = { courseBudget: doc?.course_budget ?? null, teachersKeys: doc?.teachers_keys ?? true }
  const fixedRest = Object.keys(otherSettings) as (keyof typeof otherSettings)[]
  if (!given) return { settings: stored, source: 'system', ...unsealKey(doc, config), fixed: fixedRest, ...more }
  const { apiKey, ...model } = given
  return {
    settings: { ...stored, ...model },
    source: 'environment',
    key: apiKey,
    keyUnreadable: false,
    keyEnds: apiKey === null ? null : keyEnding(apiKey),
    fixed: ['provider', 'model', 'base_url', ...fixedRest],
    ...more,
  }
}

export async function resolveCourseLlm(courseId: number, config: LlmConfig): Promise<ResolvedLlm | null> {
  const doc = await LlmSettingsModel.findById(llmSettingsId(courseId)).lean()
  if (!doc) return null
  return {
    settings: { ...defaultLlmSettings, ...validValues({ ...doc.values }) },
    source: 'course',
    ...unsealKey(doc, config),
  }
}

export async function resolveLlm(courseId: number | null, config: LlmConfig): Promise<ResolvedLlm> {
  const system = await resolveSystemLlm(config)
  const own = courseId === null || !system.teachersKeys ? null : await resolveCourseLlm(courseId, config)
  return own ?? system
}

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

async function presentMonth({ name, limit }: LlmBudget, settings: LlmSettings, { clock }: Deps) {
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
