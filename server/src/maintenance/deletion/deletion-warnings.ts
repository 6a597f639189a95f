import { countSubmissions } from '../../features/submissions/submission.service.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { LtiScoreModel } from '../../records/lti/score.model.ts'

const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

/** What is deleted along with assignments, in sentences for the teacher who confirms it. */
export async function deletionWarnings(assignments: AssignmentOverview[]): Promise<string[]> {
  const ids = assignments.map(({ _id }) => _id)
  const [counts, released, inGradebook] = await Promise.all([
    countSubmissions(assignments),
    ReleaseModel.countDocuments({ assignment_id: { $in: ids }, student_id: { $ne: null } }),
    LtiScoreModel.countDocuments({ assignment_id: { $in: ids }, 'accepted.percent': { $gte: 0 } }),
  ])
  const all = [...counts.values()]
  const submissions = all.reduce((sum, { submissions }) => sum + submissions, 0)
  const graded = all.reduce((sum, { graded }) => sum + graded, 0)
  const published = assignments.filter(({ status }) => status === 'published')
  const warnings: string[] = []
  if (submissions > 0) warnings.push(`${plural(submissions, 'submission')} with all files will be deleted.`)
  if (graded > 0) warnings.push(`${plural(graded, 'grade')} with feedback will be deleted.`)
  if (published.length > 0) {
    warnings.push(
      released > 0
        ? `${plural(released, 'grade')} will disappear for students who can see them now.`
        : `Students will no longer see ${published.map(({ title }) => `“${title}”`).join(', ')}.`,
    )
  }
  // They can be removed by unpublishing first.
  if (inGradebook > 0) warnings.push(`${plural(inGradebook, 'score')} sent to the LMS will stay in its gradebook.`)
  return warnings
}
