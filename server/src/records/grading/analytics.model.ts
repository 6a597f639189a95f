import type { QuestionStatistics } from '@assay/shared/analytics.ts'
import { defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const analyticsChangesSchema = schemaOf({
  _id: field.id(String),
  /** Before and after each change. */
  version: field.withDefault(Number, 0),
  open: field.withDefault<{ id: string; process: string }[]>([{ _id: false, id: String, process: String }], []),
})
export const AnalyticsChangesModel = defineModel('Changes', analyticsChangesSchema, 'analytics_changes')

/** Scores are percent. */
export interface GradeStats {
  count: number
  sum: number
  tenths: number[]
  students: number
}

export interface QuestionStats {
  papers: number
  /** In the papers' order; the rubric has number and prompt. */
  questions: Omit<QuestionStatistics, 'number'>[]
}

/** `key`: the state of its dependencies. */
export interface CachedStats<T> {
  key: string
  figures: T
}

const analyticsCacheSchema = schemaOf({
  _id: field.id(Number),
  grades: field.optional<CachedStats<GradeStats>>(Mixed),
  questions: field.optional<CachedStats<QuestionStats>>(Mixed),
})
export const AnalyticsCacheModel = defineModel('Figures', analyticsCacheSchema, 'analytics_figures')
