import {
  type LlmAnswerDoc,
  LlmAnswerModel,
  type LlmCallDoc,
  LlmCallModel,
} from '../../../records/llm/llm-call.model.ts'

/** Every call about a submission, the oldest first. */
export function llmCallsOfSubmission(submissionId: number): Promise<LlmCallDoc[]> {
  return LlmCallModel.find({ submission_id: submissionId }).sort({ _id: 1 }).lean()
}

/** LLM responses about a submission, under the calls' ids. */
export function llmAnswersOfSubmission(submissionId: number): Promise<LlmAnswerDoc[]> {
  return LlmAnswerModel.find({ submission_id: submissionId }).lean()
}
