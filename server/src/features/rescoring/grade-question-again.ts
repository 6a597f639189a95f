import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, SuggestedGrade } from '../../grader/grader.ts'
import type { InputHashes } from '../../records/grading/grade.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { hashInputs } from '../grades/grade.service.ts'
import { classForSubmission } from '../runs/context/run-class.ts'
import { findRunHead } from '../runs/run.service.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'

interface GradedAgain {
  grade: SuggestedGrade
  classKey: string
  inputs: InputHashes
}

/** By the built-in grader, against the paper's class; stores nothing. Null where what it was graded with is gone. */
export async function gradeQuestionAgain(
  submission: SubmissionDoc,
  rubric: Rubric,
  context: { anchors: Anchor[]; only: ReadonlySet<string> },
  { grader }: Pick<Services, 'grader'>,
  signal: AbortSignal,
): Promise<GradedAgain | null> {
  const [run, answers] = await Promise.all([
    submission.grade ? findRunHead(submission.grade.run_id) : null,
    findAnswers(submission._id),
  ])
  if (!run?.class_key || !answers) return null
  const everyone = await classForSubmission(run, submission._id)
  const grade = await grader.grade(rubric, submission._id, everyone, { ...context, signal })
  return { grade, classKey: everyone.key, inputs: hashInputs({ submission, rubric, extracted: answers.extracted }) }
}
