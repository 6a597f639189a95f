import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { InputHashes } from '../../records/grading/grade.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'

const sha256 = (value: unknown) => hashOf(JSON.stringify(value))

/** Hash what the grader was given: what is stored may have changed when its grade arrives. */
export function hashInputs(used: {
  submission: Pick<SubmissionDoc, 'file'>
  rubric: Pick<Rubric, 'questions'>
  extracted: Pick<ExtractedSubmission, 'answers'>
}): InputHashes {
  const words = used.extracted.answers.map(({ question_id, text }) => [question_id, text])
  return { paper: used.submission.file.hash, rubric: sha256(used.rubric.questions), answers: sha256(words) }
}
