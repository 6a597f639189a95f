import { publishAssignment } from '@assay/shared/assignments.ts'
import { getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import { getLaunch } from '@assay/shared/lti/lti.ts'
import { describe, expect, it } from 'vitest'
import { CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { correctAnswers, drawPaper, gradeAssignment } from '../../../testing/build-course.ts'
import { usePaperFolder } from '../../../testing/cached-paper-reader.ts'
import {
  buildLaunchedAssignment,
  launchAndSignIn,
  setUpCourse,
  useRegisteredLms,
} from '../../../testing/registered-lms.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const api = createTestApi(server)

async function buildRoom() {
  const room = await setUpCourse(school(), 2)
  const { link, teacherLaunch } = room
  const [lineItem] = school().lms.lineItemsOf(link)
  const [kim, lee] = room.students
  if (!lineItem || !kim || !lee) throw new Error('a line item and two students')
  const papers = [{ name: `${kim.username}.pdf`, bytes: await drawPaper({ full_name: kim.name }, correctAnswers) }]
  const { assignmentId, submissionIds, ...built } = await buildLaunchedAssignment(api, room, papers)
  const review = { as: room.teacher, link, lineItem, message: 'LtiSubmissionReviewRequest' as const }
  const release = async () => {
    await gradeAssignment(built.asTeacher, built.instructor, assignmentId)
    await teacherLaunch.caller.send(publishAssignment, { params: { assignmentId } })
  }
  return { ...room, lineItem, kim, lee, assignmentId, submissionId: submissionIds[0] ?? 0, review, release }
}

it('opens the paper of the student whose grade the gradebook shows, else all papers', async () => {
  const { review, kim, lee, assignmentId, submissionId } = await buildRoom()
  const papers = `/assignments/${assignmentId}/submissions`
  const open = async (forUser: typeof kim) => (await launchAndSignIn(school(), { ...review, forUser })).launch
  expect(await open(kim)).toMatchObject({ purpose: 'open', path: `${papers}/${submissionId}` })
  expect(await open(lee)).toMatchObject({ purpose: 'open', path: papers })
  expect((await open(school().lms.addUser())).path).toBe(papers)
})

it('knows the assignment by the column where the message names no link', async () => {
  const { review, kim, submissionId } = await buildRoom()
  const mutate = (claims: Record<string, unknown>) => {
    delete claims[`${CLAIM}/resource_link`]
  }
  const { caller } = await launchAndSignIn(school(), { ...review, forUser: kim, mutate })
  expect((await caller.send(getLaunch)).body.path).toMatch(new RegExp(`/submissions/${submissionId}$`))
})

it('opens no paper of another course whose student has the same number', async () => {
  const room = await buildRoom()
  const other = await buildRoom()
  const { launch } = await launchAndSignIn(school(), { ...room.review, forUser: other.kim })
  expect(launch.path).toBe(`/assignments/${room.assignmentId}/submissions`)
})

describe('for a student', () => {
  const folder = usePaperFolder()

  it('opens the student’s own feedback with the graded paper, as the link does, whoever the message names', async () => {
    const { review, link, kim, lee, assignmentId, release } = await buildRoom()
    await release()
    const params = { assignmentId }
    const launches = [
      { as: kim, link },
      { ...review, as: kim, forUser: kim },
      { ...review, as: kim, forUser: lee },
    ]
    for (const launch of launches) {
      const { caller, launch: opened } = await launchAndSignIn(school(), launch)
      expect(opened).toMatchObject({ role: 'student', path: `/student/assignments/${assignmentId}` })
      const reply = await caller.send(getOwnGradedPaper, { params })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      const { pages } = await server.running.services.papers.read(await folder.put(Buffer.from(reply.bytes)))
      const text = pages.flatMap(({ lines }) => lines.map((line) => line.text)).join(' ')
      expect(text).toContain(kim.name)
      expect(text).toContain('Ice is less dense than water')
    }
    const { caller, launch } = await launchAndSignIn(school(), { ...review, as: lee, forUser: kim })
    expect(launch.path).toBe(`/student/assignments/${assignmentId}`)
    expect((await caller.send(getOwnGradedPaper, { params })).status).toBe(404)
  })
})
