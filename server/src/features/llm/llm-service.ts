import type { LlmCost } from '@assay/shared/llm/llm.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'

export interface LlmCallContext {
  course_id: number | null
  assignment_id?: number
  run_id?: number
  submission_id?: number
  generation_id?: number
}

export interface ChosenLlm extends LlmSettings {
  source: 'environment' | 'system' | 'course'
  name: string
}

export interface LlmService {
  /** Null: the offline grader. */
  chosenFor(courseId: number | null): Promise<ChosenLlm | null>
  clientFor(chosen: ChosenLlm, context: LlmCallContext): LlmClient
  resetCircuit(courseId: number | null): Promise<void>
  /** Failures before such a change may be worth a retry. */
  settingsChangedSince(courseId: number | null, moment: Date): Promise<boolean>
  concurrencyFor(share: string): Promise<number>
  costOf(context: Partial<LlmCallContext>): Promise<LlmCost>
  /** US dollars left this month; null: no budget. */
  remainingBudget(chosen: ChosenLlm, courseId: number | null): Promise<number | null>
}
