import {
  type LlmAnswerDoc,
  LlmAnswerModel,
  type LlmCallDoc,
  LlmCallModel,
} from '../../../records/llm/llm-call.model.ts'

export function llmCallsOfSubmission(submissionId: number): Promise<LlmCallDoc[]> {
  return LlmCallModel.find({ submission_id: submissionId }).sort({ _id: 1 }).lean()
}

export function llmAnswersOfSubmission(submissionId: number): Promise<LlmAnswerDoc[]> {
  return LlmAnswerModel.find({ submission_id: submissionId }).lean()
}
