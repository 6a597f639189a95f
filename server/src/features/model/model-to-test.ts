import { AppError } from '../../lib/app-error.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import {
  type CourseModelBody,
  keyFor,
  requireFree,
  requirePlainAddress,
  requirePublicAddress,
  requireTeachersKeys,
} from './change-model.ts'
import {
  type ModelConfig,
  type ResolvedModel,
  resolveFor,
  resolveOwn,
  resolveSystem,
} from './resolve-model.ts'

/** What the screen shows and nobody has saved, as it would be if they had. */
function asTyped(body: CourseModelBody, before: ResolvedModel | null, source: ResolvedModel['source']) {
  const { api_key: _, ...settings } = body
  return { settings, source, key: keyFor(body, before), keyUnreadable: false, keyEnds: null }
}

function requireModel(model: ResolvedModel): ResolvedModel {
  if (model.settings.provider !== 'offline') return model
  throw new AppError(
    'conflict',
    'The offline grader works on this server and needs no test. Choose a provider first.',
  )
}

/** @throws {AppError} as a change to it would */
export async function systemModelToTest(
  body: CourseModelBody | undefined,
  config: ModelConfig,
): Promise<ResolvedModel> {
  const system = await resolveSystem(config)
  if (!body) return requireModel(system)
  requireFree(body, system)
  if (!system.fixed.includes('base_url')) requirePlainAddress(body)
  if (system.source !== 'environment') return requireModel(asTyped(body, system, 'system'))
  const { api_key: _, ...settings } = body
  return requireModel({ ...system, settings })
}

/** The one that grades the course, or the one of its own that somebody has typed. @throws {AppError} as a change to it would */
export async function courseModelToTest(
  course: CourseDoc,
  body: CourseModelBody | undefined,
  config: ModelConfig,
): Promise<ResolvedModel> {
  if (!body) return requireModel(await resolveFor(course._id, config))
  await requireTeachersKeys(config)
  await requirePublicAddress(body, config)
  return requireModel(asTyped(body, await resolveOwn(course._id, config), 'course'))
}
