import { publishAssignment } from '@assay/shared/assignments.ts'
import { removeStudent } from '@assay/shared/courses.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { buildAssignment, buildCourse, correctAnswers, drawPaper, enrol } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

it('lets a student open their paper only while they are enrolled', async () => {
  const { instructor, courseId, students } = await buildCourse(api)
  const [ada] = students
  if (!ada) throw new Error('two students')
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${ada.username}.pdf`, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
  ])
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const open = async () => (await api.as(ada).send(getSubmissionFile, { params })).status
  expect(await open()).toBe(200)
  await api.as(instructor).send(removeStudent, { params: { courseId, userId: ada.id } })
  expect(await open()).toBe(404)
  await enrol(courseId, ada)
  expect(await open()).toBe(200)
})
