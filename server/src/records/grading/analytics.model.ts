import type { QuestionStatistics } from '@assay/shared/analytics.ts'
import mongoose from 'mongoose'

/** The changes of what statistics depend on. */
interface AnalyticsChangesDoc {
  /** `assignment/7`: its released grades. `course/3`: who is enrolled. */
  _id: string
  /** Counted up before and after each change. */
  version: number
  /** The changes under way, and the process that makes each. */
  open: { id: string; process: string }[]
  /** Written by versions that counted in another way. */
  begun?: number
}

const analyticsChangesSchema = new mongoose.Schema<AnalyticsChangesDoc>(
  {
    _id: String,
    version: { type: Number, default: 0 },
    open: { type: [{ _id: false, id: String, process: String }], default: [] },
  },
  { versionKey: false },
)
export const AnalyticsChangesModel = mongoose.model('Changes', analyticsChangesSchema, 'analytics_changes')

/** Totals of the grades of one assignment. Scores are percent. */
export interface GradeStats {
  count: number
  sum: number
  /** How many scores are in each tenth, the lowest first. */
  tenths: number[]
  /** How many of the enrolled students have a grade. */
  students: number
}

export interface QuestionStats {
  papers: number
  /** In the papers' order; number and prompt are looked up in the rubric. */
  questions: Omit<QuestionStatistics, 'number'>[]
}

/** Valid while `key`, which names the state of the dependencies, is current. */
export interface CachedStats<T> {
  key: string
  figures: T
}

/** The cached statistics of one assignment, each part since it was first requested. */
interface AnalyticsCacheDoc {
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
