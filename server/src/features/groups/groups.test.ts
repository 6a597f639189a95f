import {
  publishAssignment,
  setExtension,
  setNamesHidden,
  unpublishAssignment,
  updateAssignment,
} from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getGradebook } from '@assay/shared/gradebook.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { changeOwnGroup, getOwnGroup, listGroups, saveGroup, setException, takeGroups } from '@assay/shared/groups.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import { eraseOwnAccount, exportUserData } from '@assay/shared/personal-data.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { getAttemptFile, getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { countSubmissions, getSubmission, getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { GroupModel } from '../../records/assignments/group.model.ts'
import { RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'
import { ErasureModel } from '../../records/people/erasure.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildEmptyAssignment,
  buildGradedPapers,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
  rowsOf,
  weakAnswers,
} from '../../testing/build-course.ts'
import { readMailsTo } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { isTold, markToldOtherwise } from '../grades/release-notification.ts'
import { replaceWithHandedInPaper } from '../submissions/handed-in-paper.ts'
import { reassignSubmissions } from '../submissions/submission-owners.ts'
import { requireUser } from '../users/user.service.ts'

const { api, server } = useTestApi()

/** Published, in groups of up to three by invitation, without papers. */
async function buildGroupWork(by: 'students' | 'teacher' = 'students') {
  const world = await buildEmptyAssignment(api, { students: 4 })
  const { teacher, params } = world
  await teacher.send(updateAssignment, { params, body: { groups: { max: 3, by } } })
  await teacher.send(publishAssignment, { params })
  const [ada, ben, cy, dee] = world.students as [Person, Person, Person, Person]
  const as = (who: Person) => api.as(who)
  const join = async (host: Person, guest: Person) => {
    await as(host).send(changeOwnGroup, { params, body: { action: 'invite', to: guest.username } })
    const { invited_by } = (await as(guest).send(getOwnGroup, { params })).body
    return as(guest).send(changeOwnGroup, { params, body: { action: 'join', group_id: invited_by[0]?.group_id ?? 0 } })
  }
  const handIn = async (who: Person, answers = correctAnswers) =>
    as(who).send(handInPaper, {
      params,
      body: {},
      files: { file: [{ name: 'mine.pdf', bytes: await drawPaper({ full_name: who.username }, answers) }] },
    })
  const work = async (who: Person) => (await as(who).send(getStudentAssignment, { params })).body
  const papers = () => SubmissionModel.find({ assignment_id: world.assignmentId }).sort({ _id: 1 }).lean()
  const groups = async () => (await teacher.send(listGroups, { params })).body
  return { ...world, ada, ben, cy, dee, as, join, handIn, work, papers, groups }
}

it('a group by invitation hands in one paper, which is everybody’s in it and nobody’s else', async () => {
  const { ada, ben, cy, dee, as, join, handIn, work, papers, teacher, params } = await buildGroupWork()
  expect((await join(ada, ben)).body.group?.members).toEqual([
    { name: ada.username, is_me: false },
    { name: ben.username, is_me: true },
  ])
  await join(ada, cy)
  await handIn(ben)
  const [paper, ...others] = await papers()
  expect(others).toEqual([])
  for (const who of [ada, ben, cy]) expect(await work(who)).toMatchObject({ submission_id: paper?._id })
  expect(await work(dee)).toMatchObject({ submission_id: null })
  const file = { params: { ...params, submissionId: paper?._id ?? 0 } }
  const readers = [ada, ben, cy, dee, await buildPerson('student')].map((who) => as(who).send(getSubmissionFile, file))
  expect((await Promise.all(readers)).map(({ status }) => status)).toEqual([200, 200, 200, 404, 404])
  const { body } = await teacher.send(listSubmissions, { params, query: { search: cy.username } })
  expect(body).toMatchObject([{ student: { id: ben.id }, partners: [{ id: ada.id }, { id: cy.id }] }])
  // The fourth finds no room, and learns nothing of the group.
  expect((await as(ada).send(changeOwnGroup, { params, body: { action: 'invite', to: dee.username } })).status).toBe(
    409,
  )
  expect((await as(dee).send(getOwnGroup, { params })).body).toMatchObject({ group: null, invited_by: [] })
})

it('an invitation says the same of a classmate, of one in the group, of somebody elsewhere and of nobody', async () => {
  const { ada, ben, cy, as, join, params } = await buildGroupWork()
  const stranger = await buildPerson('student')
  await join(ada, cy)
  const replies = []
  for (const to of [ben.username, stranger.username, 'nobody@nowhere.example', cy.username]) {
    const { status, body } = await as(ada).send(changeOwnGroup, { params, body: { action: 'invite', to } })
    replies.push([status, body.group?.invitations.at(-1)?.to === to, body.group?.members.length])
  }
  expect(new Set(replies.map((one) => JSON.stringify(one))).size).toBe(1)
  expect((await as(stranger).send(getOwnGroup, { params })).status).toBe(404)
})

it('any of a group replaces its paper, whose time is the longest that one of them has', async () => {
  const { ada, ben, cy, join, handIn, work, papers, as, teacher, params } = await buildGroupWork()
  const hour = 3_600_000
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  await teacher.send(updateAssignment, { params, body: { due_at: at(2 * hour), late_rule: 'mark_late' } })
  await join(ada, ben)
  await handIn(ada, weakAnswers)
  await handIn(ben)
  expect((await papers()).map(({ student_id, attempts }) => [student_id, attempts?.length])).toEqual([[ada.id, 1]])
  const earlier = { params: { ...params, number: 1 } }
  expect((await as(ben).send(getAttemptFile, earlier)).status).toBe(200)
  await SubmissionModel.updateMany({ assignment_id: params.assignmentId }, { created_at: at(3 * hour) })
  const extension = { params: { ...params, studentId: ben.id }, body: { due_at: at(4 * hour) } }
  await teacher.send(updateAssignment, { params, body: { name: 'Again' } })
  expect((await work(ada)).late).toBe(true)
  await teacher.send(setExtension, extension)
  expect([(await work(ada)).late, (await work(ada)).due_at]).toEqual([false, extension.body.due_at])
  await as(ben).send(changeOwnGroup, { params, body: { action: 'leave' } })
  expect((await work(ada)).late).toBe(true)
  await join(ada, ben)
  // Who joins with a paper of their own brings it along; the last one counts, also for the others.
  await handIn(cy)
  await join(ada, cy)
  expect((await work(ben)).submission_id).toBe((await papers())[1]?._id)
  // Two accounts of one person that become one are in it once.
  await reassignSubmissions(await requireUser(ada.id), await requireUser(ben.id), async () => {})
  const { partner_ids, group_id, upload_key } = (await papers())[0] ?? {}
  expect([partner_ids, upload_key]).toEqual([[cy.id], `handed in by group ${group_id}`])
})

it('who leaves after hand-in leaves the paper to the group, is told of, and can come back', async () => {
  const { ada, ben, cy, as, join, handIn, work, papers, groups, params } = await buildGroupWork()
  await join(ada, ben)
  await join(ada, cy)
  await handIn(ada)
  const before = (await papers())[0] as SubmissionDoc
  expect((await as(ada).send(changeOwnGroup, { params, body: { action: 'leave' } })).body.group).toBeNull()
  expect(await work(ada)).toMatchObject({ submission_id: null })
  expect(await work(ben)).toMatchObject({ has_submission: true })
  const [paper] = await papers()
  expect([paper?.student_id, paper?.partner_ids, paper?.student_identifier]).toEqual([ben.id, [cy.id], ben.username])
  expect((await as(cy).send(getOwnGroup, { params })).body.group?.changes).toMatchObject([
    { name: ada.username, what: 'left' },
  ])
  expect((await groups()).groups[0]?.changes).toMatchObject([{ student_id: ada.id, what: 'left' }])
  // Alone they hand in another, which stays theirs alone until they are back.
  await handIn(ada, weakAnswers)
  expect((await work(ben)).submission_id).toBe(paper?._id)
  const [invitation] = (await as(ada).send(getOwnGroup, { params })).body.invited_by
  await as(ada).send(changeOwnGroup, { params, body: { action: 'join', group_id: invitation?.group_id ?? 0 } })
  expect((await papers()).map(({ partner_ids }) => partner_ids?.length)).toEqual([2, 2])
  // What they had handed in before they joined goes with them again.
  await as(ada).send(changeOwnGroup, { params, body: { action: 'leave' } })
  expect((await papers()).map(({ student_id, partner_ids }) => [student_id, partner_ids ?? []])).toEqual([
    [ben.id, [cy.id]],
    [ada.id, []],
  ])
  // Who was handing in for the group meanwhile has not.
  await as(cy).send(changeOwnGroup, { params, body: { action: 'leave' } })
  const file = { field: 'file', name: 'late.pdf', path: '', size: 1, hash: 'abc' }
  const late = { student: await requireUser(cy.id), file, handwritten: false, late: false, at: new Date() }
  expect(await replaceWithHandedInPaper({ ...before, student_id: ben.id }, late, new Date())).toBeNull()
})

it('a teacher’s groups take papers along, by hand and undone', async () => {
  const { ada, ben, cy, as, handIn, work, groups, teacher, params } = await buildGroupWork('teacher')
  expect((await as(ada).send(changeOwnGroup, { params, body: { action: 'invite', to: ben.username } })).status).toBe(
    409,
  )
  await handIn(ada)
  const made = await teacher.send(saveGroup, { params, body: { student_ids: [ada.id, ben.id] } })
  expect([made.status, made.body.groups[0]?.name]).toEqual([200, 'Group 1'])
  expect(await work(ben)).toMatchObject({ has_submission: true })
  const save = (student_ids: number[]) =>
    teacher.send(saveGroup, { params, body: { id: made.body.groups[0]?.id ?? 0, student_ids } })
  await save([ada.id, ben.id, cy.id])
  expect((await groups()).groups[0]?.changes).toMatchObject([{ student_id: cy.id, what: 'joined' }])
  await save([ada.id, ben.id])
  expect([(await work(cy)).has_submission, (await work(ben)).has_submission]).toEqual([false, true])
  const stranger = await buildPerson('student')
  expect((await save([stranger.id])).status).toBe(422)
  await save([])
  expect([(await work(ada)).has_submission, (await work(ben)).has_submission]).toEqual([true, false])
})

it('a CSV says who is in which group, and what it could not place', async () => {
  const { ada, ben, cy, dee, groups, teacher, params } = await buildGroupWork('teacher')
  await teacher.send(saveGroup, { params, body: { name: 'Red', student_ids: [dee.id] } })
  const rows = [
    `red,,${ada.username}`,
    `Blue,Ben,${ben.username}@school.example`,
    `Blue,,${cy.username}`,
    'Blue,,ghost',
  ]
  const csv = `Group;Name;Email\n${rows.join('\n').replaceAll(',', ';')}\n`
  const reply = await teacher.send(takeGroups, { params, body: { csv } })
  expect(reply.body).toMatchObject({ failures: [expect.stringMatching(/^Row 5: nobody/)] })
  const members = (await groups()).groups.map(({ name, members: all }) => [name, all.map(({ id }) => id)])
  expect(members).toEqual([
    ['Red', [ada.id]],
    ['Blue', [ben.id, cy.id]],
  ])
  const none = await teacher.send(takeGroups, { params, body: { csv: 'name,email\nAda,a@b.example\n' } })
  expect([none.status, none.body.message]).toEqual([400, expect.stringContaining('column “group”')])
})

it('one grade is each member’s, but for an exception, on every screen and in every file', async () => {
  const world = await buildGroupWork()
  const { ada, ben, cy, dee, as, join, handIn, work, instructor, courseId, teacher, params } = world
  await join(ada, ben)
  await as(ada).send(changeOwnGroup, { params, body: { action: 'invite', to: dee.username } })
  await handIn(ada)
  await handIn(cy, weakAnswers)
  await gradeAssignment(api, instructor, params.assignmentId)
  const partners = async () => (await teacher.send(countSubmissions, { params })).body.partners
  expect(await partners()).toEqual({ graded: 1, unreleased: 1 })
  await teacher.send(publishAssignment, { params })
  expect(await partners()).toEqual({ graded: 1, unreleased: 0 })
  const [invitation] = (await as(dee).send(getOwnGroup, { params })).body.invited_by
  const joins = { action: 'join' as const, group_id: invitation?.group_id ?? 0 }
  // Too late for a grade that others have already.
  expect((await as(dee).send(changeOwnGroup, { params, body: joins })).status).toBe(409)
  const whole = await work(ben)
  expect([whole.is_graded, whole.points]).toEqual([true, (await work(ada)).points])
  const given = whole.points?.given ?? 0
  const ids = { ...params, submissionId: whole.submission_id ?? 0 }
  const exception = { points: -4, reason: 'Did not take part in question 1' }
  await teacher.send(setException, { params: { ...ids, studentId: ben.id }, body: { exception } })
  const reviewed = (await teacher.send(getSubmission, { params: ids })).body
  expect(reviewed).toMatchObject({ exceptions: [{ student_id: ben.id, ...exception }], partners: [{ id: ben.id }] })
  expect(reviewed.adjusted).toBeUndefined()
  expect(await work(ben)).toMatchObject({
    points: { given: given - 4 },
    adjusted: { steps: [{ kind: 'member', reason: exception.reason }] },
  })
  const other = await work(ada)
  const admin = api.as(await buildPerson('admin'))
  const zip = unzipSync((await admin.send(exportUserData, { params: { userId: ada.id } })).bytes)
  expect(Buffer.from(zip['data.json'] ?? []).toString()).not.toContain(exception.reason)
  expect([other.points?.given, JSON.stringify(other).includes(exception.reason)]).toEqual([given, false])

  const book = (await teacher.send(getGradebook, { params: { courseId } })).body
  const cell = (who: Person) => book.rows.find(({ student_id }) => student_id === who.id)?.cells[0]
  expect([cell(ada), cell(ben), cell(cy)]).toMatchObject([
    { points: given, shared: true },
    { points: given - 4, shared: true },
    expect.not.objectContaining({ shared: true }),
  ])
  const csv = rowsOf((await teacher.send(exportGrades, { params })).text)
  const rowOf = (who: Person) => csv.find((row) => row.startsWith(who.username))
  expect(rowOf(ada)).toMatch(/Group 1$/)
  expect(rowOf(ben)).toContain(`For this student alone: ${exception.reason}`)
  const moodle = rowsOf((await teacher.send(exportGrades, { params, query: { format: 'moodle' } })).text)
  expect(moodle.find((row) => row.includes(ben.username))).toMatch(new RegExp(`,${given - 4}$`))

  // What one asks, all see; a second request waits for the answer.
  const asked = await as(ben).send(requestRegrade, { params, body: { reason: 'Please look again.' } })
  expect(asked.status).toBe(201)
  expect((await work(ada)).regrades).toMatchObject([{ reason: 'Please look again.' }])
  expect((await work(ada)).can_ask_regrade).toBe(false)
  await teacher.send(setException, { params: { ...ids, studentId: ben.id }, body: { exception: null } })
  expect((await work(ben)).points?.given).toBe(given)
  expect((await work(ben)).adjusted).toBeUndefined()
  // For two at the same moment.
  const both = [ada, ben].map((who) => ({ params: { ...ids, studentId: who.id }, body: { exception } }))
  await Promise.all(both.map((one) => teacher.send(setException, one)))
  expect((await teacher.send(getSubmission, { params: ids })).body.exceptions).toHaveLength(2)

  // A teacher's upload keeps nothing of who goes, and the others were told their grade.
  await SubmissionModel.updateOne({ _id: ids.submissionId }, { upload_key: `hash ${ada.username}` })
  const paper = async () => (await world.papers()).find(({ _id }) => _id === ids.submissionId) as SubmissionDoc
  await markToldOtherwise(await paper())
  await teacher.send(saveGroup, { params, body: { id: joins.group_id, student_ids: [ben.id] } })
  expect(JSON.stringify(await paper())).not.toContain(ada.username)
  expect(await isTold(await paper())).toBe(true)
})

it('a paper that names several of a group is the group’s, and holds no two papers', async () => {
  const world = await buildEmptyAssignment(api, { students: 0 })
  const { instructor, courseId, teacher } = world
  const people = []
  for (const full_name of ['Ada Lovelace', 'Ben Nevis', 'Cy Twombly'])
    people.push(await buildPerson('student', { full_name }))
  const [ada, ben, cy] = people as [Person, Person, Person]
  for (const one of people) await enrol(courseId, one)
  const named = (full_name: string) => ({ file: 'scan', full_name, answers: correctAnswers })
  const built = await buildGradedPapers(api, { instructor, courseId }, [named('Ada Lovelace, Ben Nevis')], false)
  const { params } = built
  await teacher.send(updateAssignment, { params, body: { groups: { max: 3, by: 'teacher' } } })
  await teacher.send(saveGroup, { params, body: { student_ids: [ben.id, ada.id] } })
  await gradeAssignment(api, instructor, params.assignmentId)
  const { body } = await teacher.send(listSubmissions, { params })
  expect(body).toMatchObject([{ status: 'graded', student: { id: ben.id }, partners: [{ id: ada.id }] }])
  expect(body[0]?.problems).toBeUndefined()
  // By hand it is another’s, and no longer the group’s.
  const ids = { ...params, submissionId: body[0]?.id ?? 0 }
  const given = await teacher.send(setSubmissionStudent, { params: ids, body: { student_id: cy.id } })
  expect(given.body.submission.partners).toBeUndefined()
})

it('while names are hidden, groups say nothing of papers and cannot change', async () => {
  const { ada, ben, join, handIn, groups, teacher, params } = await buildGroupWork()
  await join(ada, ben)
  await handIn(ada)
  await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
  const [row] = (await teacher.send(listSubmissions, { params })).body
  expect([row?.student, row?.partners]).toEqual([null, undefined])
  const [group] = (await groups()).groups
  expect([group?.submission_id, group?.changes]).toEqual([null, []])
  const one = { ...params, submissionId: row?.id ?? 0, studentId: ada.id }
  const refused = [
    await teacher.send(saveGroup, { params, body: { id: group?.id ?? 0, student_ids: [ada.id] } }),
    await teacher.send(setException, { params: one, body: { exception: null } }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([409, 409])
  const csv = rowsOf((await teacher.send(exportGrades, { params })).text)
  expect([csv.length, csv.join('\n').includes(ben.username)]).toEqual([2, false])
})

it('erasing a member leaves the paper and its grade to the others', async () => {
  const { ada, ben, join, handIn, work, papers, instructor, as, teacher, params } = await buildGroupWork()
  await join(ada, ben)
  await handIn(ada)
  await gradeAssignment(api, instructor, params.assignmentId)
  await teacher.send(publishAssignment, { params })
  const before = await work(ben)
  await as(ada).send(requestRegrade, { params, body: { reason: 'Please look again.' } })
  // Without one nobody could look after the school.
  await buildPerson('admin')
  await as(ada).send(eraseOwnAccount, { body: { password: ada.password } })
  await expect.poll(async () => (await ErasureModel.findById(ada.id).lean())?.state).toBe('done')
  const [paper] = await papers()
  // Nor does what they asked wait for an answer.
  expect([paper?.student_id, paper?.partner_ids, paper?.regrade]).toEqual([ben.id, [], null])
  expect(await work(ben)).toMatchObject({ points: before.points, submission_id: paper?._id })
  const stored = JSON.stringify([paper, await GroupModel.find({ assignment_id: params.assignmentId }).lean()])
  expect(stored).not.toContain(ada.username)
  expect(await RetainedGradeModel.countDocuments({ assignment_id: params.assignmentId })).toBe(1)
  // The last of them takes the paper along.
  await as(ben).send(eraseOwnAccount, { body: { password: ben.password } })
  await expect.poll(papers).toEqual([])
  expect(await RetainedGradeModel.countDocuments({ assignment_id: params.assignmentId })).toBe(2)
})

it('no paper of a group is missing while one of them has time', async () => {
  const { ada, ben, cy, join, courseId, teacher, params } = await buildGroupWork()
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  await teacher.send(updateAssignment, { params, body: { due_at: at(-2), late_rule: 'mark_late' } })
  await teacher.send(setExtension, { params: { ...params, studentId: ben.id }, body: { due_at: at(4) } })
  await join(ada, ben)
  const { rows } = (await teacher.send(getGradebook, { params: { courseId } })).body
  const missing = rows.filter(({ cells }) => cells[0]?.state === 'missing').map(({ student_id }) => student_id)
  expect([ada, ben, cy].map(({ id }) => missing.includes(id))).toEqual([false, false, true])
})

it('only a published assignment mails its groups, and another course sees nobody who stays behind', async () => {
  const { ada, ben, cy, join, handIn, groups, instructor, teacher, params } = await buildGroupWork()
  await join(ada, ben)
  await handIn(ada)
  const id = (await groups()).groups[0]?.id ?? 0
  const save = (student_ids: number[]) => teacher.send(saveGroup, { params, body: { id, student_ids } })
  const { dataDir } = server.running.services.config
  const told = async (who: Person) =>
    (await readMailsTo(dataDir, `${who.username}@school.example`)).filter(({ subject }) => /^Your group/.test(subject))
  await teacher.send(unpublishAssignment, { params })
  await save([ada.id, ben.id, cy.id])
  await teacher.send(publishAssignment, { params })
  await save([ada.id, cy.id])
  await expect.poll(() => told(cy)).toHaveLength(1)
  expect(await told(ben)).toHaveLength(1)

  await teacher.send(unpublishAssignment, { params })
  const { body } = await api.as(instructor).send(createCourse, { body: { name: 'Other course' } })
  await enrol(body.id, cy)
  expect((await teacher.send(updateAssignment, { params, body: { course_id: body.id } })).status).toBe(200)
  const [group] = (await groups()).groups
  expect([group?.members.map((one) => one.id), group?.changes.map((one) => one.student_id)]).toEqual([[cy.id], [cy.id]])
})
