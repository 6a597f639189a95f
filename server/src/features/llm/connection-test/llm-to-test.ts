import { AppError } from '../../../lib/http/app-error.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import {
  type CourseLlmBody,
  requireNotSetByEnvironment,
  requirePlainAddress,
  requirePublicAddress,
  requireTeacherKeysAllowed,
  resolveNewKey,
} from '../change-llm-settings.ts'
import { type LlmConfig, type ResolvedLlm, resolveCourseLlm, resolveLlm, resolveSystemLlm } from '../resolve-llm.ts'

function fromRequestBody(body: CourseLlmBody, before: ResolvedLlm | null, source: ResolvedLlm['source']) {
  const { api_key: _, ...settings } = body
  return { settings, source, key: resolveNewKey(body, before), keyUnreadable: false, keyEnds: null }
}

function requireOnlineLlm(model: ResolvedLlm): ResolvedLlm {
  if (model.settings.provider !== 'offline') return model
  throw new AppError('conflict', 'The built-in grader runs on this server and needs no test. Choose a provider first.')
}

/** @throws {AppError} as saving them would */
export async function systemLlmToTest(body: CourseLlmBody | undefined, config: LlmConfig): Promise<ResolvedLlm> {
  const system = await resolveSystemLlm(config)
  if (!body) return requireOnlineLlm(system)
  requireNotSetByEnvironment(body, system)
  if (!system.fixed.includes('base_url')) requirePlainAddress(body)
  if (system.source !== 'environment') return requireOnlineLlm(fromRequestBody(body, system, 'system'))
  const { api_key: _, ...settings } = body
  return requireOnlineLlm({ ...system, settings })
}

/** The course's own settings as entered, else what grades it. @throws {AppError} as saving would */
export async function courseLlmToTest(
  course: CourseDoc,
  body: CourseLlmBody | undefined,
  config: LlmConfig,
): Promise<ResolvedLlm> {
  if (!body) return requireOnlineLlm(await resolveLlm(course._id, config))
  await requireTeacherKeysAllowed(config)
  await requirePublicAddress(body, config)
  return requireOnlineLlm(fromRequestBody(body, await resolveCourseLlm(course._id, config), 'course'))
}
