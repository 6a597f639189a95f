import { processAssignment } from '@assay/shared/runs.ts'
import { countSubmissions, getSubmission, gradeAnyway, listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { createTestApi } from '../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
  waitForRun,
} from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'

const api = createTestApi(useServer())

it('grades no paper that names another student or is another’s until a teacher has decided, and the others at once', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const grace = await buildPerson('student', { full_name: 'Grace Hopper' })
  const edsger = await buildPerson('student', { full_name: 'Edsger Dijkstra' })
  const alan = await buildPerson('student', { full_name: 'Alan Turing' })
  for (const one of [grace, edsger, alan]) await enrol(courseId, one)
  const ada = await buildPerson('student', { full_name: 'Ada Byron' })
  await enrol(courseId, ada)
  const shared = await drawPaper({ full_name: 'Nobody Inparticular' }, correctAnswers)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'grace-hopper.pdf', bytes: await drawPaper({ full_name: 'Edsger Dijkstra' }, correctAnswers) },
    { name: 'alan-turing.pdf', bytes: shared },
    { name: 'ada-byron.pdf', bytes: shared },
    { name: 'edsger-dijkstra.pdf', bytes: await drawPaper({ full_name: 'Edsger Dijkstra' }, { ...correctAnswers }) },
  ])
  const [wrong = 0, original = 0, copy = 0, clean = 0] = submissionIds
  const teacher = api.as(instructor)
  const params = { assignmentId }
  await gradeAssignment(api, instructor, assignmentId)

  const list = async () => (await teacher.send(listSubmissions, { params })).body
  const stateOf = (rows: Awaited<ReturnType<typeof list>>) =>
    new Map(
      rows.map(({ id, status, held, problems }) => [id, [status, held ?? false, problems?.map(({ code }) => code)]]),
    )
  const before = stateOf(await list())
  expect(before.get(original)).toEqual(['uploaded', true, ['same_paper']])
  expect(before.get(copy)).toEqual(['uploaded', true, ['same_paper']])
  expect(before.get(wrong)?.[2]).toContain('other_name')
  expect(before.get(clean)).toEqual(['graded', false, undefined])
  const counts = async () => (await teacher.send(countSubmissions, { params })).body
  expect(await counts()).toMatchObject({ held: 3, graded: 1 })
  const held = await teacher.send(listSubmissions, { params, query: { status: 'held' } })
  expect(held.body.map(({ id }) => id)).toEqual([wrong, original, copy])

  const ids = { assignmentId, submissionId: original }
  expect((await teacher.send(gradeAnyway, { params: ids })).body).not.toHaveProperty('held')
  const run = await teacher.send(processAssignment, { params, body: { submission_ids: [original] } })
  expect(await waitForRun(api, instructor, assignmentId, run.body.run_id)).toMatchObject({ graded: 1 })
  expect((await teacher.send(getSubmission, { params: ids })).body).toMatchObject({ status: 'graded' })
  expect(await counts()).toMatchObject({ held: 2, graded: 2 })
  const audited = { action: 'submission.problems_decided', 'subject.submission_id': original }
  expect(await AuditModel.countDocuments(audited)).toBe(1)
})
