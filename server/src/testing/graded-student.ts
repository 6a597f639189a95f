import { utimes } from 'node:fs/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import type { Services } from '../services.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper, gradeAssignment } from './build-course.ts'
import type { Api } from './server.ts'

/** Two released papers, old enough for their files to be deleted. `shared`: both are the same file. */
export async function buildGradedStudents(api: Api, services: Services, { shared = false } = {}) {
  const { instructor: owner, students, courseId } = await buildCourse(api, { students: 2 })
  const [person, classmate] = students
  if (!person || !classmate) throw new Error('two students')
  const papers = await Promise.all(
    students.map(async ({ username }) => ({
      name: `${username}.pdf`,
      bytes: await drawPaper({ full_name: shared ? 'Ada Byron' : username }, correctAnswers),
    })),
  )
  const { assignmentId } = await buildAssignment(api, { instructor: owner, courseId }, papers)
  await gradeAssignment(api, owner, assignmentId)
  await api.as(owner).send(publishAssignment, { params: { assignmentId } })
  const submissions = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
  const paperOf = ({ id }: { id: number }) => {
    const found = submissions.find(({ student_id }) => student_id === id)
    if (!found) throw new Error('a paper of their own')
    return { submissionId: found._id, hash: found.file.hash }
  }
  const longAgo = new Date(Date.now() - 3 * 60 * 60 * 1000)
  for (const { file } of submissions) await utimes(await services.files.localPath(file.hash), longAgo, longAgo)
  return { owner, courseId, assignmentId, person, classmate, paper: paperOf(person), other: paperOf(classmate) }
}
