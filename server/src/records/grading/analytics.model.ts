import type { QuestionStatistics } from '@assay/shared/analytics.ts'
import { defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const analyticsChangesSchema = schemaOf({
  /** `assignment/7`: its released grades. `course/3`: who is enrolled. */
  _id: field.id(String),
  /** Incremented before and after each change. */
  version: field.withDefault(Number, 0),
  /** Changes under way and their processes. */
  open: field.withDefault<{ id: string; process: string }[]>([{ _id: false, id: String, process: String }], []),
  /** Of versions that counted differently. */
  begun: field.optional(Number),
})
export const AnalyticsChangesModel = defineModel('Changes', analyticsChangesSchema, 'analytics_changes')

/** Scores are percent. */
export interface GradeStats {
  count: number
  sum: number
  /** Scores by tenths, the lowest first. */
  tenths: number[]
  /** Enrolled students with a grade. */
  students: number
}

export interface QuestionStats {
  papers: number
  /** In the papers' order; number and prompt are looked up in the rubric. */
  questions: Omit<QuestionStatistics, 'number'>[]
}

/** Valid while `key`, the state of its dependencies, is current. */
export interface CachedStats<T> {
  key: string
  figures: T
}

/** Each part since it was first requested. */
const analyticsCacheSchema = schemaOf({
  _id: field.id(Number),
  grades: field.optional<CachedStats<GradeStats>>(Mixed),
  questions: field.optional<CachedStats<QuestionStats>>(Mixed),
})
export const AnalyticsCacheModel = defineModel('Figures', analyticsCacheSchema, 'analytics_figures')
