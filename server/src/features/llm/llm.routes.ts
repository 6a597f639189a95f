import {
  changeCourseLlm as changeCourseModelEndpoint,
  changeSystemLlm as changeSystemModelEndpoint,
  getCourseLlm,
  getCourseLlmUsage,
  getSystemLlm,
  getSystemLlmUsage,
  type NewCourseLlm,
  type NewSystemLlm,
  removeCourseLlm as removeCourseModelEndpoint,
  testCourseLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { addressSecretProblem } from '@assay/shared/rules/address-secrets.ts'
import type { Router } from 'express'
import type { z } from 'zod'
import { recordAudit } from '../../audit/audit.service.ts'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import { AppError, invalidField } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import { isPrivateHost } from '../../lib/security/private-address.ts'
import { encryptSecret } from '../../lib/security/secret-encryption.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { type LlmSettingsDoc, LlmSettingsModel, llmSettingsId } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import { canTeach, requireCourseFor } from '../courses/course.service.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { testLlm } from './connection-test/test-llm.ts'
import { createLlmClientFactory } from './create-llm-service.ts'
import {
  KEY_PURPOSE,
  keyEnding,
  type LlmConfig,
  presentCourseLlm,
  presentSystemLlm,
  type ResolvedLlm,
  type ResolvedSystemLlm,
  resolveCourseLlm,
  resolveLlm,
  resolveSystemLlm,
} from './resolve-llm.ts'
import { courseLlmUsage, systemLlmUsage } from './usage/llm-usage.ts'

const MAX_TESTS_PER_HOUR = 180

/** `changed` gets null for the system. */
export function llmRoutes(router: Router, services: Services, changed: (courseId: number | null) => Promise<void>) {
  const { config, clock } = services
  const createClient = createLlmClientFactory({ ...services, redis: null })
  router.post(
    [testSystemLlm.path, testCourseLlm.path],
    limitRequests(services, { name: 'connection test', limit: MAX_TESTS_PER_HOUR }),
  )

  handle(router, getSystemLlm, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentSystemLlm(await resolveSystemLlm(config), services)
  })

  handle(router, changeSystemModelEndpoint, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const system = await changeSystemLlm(body, actor, services)
    await changed(null)
    return presentSystemLlm(system, services)
  })

  handle(router, testSystemLlm, async ({ body, actor, signal }) => {
    allow(canAdminister(actor))
    const model = await systemLlmToTest(body.settings, config)
    const of = { courseId: null, courseBudget: null, only: body.only ?? null, signal }
    return testLlm(model, of, createClient, services)
  })

  handle(router, getSystemLlmUsage, async ({ query, actor }) => {
    allow(canAdminister(actor))
    return systemLlmUsage(query.month, services)
  })

  handle(router, getCourseLlm, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return presentCourseLlm(course, services)
  })

  handle(router, changeCourseModelEndpoint, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await changeCourseLlm(course, body, actor, services)
    await changed(course._id)
    return presentCourseLlm(course, services)
  })

  handle(router, removeCourseModelEndpoint, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await removeCourseLlm(course, actor, services)
    await changed(course._id)
    return presentCourseLlm(course, services)
  })

  handle(router, testCourseLlm, async ({ params, body, actor, signal }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const { courseBudget } = await resolveSystemLlm(config)
    const model = await courseLlmToTest(course, body.settings, config)
    const of = { courseId: course._id, courseBudget, only: body.only ?? null, signal }
    return testLlm(model, of, createClient, services)
  })

  handle(router, getCourseLlmUsage, async ({ params, query, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return courseLlmUsage(course, query.month, services)
  })
}

function fromRequestBody(body: CourseLlmBody, before: ResolvedLlm | null, source: ResolvedLlm['source']) {
  const key = resolveNewKey(body, before)
  return { settings: settingsOf(body), source, key, keyUnreadable: false, keyEnds: null }
}

function requireOnlineLlm(model: ResolvedLlm): ResolvedLlm {
  if (model.settings.provider !== 'offline') return model
  throw new AppError('conflict', 'The built-in grader runs on this server and needs no test. Choose a provider first.')
}

async function systemLlmToTest(body: CourseLlmBody | undefined, config: LlmConfig): Promise<ResolvedLlm> {
  const system = await resolveSystemLlm(config)
  if (!body) return requireOnlineLlm(system)
  requireNotSetByEnvironment(body, system)
  if (!system.fixed.includes('base_url')) requirePlainAddress(body)
  if (system.source !== 'environment') return requireOnlineLlm(fromRequestBody(body, system, 'system'))
  return requireOnlineLlm({ ...system, settings: settingsOf(body) })
}

/** The settings as entered, else what grades the course. @throws {AppError} as saving would */
async function courseLlmToTest(course: CourseDoc, body: CourseLlmBody | undefined, config: LlmConfig) {
  if (!body) return requireOnlineLlm(await resolveLlm(course._id, config))
  await requireTeacherKeysAllowed(config)
  await requirePublicAddress(body, config)
  return requireOnlineLlm(fromRequestBody(body, await resolveCourseLlm(course._id, config), 'course'))
}

type CourseLlmBody = z.output<typeof NewCourseLlm>
type SystemLlmBody = z.output<typeof NewSystemLlm>
type Deps = Pick<Services, 'config' | 'clock'>

const settingsOf = ({ api_key: _, ...settings }: CourseLlmBody): LlmSettings => settings

/**
 * A stored key is kept only for its old address: who changes that may not know it.
 * @throws {AppError} `validation_failed` where a key must be entered
 */
function resolveNewKey(body: CourseLlmBody, before: ResolvedLlm | null): string | null {
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
function requirePlainAddress({ base_url }: LlmSettings): void {
  const wrong = base_url === null ? null : addressSecretProblem(base_url)
  if (wrong) throw invalidField('base_url', wrong, 'address')
}

/** Our server calls a teacher's LLM, so its address must not lead into the server's own network. */
async function requirePublicAddress(settings: LlmSettings, { llm }: LlmConfig): Promise<void> {
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

const auditedSettings = (model: ResolvedLlm | null) =>
  model && { ...model.settings, has_key: model.key !== null || model.keyUnreadable }
const keyChange = (body: CourseLlmBody) => (body.api_key ? { key_entered: true } : {})

/** @throws {AppError} `validation_failed` for what the environment has set, or without a key */
async function changeSystemLlm(body: SystemLlmBody, actor: Actor, { config, clock }: Deps) {
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

function requireNotSetByEnvironment(body: CourseLlmBody, { fixed, settings }: ResolvedSystemLlm): void {
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
async function changeCourseLlm(course: CourseDoc, body: CourseLlmBody, actor: Actor, { config, clock }: Deps) {
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

async function requireTeacherKeysAllowed(config: LlmConfig): Promise<void> {
  if ((await resolveSystemLlm(config)).teachersKeys) return
  throw new AppError('conflict', 'The administrator does not allow courses to use their own AI model.')
}

async function removeCourseLlm(course: CourseDoc, actor: Actor, { config, clock }: Deps): Promise<void> {
  const before = await resolveCourseLlm(course._id, config)
  await LlmSettingsModel.deleteOne({ _id: llmSettingsId(course._id) })
  if (!before) return
  await recordAudit(actor, 'course.model_removed', { course_id: course._id }, clock.now(), {
    before: auditedSettings(before),
  })
}
