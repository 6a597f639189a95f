import type { NewCourseLlm, NewSystemLlm } from '@assay/shared/llm/llm.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { addressSecretProblem } from '@assay/shared/rules/address-secrets.ts'
import type { z } from 'zod'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, invalidField } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { isPrivateHost } from '../../lib/security/private-address.ts'
import { encryptSecret } from '../../lib/security/secret-encryption.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { type LlmSettingsDoc, LlmSettingsModel, llmSettingsId } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import {
  KEY_PURPOSE,
  keyEnding,
  type LlmConfig,
  type ResolvedLlm,
  type ResolvedSystemLlm,
  resolveCourseLlm,
  resolveSystemLlm,
} from './resolve-llm.ts'

export type CourseLlmBody = z.output<typeof NewCourseLlm>
type SystemLlmBody = z.output<typeof NewSystemLlm>
type Deps = Pick<Services, 'config' | 'clock'>

export const settingsOf = ({ api_key: _, ...settings }: CourseLlmBody): LlmSettings => settings

/**
 * A stored key is kept only for its old address: who changes the address may not know the key.
 * @throws {AppError} `validation_failed` where a key must be entered
 */
export function resolveNewKey(body: CourseLlmBody, before: ResolvedLlm | null): string | null {
  const { provider, base_url, api_key } = body
  if (provider === 'offline' && api_key === undefined) return null
  const needed = provider !== 'openai-compatible' && provider !== 'offline'
  if (api_key === null && needed) throw invalidField('api_key', 'This provider requires a key.', 'missing')
  if (api_key !== undefined) return api_key
  const moved = before !== null && (before.settings.provider !== provider || before.settings.base_url !== base_url)
  if (before?.key && !moved) return before.key
  if (before?.key || before?.keyUnreadable)
    throw invalidField(
      'api_key',
      before.keyUnreadable
        ? 'The key was encrypted with a different SECRET_KEY and can no longer be decrypted. Enter it again.'
        : 'Enter the key again, because the provider or address has changed. Or remove the key.',
      'key_again',
    )
  if (needed) throw invalidField('api_key', 'Enter the provider’s key.', 'missing')
  return null
}

/** Addresses are shown and audited, so they must not contain a key. @throws {AppError} `validation_failed` */
export function requirePlainAddress({ base_url }: LlmSettings): void {
  const wrong = base_url === null ? null : addressSecretProblem(base_url)
  if (wrong) throw invalidField('base_url', wrong, 'address')
}

/** Our server calls a teacher's LLM, so its address must not lead into the server's own network. */
export async function requirePublicAddress(settings: LlmSettings, { llm }: LlmConfig): Promise<void> {
  requirePlainAddress(settings)
  const { provider, base_url } = settings
  if (base_url === null || provider === 'offline') return
  const url = new URL(base_url)
  if (url.protocol !== 'https:' && !llm.allowPlainHttp)
    throw invalidField('base_url', 'Use an address that begins with https://', 'address')
  if (!llm.allowPrivateAddresses && (await isPrivateHost(url)))
    throw invalidField(
      'base_url',
      `${url.host} is a private address, which teachers cannot use on this server. An administrator can set it for everyone.`,
      'address',
    )
}

function sealedKey(key: string | null, { secretKey }: LlmConfig) {
  if (key === null) return { key_sealed: null, key_ends: null }
  return { key_sealed: encryptSecret(key, secretKey, KEY_PURPOSE), key_ends: keyEnding(key) }
}

/** Never the key, only whether there is one. */
function auditedSettings(model: ResolvedLlm | null) {
  return model && { ...model.settings, has_key: model.key !== null || model.keyUnreadable }
}
const keyChange = (body: CourseLlmBody) => (body.api_key ? { key_entered: true } : {})

/** @throws {AppError} `validation_failed` for what the environment has set, and where a key must be entered */
export async function changeSystemLlm(body: SystemLlmBody, actor: Actor, { config, clock }: Deps) {
  const before = await resolveSystemLlm(config)
  const { course_budget, teachers_keys, ...model } = body
  requireNotSetByEnvironment(model, before)
  const settings = settingsOf(model)
  // The environment's values are not for this screen to refuse.
  if (!before.fixed.includes('base_url')) requirePlainAddress(settings)
  const fixed = config.llm.provider !== null
  const key = fixed ? undefined : resolveNewKey(model, before)
  // The environment's values are not stored: they would apply once the variable is removed.
  const values = Object.fromEntries(
    Object.entries(settings).filter(([name]) => !before.fixed.some((one) => one === name)),
  )
  const set: Record<string, unknown> = {
    course_id: null,
    course_budget,
    teachers_keys,
    changed_at: clock.now(),
    ...(key === undefined ? {} : sealedKey(key, config)),
  }
  for (const [name, value] of Object.entries(values)) set[`values.${name}`] = value
  await LlmSettingsModel.updateOne({ _id: llmSettingsId(null) }, { $set: set }, { upsert: true })
  const after = await resolveSystemLlm(config)
  const more = ({ courseBudget, teachersKeys }: ResolvedSystemLlm) => ({
    course_budget: courseBudget,
    teachers_keys: teachersKeys,
  })
  await recordAudit(actor, 'model.changed', {}, clock.now(), {
    before: { ...auditedSettings(before), ...more(before) },
    after: { ...auditedSettings(after), ...more(after), ...keyChange(model) },
  })
  return after
}

export function requireNotSetByEnvironment(body: CourseLlmBody, { fixed, settings }: ResolvedSystemLlm): void {
  const wrong = fixed.filter((name) => JSON.stringify(body[name]) !== JSON.stringify(settings[name]))
  const names: string[] = body.api_key && fixed.includes('provider') ? [...wrong, 'api_key'] : wrong
  if (names.length === 0) return
  throw new AppError('validation_failed', undefined, {
    details: names.map((name) => ({
      loc: ['body', name],
      msg: 'This is set by the server’s environment and cannot be changed here.',
      type: 'set_by_environment',
    })),
  })
}

/** @throws {AppError} `conflict` where teachers may not have their own; `validation_failed` */
export async function changeCourseLlm(
  course: CourseDoc,
  body: CourseLlmBody,
  actor: Actor,
  { config, clock }: Deps,
): Promise<void> {
  await requireTeacherKeysAllowed(config)
  const before = await resolveCourseLlm(course._id, config)
  const settings = settingsOf(body)
  await requirePublicAddress(settings, config)
  const doc: Omit<LlmSettingsDoc, '_id'> = {
    course_id: course._id,
    values: settings,
    changed_at: clock.now(),
    ...sealedKey(resolveNewKey(body, before), config),
  }
  await LlmSettingsModel.updateOne({ _id: llmSettingsId(course._id) }, { $set: doc }, { upsert: true })
  const after = await resolveCourseLlm(course._id, config)
  await recordAudit(actor, 'course.model_changed', { course_id: course._id }, clock.now(), {
    before: auditedSettings(before),
    after: { ...auditedSettings(after), ...keyChange(body) },
  })
}

export async function requireTeacherKeysAllowed(config: LlmConfig): Promise<void> {
  if ((await resolveSystemLlm(config)).teachersKeys) return
  throw new AppError('conflict', 'The administrator does not allow courses to use their own AI model.')
}

export async function removeCourseLlm(course: CourseDoc, actor: Actor, { config, clock }: Deps): Promise<void> {
  const before = await resolveCourseLlm(course._id, config)
  await LlmSettingsModel.deleteOne({ _id: llmSettingsId(course._id) })
  if (!before) return
  await recordAudit(actor, 'course.model_removed', { course_id: course._id }, clock.now(), {
    before: auditedSettings(before),
  })
}
