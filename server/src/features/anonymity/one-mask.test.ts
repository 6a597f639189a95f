import { setNamesHidden, updateAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  buildStudent,
  drawPaper,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { mergeAccount } from '../lti/accounts/join-account.routes.ts'
import { requireUser } from '../users/user.service.ts'

const { api, server } = useTestApi()

const given = 'Kelvin Paris Ottoline Florence Summer Rose Mark Ada Zoë Newton'.split(' ')
const family = 'Newton Vandermark Paris Hill Okoro Smith Quackenbush Ohm Rose Ng'.split(' ')
/** 200 names, as a grader would try whose paper hides which: whole ones, and those of files. */
const tried = [...family.flatMap((last) => given.flatMap((first) => [`${first} ${last}`, `${last}, ${first}`]))]
const answers = ['Kelvin, Ottoline, Paris, Petrichor and Rose float.', 'B', '144']

it('hides the same on every paper, whoever’s it is, and keeps the assignment in its course', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const names = ['Kelvin Newton', 'Ottoline Vandermark']
  for (const full_name of [...names, 'Paris Okoro']) await buildStudent(courseId, { full_name })
  const papers = [...names, 'Rose Petrichor'].map(async (full_name, i) => ({
    name: ['one.pdf', 'two.pdf', 'brother-petrichor.pdf'][i] ?? '',
    bytes: await drawPaper({ full_name }, answers),
  }))
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, await Promise.all(papers))
  await gradeAssignment(api, instructor, assignmentId)
  const teacher = api.as(instructor)
  const params = { assignmentId }
  expect((await SubmissionModel.distinct('student_id', { assignment_id: assignmentId })).length).toBe(3)
  await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })

  const texts = [...tried, 'Kelvin', 'Paris', 'Ottoline', 'brother-petrichor', 'Petrichor']
  const shown: { hidden: (string | null)[]; paper: unknown }[] = []
  for (const { id: submissionId } of (await teacher.send(listSubmissions, { params })).body) {
    const ids = { assignmentId, submissionId }
    const { grade } = (await teacher.send(getSubmission, { params: ids })).body
    const hidden: (string | null)[] = []
    for (const human_review_notes of [texts.join('. '), ...texts.slice(-5)]) {
      const body = { overall_score: 50, human_review_notes }
      const reply = await teacher.send(overrideGrade, { params: { ...ids, gradeId: grade?.id ?? 0 }, body })
      hidden.push(reply.body.manual_feedback)
    }
    const { body } = await teacher.send(getTranscription, { params: ids })
    const token = await teacher.token()
    const page = await fetch(
      `${server.running.url}/api/v1/assignments/${assignmentId}/submissions/${submissionId}/pages/1.png`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const picture = Buffer.from(await page.arrayBuffer()).toString('base64')
    shown.push({ hidden, paper: [body.answers.map(({ text }) => text), body.pages, picture] })
  }
  expect(shown).toHaveLength(3)
  const [all, ...alone] = shown[0]?.hidden ?? []
  expect(all).toMatch(/Summer Smith/)
  expect(all).not.toMatch(/Kelvin|Ottoline|Paris|Petrichor/)
  expect(alone).toEqual(Array(5).fill('[STUDENT]'))
  expect(shown.filter((one) => JSON.stringify(one) !== JSON.stringify(shown[0]))).toEqual([])

  const other = await teacher.send(createCourse, { body: { name: 'Another course' } })
  const moved = await teacher.send(updateAssignment, { params, body: { course_id: other.body.id } })
  expect(moved).toMatchObject({ status: 409, body: { error_code: 'names_hidden' } })
  await teacher.send(setNamesHidden, { params, body: { names_hidden: false } })
  expect((await teacher.send(updateAssignment, { params, body: { course_id: other.body.id } })).status).toBe(200)
})

it('hides a new name at once: of somebody renamed, added or merged with another account', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const [ada, lms] = [await buildStudent(courseId, { full_name: 'Ada Okoro' }), await buildPerson('student')]
  const papers = [{ name: 'one.pdf', bytes: await drawPaper({ full_name: 'Ada Okoro' }, answers) }]
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, papers)
  await gradeAssignment(api, instructor, assignmentId)
  const teacher = api.as(instructor)
  await teacher.send(setNamesHidden, { params: { assignmentId }, body: { names_hidden: true } })
  const ids = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const shown = async () => (await teacher.send(getSubmission, { params: ids })).body.grade?.manual_feedback
  const body = { overall_score: 50, human_review_notes: 'Fothergill, Quackenbush, Vandermark.' }
  const gradeId = (await teacher.send(getSubmission, { params: ids })).body.grade?.id ?? 0
  await teacher.send(overrideGrade, { params: { ...ids, gradeId }, body })
  expect(await shown()).toBe(body.human_review_notes)

  await UserModel.updateOne({ _id: ada.id }, { $set: { full_name: 'Ada Fothergill' } })
  expect(await shown()).toBe('[STUDENT], Quackenbush, Vandermark.')
  await buildStudent(courseId, { full_name: 'Ben Quackenbush' })
  expect(await shown()).toBe('[STUDENT], [STUDENT 2], Vandermark.')
  await UserModel.updateOne({ _id: lms.id }, { $set: { full_name: 'Ada Vandermark' } })
  const [from, to] = [await requireUser(ada.id), await requireUser(lms.id)]
  await mergeAccount(from, to)
  expect(await shown()).not.toMatch(/Quackenbush|Vandermark/)
})
