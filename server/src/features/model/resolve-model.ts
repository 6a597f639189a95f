import { ModelSettings } from '@assay/shared/model-settings.ts'
import type { Config } from '../../config.ts'
import { unseal } from '../../lib/secret-box.ts'
import { type ModelSettingsDoc, ModelSettingsModel, settingsIdOf } from './model-settings.model.ts'
import type { ChosenModel } from './models.ts'

/** What a key is sealed for. */
export const KEY_PURPOSE = 'model key'

/** What holds where nobody has said anything: the offline grader grades. */
export const noModel: ModelSettings = {
  provider: 'offline',
  model: '',
  base_url: null,
  price: null,
  monthly_budget: null,
  pictures: true,
  second_opinion: 'never',
  second_model: null,
  second_price: null,
  at_once: 8,
}

/** A model with its key, ready to be asked. */
export interface ResolvedModel {
  settings: ModelSettings
  source: ChosenModel['source']
  key: string | null
  /** There is a key, but another SECRET_KEY locked it away. */
  keyUnreadable: boolean
  keyEnds: string | null
}

export interface ResolvedSystem extends ResolvedModel {
  /** Those that the environment has set, and nobody else can. */
  fixed: (keyof ModelSettings)[]
  courseBudget: number | null
  teachersKeys: boolean
}

export type ModelConfig = Pick<Config, 'model' | 'secretKey'>

/** The letters of a key that may be told. One so short that they would give half of it away has none. */
export const endOf = (key: string): string | null => (key.length >= 12 ? key.slice(-4) : null)

/** A value an older version stored, and this one refuses, counts as none. */
function keptValues(values: Record<string, unknown>): Partial<ModelSettings> {
  const kept = Object.entries(ModelSettings.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(values[name])
    return read.success ? [[name, read.data] as const] : []
  })
  return Object.fromEntries(kept)
}

function keyOf(doc: ModelSettingsDoc | null, { secretKey }: ModelConfig) {
  const sealed = doc?.key_sealed ?? null
  const key = sealed === null ? null : unseal(sealed, secretKey, KEY_PURPOSE)
  return { key, keyUnreadable: sealed !== null && key === null, keyEnds: doc?.key_ends ?? null }
}

/** The environment goes before what an administrator has stored. Read each time: another process's change holds here too. */
export async function resolveSystem(config: ModelConfig): Promise<ResolvedSystem> {
  const doc = await ModelSettingsModel.findById(settingsIdOf(null)).lean()
  const { provider: given, rest } = config.model
  const stored = { ...noModel, ...keptValues({ ...doc?.values }), ...rest }
  const more = {
    courseBudget: doc?.course_budget ?? null,
    teachersKeys: doc?.teachers_keys ?? true,
  }
  const fixedRest = Object.keys(rest) as (keyof typeof rest)[]
  if (!given) return { settings: stored, source: 'system', ...keyOf(doc, config), fixed: fixedRest, ...more }
  const { apiKey, ...model } = given
  return {
    settings: { ...stored, ...model },
    source: 'environment',
    key: apiKey,
    keyUnreadable: false,
    keyEnds: apiKey === null ? null : endOf(apiKey),
    fixed: ['provider', 'model', 'base_url', ...fixedRest],
    ...more,
  }
}

/** A course's own; null where its teachers have set none. Whether teachers may have their own is not asked here. */
export async function resolveOwn(courseId: number, config: ModelConfig): Promise<ResolvedModel | null> {
  const doc = await ModelSettingsModel.findById(settingsIdOf(courseId)).lean()
  if (!doc) return null
  return {
    settings: { ...noModel, ...keptValues({ ...doc.values }) },
    source: 'course',
    ...keyOf(doc, config),
  }
}

/** What grades a course's papers: its teacher's own, else the system's. */
export async function resolveFor(courseId: number | null, config: ModelConfig): Promise<ResolvedModel> {
  const system = await resolveSystem(config)
  const own = courseId === null || !system.teachersKeys ? null : await resolveOwn(courseId, config)
  return own ?? system
}
