import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'

/** The subject of a request: who pays, and where its response belongs. */
export interface LlmCallContext {
  course_id: number | null
  assignment_id?: number
  run_id?: number
  submission_id?: number
  /** The id of the rubric generation. */
  generation_id?: number
}

/** The LLM that grades a course's papers, and whose setting that is. */
export interface ChosenLlm extends LlmSettings {
  /** `course`: its teacher's own key and budget. */
  source: 'environment' | 'system' | 'course'
  /** `openai/gpt-…`. */
  name: string
}

/** Money and tokens of some calls. */
interface LlmCost {
  calls: number
  input_tokens: number
  output_tokens: number
  /** US dollars; null without a price. */
  dollars: number | null
  /** Calls abandoned while the LLM was responding, booked with the most they may have cost. */
  estimated: number
}

/** The LLMs that settings choose, and what calling them has cost. */
export interface LlmService {
  /** The LLM that grades a course's papers now; null: the offline grader does. */
  chosenFor(courseId: number | null): Promise<ChosenLlm | null>
  /** A client for a chosen LLM, with its key and budget, recorded in the ledger. */
  clientFor(chosen: ChosenLlm, context: LlmCallContext): LlmClient
  /** Lets a course's next request be sent at once, however long its provider has not responded. */
  resetCircuit(courseId: number | null): Promise<void>
  /** Whether settings that apply to a course were saved after `moment`: what failed then may work now. */
  settingsChangedSince(courseId: number | null, moment: Date): Promise<boolean>
  /** How many of a share's papers (see `concurrency-limits.ts`) to process at once, so that as many requests are under way as allowed. */
  concurrencyFor(share: string): Promise<number>
  costOf(context: Partial<LlmCallContext>): Promise<LlmCost>
  /** What is left of the month's budget for a course's requests, in US dollars; null: no budget. */
  remainingBudget(chosen: ChosenLlm, courseId: number | null): Promise<number | null>
}
