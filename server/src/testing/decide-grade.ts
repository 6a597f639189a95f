import { type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import type { Caller } from './api.ts'

/** Decides on a paper's grade as it is now; unless told otherwise, approves what is suggested. */
export async function decideGrade(
  teacher: Caller,
  ids: { assignmentId: number; submissionId: number },
  decision: Partial<GradeOverride> = {},
) {
  const { body } = await teacher.send(getSubmission, { params: ids })
  const reply = await teacher.send(overrideGrade, {
    params: { ...ids, gradeId: body.grade?.id ?? 0 },
    body: { overall_score: null, human_review_notes: null, ...decision },
  })
  if (reply.status !== 200) throw new Error(`not decided: ${reply.text}`)
  return reply
}
