import type { QuestionStatistics } from '@assay/shared/analytics.ts'
import mongoose from 'mongoose'

/**
 * How often what figures rest on was changed. Both numbers are raised, one before a change and one after it: while they
 * differ, something is under way.
 */
export interface AnalyticsChangesDoc {
  /** `assignment/7`: its released grades. `course/3`: who is enrolled. */
  _id: string
  begun: number
  ended: number
}

const analyticsChangesSchema = new mongoose.Schema<AnalyticsChangesDoc>(
  {
    _id: String,
    begun: { type: Number, default: 0 },
    ended: { type: Number, default: 0 },
  },
  { versionKey: false },
)
export const AnalyticsChangesModel = mongoose.model('Changes', analyticsChangesSchema, 'analytics_changes')

/** The grades of one assignment, summed up. Scores are percent. */
export interface GradeStats {
  count: number
  sum: number
  /** How many lie in each tenth, the lowest first. */
  tenths: number[]
  /** Of those who are enrolled now, how many have a grade. */
  students: number
}

export interface QuestionStats {
  papers: number
  /** In the papers' order; number and prompt are looked up in the rubric when they are shown. */
  questions: Omit<QuestionStatistics, 'number'>[]
}

/** Good for as long as `key`, which says how often what they rest on had been changed. */
export interface CachedStats<T> {
  key: string
  figures: T
}

/** What was worked out for one assignment, each part when it was first asked for. */
export interface AnalyticsCacheDoc {
  /** The assignment's. */
  _id: number
  grades?: CachedStats<GradeStats>
  questions?: CachedStats<QuestionStats>
}

const analyticsCacheSchema = new mongoose.Schema<AnalyticsCacheDoc>(
  {
    _id: Number,
    grades: mongoose.Schema.Types.Mixed,
    questions: mongoose.Schema.Types.Mixed,
  },
  { versionKey: false },
)
export const AnalyticsCacheModel = mongoose.model('Figures', analyticsCacheSchema, 'analytics_figures')
