import type { LlmSettings } from '@assay/shared/llm-settings.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'

/** What a question is asked about: whose money it is, and where its answer belongs. */
export interface LlmCallContext {
  course_id: number | null
  assignment_id?: number
  run_id?: number
  submission_id?: number
  /** The making of a rubric. */
  making_id?: number
}

/** The model that grades a course's papers, and who says so. */
export interface ChosenLlm extends LlmSettings {
  /** `course`: its teacher's own key and budget. */
  source: 'environment' | 'system' | 'course'
  /** `openai/gpt-…`. */
  name: string
}

/** Money and tokens, of whatever was asked for. */
export interface LlmCost {
  calls: number
  input_tokens: number
  output_tokens: number
  /** US dollars; null when nobody has said what a token costs. */
  dollars: number | null
  /** Calls that were given up while the model was at work, booked with the most they may have cost. */
  estimated: number
}

/** The LLMs that settings choose, and what calling them has cost. */
export interface LlmService {
  /** What grades a course's papers now; null: the offline grader does. */
  chosenFor(courseId: number | null): Promise<ChosenLlm | null>
  /** Asks a chosen model, with its key, within its budget, in the ledger's name. */
  clientFor(chosen: ChosenLlm, about: LlmCallContext): LlmClient
  /** Has a course's next question asked at once, however long its provider has not answered. */
  resetCircuit(courseId: number | null): Promise<void>
  /** Whether somebody saved settings that a course's papers are graded by after a moment: what failed then may well work now. */
  settingsChangedSince(courseId: number | null, moment: Date): Promise<boolean>
  /** How many of a share's papers (see `places.ts`) to work on at once, so that as many questions are out as may be. */
  concurrencyFor(share: string): Promise<number>
  costOf(about: Partial<LlmCallContext>): Promise<LlmCost>
  /** What is left of the month's budget that a course's questions come out of, in US dollars; null: no budget. */
  remainingBudget(chosen: ChosenLlm, courseId: number | null): Promise<number | null>
}
