import { setNamesHidden } from '@assay/shared/assignments.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { ExportedData, exportOwnData, exportUserData } from '@assay/shared/personal-data.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildPerson,
  correctAnswers,
  decideGrade,
  drawPaper,
  gradeAssignment,
} from '../../../testing/build-course.ts'
import { buildPersonEverywhere } from '../../../testing/person-everywhere.ts'
import { everywhere } from '../../../testing/person-everywhere-words.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()

let world: Awaited<ReturnType<typeof buildPersonEverywhere>>
beforeAll(async () => {
  world = await buildPersonEverywhere(api, server.running)
})

function open(bytes: Buffer) {
  const { 'data.json': json, ...files } = unzipSync(bytes)
  const text = Buffer.from(json ?? []).toString()
  return { text, data: ExportedData.strict().parse(JSON.parse(text)), files }
}
async function download(caller: Caller) {
  const reply = await caller.send(exportOwnData)
  expect(reply.status, reply.status === 200 ? '' : reply.text).toBe(200)
  return open(reply.bytes)
}
async function downloadOf(userId: number, admin: Caller) {
  const reply = await admin.send(exportUserData, { params: { userId } })
  expect(reply.status, reply.status === 200 ? '' : reply.text).toBe(200)
  return open(reply.bytes)
}
const isPdf = (bytes: Uint8Array | undefined) =>
  Buffer.from(bytes ?? [])
    .subarray(0, 5)
    .toString() === '%PDF-'

function emptyLists(value: unknown, path = ''): string[] {
  if (Array.isArray(value) && value.length === 0) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => emptyLists(one, `${path}/${key}`))
}

it('has something in each of its lists for a student with something in every record', async () => {
  const own = (await download(api.as(world.person))).data
  const school = (await downloadOf(world.person.id, api.as(await buildPerson('admin')))).data
  for (const { papers, ...data } of [own, school]) {
    expect(emptyLists(data)).toEqual(['/joined_accounts'])
    const [paper] = papers
    expect([papers.length, paper?.earlier_papers.length, paper?.regrade_requests.length]).toEqual([1, 2, 1])
  }
  expect(school.papers.flatMap(({ unreleased }) => emptyLists(unreleased))).toEqual([])
  expect(own).not.toHaveProperty('roster_rows')
})

describe('one’s own data', () => {
  it('has everything the student may see, with their papers and the graded one', async () => {
    const { data, files } = await download(api.as(world.person))
    const { full_name, username, email, student_number, institution } = everywhere
    expect(data.account).toMatchObject({ full_name, username, email, student_number, institution })
    expect(data.sessions.length).toBeGreaterThan(0)
    expect(data.courses.map(({ as }) => as).sort()).toEqual(['invited', 'student'])
    expect(data.extensions).toMatchObject([{ due_at: '2099-02-01T00:00:00.000Z' }])
    expect(data.lms).toMatchObject({
      identities: [{ user_id: everywhere.sub }],
      memberships: [{ name: full_name, email, number: student_number }],
      launches: [{ role: 'student' }],
      scores: [{ score: { given: 18, of: 20 } }],
    })
    const [paper] = data.papers
    expect(data.papers).toHaveLength(1)
    expect(paper).toMatchObject({
      released_grade: { score: 90, feedback: 'Well done, Zebulon Quackenbush!', feedback_by: 'teacher' },
      regrade_requests: [{ reason: everywhere.asked, state: 'open' }],
    })
    const paths = [paper?.paper, ...(paper?.earlier_papers ?? []), paper?.released_grade].map((one) => one?.path ?? '')
    const photos = [...(paper?.earlier_papers[0]?.photos ?? []), ...(data.photo_drafts[0]?.photos ?? [])]
    expect([paths.length, photos.length]).toEqual([4, 2])
    expect(Object.keys(files).sort()).toEqual([...paths, ...photos].sort())
    for (const path of paths) expect(isPdf(files[path])).toBe(true)
    expect(data.activity.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['regrade.asked', 'student.enrolled']),
    )
  })

  it('is there however large papers and photos are together', async () => {
    const { submissionId, person } = world
    const { file } = await SubmissionModel.findById(submissionId).orFail()
    // Larger than a plain ZIP allows: the stated size refuses nothing.
    await SubmissionModel.updateOne({ _id: submissionId }, { 'file.size': 5 * 2 ** 30 })
    try {
      const { data, files } = await download(api.as(person))
      expect(isPdf(files[data.papers[0]?.paper.path ?? ''])).toBe(true)
    } finally {
      await SubmissionModel.updateOne({ _id: submissionId }, { 'file.size': file.size })
    }
  })

  it('names nobody else', async () => {
    const { text } = await download(api.as(world.person))
    for (const other of [world.owner, world.classmate])
      expect(text.includes(other.username), `${other.username} is in it`).toBe(false)
    expect(text).not.toContain('Marchbanks')
  })

  it('has nothing that is not released: no later decision, no suggestion, no draft, no staff’s words', async () => {
    const { owner, courseId, assignmentId, submissionId, person } = world
    const teacher = api.as(owner)
    const ids = { assignmentId, submissionId }
    const draft = await buildAssignment(api, { instructor: owner, courseId }, [
      { name: `${person.username}.pdf`, bytes: await drawPaper({ full_name: everywhere.full_name }, correctAnswers) },
    ])
    await AssignmentModel.updateOne({ _id: draft.assignmentId }, { $set: { title: 'A secret draft' } })
    await gradeAssignment(api, owner, draft.assignmentId)
    await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { status: 'draft' } })
    const words = 'Between us: copied from the neighbour'
    await decideGrade(teacher, ids, { overall_score: 12, human_review_notes: words })
    const hidden = await download(api.as(person))
    expect(hidden.data.papers).toEqual([])
    await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { status: 'published' } })
    const { text, data } = await download(api.as(person))
    expect(data.papers.map(({ released_grade }) => released_grade?.score)).toEqual([90])
    for (const staffOnly of ['A secret draft', 'Between us', 'copied', 'unreleased', '"before"'])
      expect(text).not.toContain(staffOnly)
  })
})

describe('an administrator’s export of a person', () => {
  it('has what is not released as well, and is in the audit log', async () => {
    const admin = await buildPerson('admin')
    const { data, text } = await downloadOf(world.person.id, api.as(admin))
    expect(data.scope).toBe('school')
    const paper = data.papers.find(({ submission_id }) => submission_id === world.submissionId)
    expect(paper?.unreleased).toMatchObject({
      teachers_score: 12,
      alike_papers: 1,
      said_by_models: [`“${everywhere.phrase}”`],
    })
    expect(paper?.unreleased?.answers.some((answer) => answer.text.includes('vermilion'))).toBe(true)
    expect(data.papers.map(({ assignment }) => assignment.name)).toContain('A secret draft')
    expect(data.roster_rows).toHaveLength(2)
    expect(text).not.toContain('Marchbanks')
    expect(text).not.toContain(world.classmate.username)
    const audited = { action: 'user.data_exported', actor_id: admin.id, 'subject.user_id': world.person.id }
    expect(await AuditModel.exists(audited)).not.toBeNull()
  })

  it('leaves out an assignment while its names are hidden, and says so; the student has their own all the same', async () => {
    const admin = await buildPerson('admin')
    const { assignmentId, submissionId, owner, person } = world
    const hide = (names_hidden: boolean) =>
      api.as(owner).send(setNamesHidden, { params: { assignmentId }, body: { names_hidden } })
    expect((await hide(true)).status).toBe(200)
    const { data, text } = await downloadOf(person.id, api.as(admin))
    expect(data.papers.map(({ submission_id }) => submission_id)).not.toContain(submissionId)
    expect(data.left_out.map(({ what }) => what)).toContain('Papers of “Water and heat”')
    for (const trace of ['vermilion', 'saffron', `"submission_id": ${submissionId}`, '2099-02-01', '"score": {'])
      expect(text.includes(trace), `${trace} tells whose a paper is`).toBe(false)
    const own = await download(api.as(person))
    expect(own.data.papers.map(({ submission_id }) => submission_id)).toContain(submissionId)
    await hide(false)
  })
})

describe('an account whose address is unconfirmed', () => {
  it('gets nothing that teachers keep for the owner of the address, nor does an administrator of it', async () => {
    const stranger = await buildPerson('student', { email_verified: false })
    const email = `${stranger.username}@school.example`
    const { owner, courseId } = world
    const added = await api
      .as(owner)
      .send(addStudent, {
        params: { courseId },
        body: { email, sis_user_id: 'S-secret-31', external_user_id: 'L-secret' },
      })
    expect(added.body.message).toContain('pending')
    const { name } = (await api.as(owner).send(getCourse, { params: { courseId } })).body
    const admin = await buildPerson('admin')
    const [own, school] = [await download(api.as(stranger)), await downloadOf(stranger.id, api.as(admin))]
    for (const { data, text } of [own, school]) {
      expect(data.courses).toEqual([])
      expect(data.left_out.map(({ what }) => what)).toContain('What teachers keep for the owner of the email address')
      for (const trace of ['S-secret-31', 'L-secret', 'place_kept', name]) expect(text).not.toContain(trace)
    }
    await UserModel.updateOne({ _id: stranger.id }, { email_verified_at: new Date() })
    expect((await download(api.as(stranger))).data.courses).toMatchObject([
      { as: 'invited', student_number: 'S-secret-31' },
    ])
  })
})
