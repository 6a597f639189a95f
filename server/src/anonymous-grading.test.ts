import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flagReviewList, getAccuracyCheck } from '@assay/shared/accuracy-checks.ts'
import { listAudit } from '@assay/shared/admin.ts'
import { listStudentPerformance } from '@assay/shared/analytics.ts'
import {
  getAssignment,
  listExtensions,
  publishAssignment,
  setExtension,
  setNamesHidden,
  updateAssignment,
} from '@assay/shared/assignments.ts'
import { contract } from '@assay/shared/contract.ts'
import { approveGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { acceptMatches, listMatches, matchSubmissions, setSubmissionStudent } from '@assay/shared/matches.ts'
import { getAnswer, getAnswerPicture, listQuestions } from '@assay/shared/questions.ts'
import { answerRegrade, listRegrades, requestRegrade } from '@assay/shared/regrades.ts'
import {
  applyRubricItem,
  changeRubricItem,
  createRubricItem,
  listRubricItems,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { previewScoreRules, setScoreRules, waiveLatePenalty } from '@assay/shared/score-rules.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import {
  getSubmission,
  gradeAnyway,
  listSubmissions,
  uploadSubmission,
  uploadSubmissions,
} from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { presentPreview } from './features/regrades/amendments/amendment.routes.ts'
import { nextId } from './lib/database/database.ts'
import { AssignmentModel } from './records/assignments/assignment.model.ts'
import { AccuracyCheckModel } from './records/grading/accuracy-check.model.ts'
import { GradeDetailsModel } from './records/grading/grade.model.ts'
import { RubricAmendmentModel } from './records/grading/rubric-amendment.model.ts'
import { SimilarityReportModel } from './records/grading/similarity-report.model.ts'
import { SubmissionModel } from './records/submissions/submission.model.ts'
import { AnswersModel } from './records/submissions/transcription.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawHandwrittenQuizPaper,
  drawPaper,
  enrol,
  gradeAssignment,
  waitForRun,
} from './testing/build-course.ts'
import { type Person, useTestApi } from './testing/server.ts'

const { api, server } = useTestApi()

/** None of these words is in the quiz. */
const people = [
  { full_name: 'Zebulon Quackenbush', username: 'zquack77', email: 'zeb.q@post.example', student_number: '90817263' },
  { full_name: 'Wilhelmina Fothergill', username: 'wfoth31', email: 'mina.f@post.example', student_number: '71625344' },
  { full_name: 'Ottoline Vandermark', username: 'ovand58', email: 'otto.v@post.example', student_number: '55443321' },
]
const fileNames = ['quackenbush-hw.pdf', 'fothergill-hw.pdf', 'scan-of-miss-petrichor.pdf']
const secrets = [
  ...people.flatMap((one) => [one.full_name, ...one.full_name.split(' '), one.username, one.email, one.student_number]),
  ...fileNames.map((name) => name.replace('.pdf', '')),
  'Petrichor',
]
const secretsIn = (text: string) => {
  const lowered = text.toLowerCase()
  return secrets.filter((secret) => lowered.includes(secret.toLowerCase()))
}

const twoNames = async () => {
  const both = await PDFDocument.create({ updateMetadata: false })
  for (const { full_name } of people.slice(1, 3)) {
    const one = await PDFDocument.load(await drawPaper({ full_name }, correctAnswers))
    for (const page of await both.copyPages(one, [0])) both.addPage(page)
  }
  return Buffer.from(await both.save())
}

async function buildWorld() {
  const { instructor: owner, courseId } = await buildCourse(api, { students: 0 })
  const students: Person[] = []
  for (const one of people) {
    const student = await buildPerson('student', one)
    await enrol(courseId, student)
    students.push(student)
  }
  const named = ['Zebulon Quackenbush thinks that the molecules of ice are held further apart.', 'B', '144']
  const { assignmentId } = await buildAssignment(api, { instructor: owner, courseId }, [
    { name: fileNames[0] ?? '', bytes: await drawPaper({ full_name: people[0]?.full_name ?? '' }, named) },
    {
      name: fileNames[1] ?? '',
      bytes: await drawHandwrittenQuizPaper({ full_name: 'Wilhelmina Fothergill' }, correctAnswers),
    },
    { name: fileNames[2] ?? '', bytes: await twoNames() },
  ])
  const teacher = api.as(owner)
  const params = { assignmentId }
  const run = await gradeAssignment(api, owner, assignmentId)
  // Held at first, as it names two students.
  const { body: held } = await teacher.send(listSubmissions, { params, query: { status: 'held' } })
  expect(held).toHaveLength(1)
  const heldIds = held.map(({ id }) => id)
  for (const submissionId of heldIds) await teacher.send(gradeAnyway, { params: { assignmentId, submissionId } })
  const again = await teacher.send(processAssignment, { params, body: { submission_ids: heldIds } })
  await waitForRun(api, owner, assignmentId, again.body.run_id)
  await teacher.send(updateAssignment, { params, body: { due_at: '2030-01-01T00:00:00Z' } })
  const [student] = students
  if (!student) throw new Error('a student')
  await teacher.send(setExtension, {
    params: { assignmentId, studentId: student.id },
    body: { due_at: '2030-02-01T00:00:00Z' },
  })
  const { body: rows } = await teacher.send(listSubmissions, { params })
  const own = rows.find((row) => row.student?.id === student.id)
  if (!own) throw new Error('the first paper is the first student’s')
  const ids = { assignmentId, submissionId: own.id }
  const { body } = await teacher.send(getSubmission, { params: ids })
  await teacher.send(overrideGrade, {
    params: { ...ids, gradeId: body.grade?.id ?? 0 },
    body: {
      overall_score: 90,
      human_review_notes: 'Well done, Zebulon Quackenbush!',
      criteria: body.grade?.criterion_grades_collection
        .slice(0, 1)
        .map(({ criterion_id }) => ({ criterion_id, feedback: 'Read on, Zebulon Quackenbush.' })),
    },
  })
  const questionId = body.grade?.criterion_grades_collection[0]?.question_id ?? ''
  const criterion_id = body.grade?.criterion_grades_collection[0]?.criterion_id ?? ''
  const item = await teacher.send(createRubricItem, {
    params: { assignmentId, questionId },
    body: { criterion_id, kind: 'comment', points: 0, text: 'Not as Zebulon Quackenbush says.' },
  })
  await teacher.send(applyRubricItem, {
    params: { assignmentId, questionId, itemId: item.body.id },
    body: { answers: [{ submission_id: own.id, decided: null }], applied: true },
  })
  // The first two papers are said to be alike: both name their student.
  await SimilarityReportModel.create({
    _id: assignmentId,
    enabled: true,
    state: 'done',
    compared_at: new Date(),
    papers: rows.length,
    pairs: [
      {
        first: rows[0]?.id,
        second: rows[1]?.id,
        answers: [{ question_id: questionId, kind: 'words', passages: [{ words: 3, first: [0, 9], second: [0, 9] }] }],
      },
    ],
    dismissed: {},
  })
  await buildFinishedCheck(assignmentId, own.id, questionId, criterion_id, owner.id)
  const second = body.grade?.criterion_grades_collection[1]
  await teacher.send(createRubricItem, {
    params: { assignmentId, questionId: second?.question_id ?? '' },
    body: { criterion_id: second?.criterion_id ?? '', kind: 'comment', points: 0, text: 'Ask Ottoline Vandermark.' },
  })
  await teacher.send(publishAssignment, { params })
  const asked = await api
    .as(student)
    .send(requestRegrade, {
      params,
      body: { reason: 'I am Zebulon Quackenbush (zeb.q@post.example) and question 1 is right.' },
    })
  return {
    owner,
    admin: await buildPerson('admin'),
    students,
    courseId,
    assignmentId,
    submissionIds: rows.map(({ id }) => id),
    ids,
    gradeId: body.grade?.id ?? 0,
    regradeId: asked.body.id,
    runId: run.id,
    questionId,
    item: item.body,
    amendmentId: await storeAmendment(assignmentId, asked.body.id, own.id),
  }
}

/** Its answer names its student. */
async function buildFinishedCheck(
  assignment_id: number,
  submission_id: number,
  question_id: string,
  criterion: string,
  by: number,
) {
  await AccuracyCheckModel.create({
    _id: await nextId('accuracy_checks'),
    assignment_id,
    started_by: by,
    started_at: new Date(),
    finished_at: new Date(),
    answers: [{ submission_id, question_id, points: { [criterion]: 0 }, skipped: false }],
  })
}

/** With a paper's words, which name its student. */
async function storeAmendment(assignment_id: number, regrade_id: number, submission_id: number): Promise<number> {
  const assignment = await AssignmentModel.findById(assignment_id).lean()
  const question = assignment?.rubric?.questions[0]
  const _id = await nextId('rubric_amendments')
  await RubricAmendmentModel.create({
    _id,
    assignment_id,
    regrade_id,
    submission_id,
    question_id: question?.id,
    criterion_id: question?.criteria[0]?.id,
    kind: 'alternative',
    text: 'Zebulon Quackenbush thinks that the molecules of ice are held further apart.',
    granted: 10,
    rubric_version: assignment?.rubric_version,
    state: 'applied',
    answers: [],
    unchanged: [],
    changed: [],
    created_by: 1,
    created_at: new Date(),
  })
  return _id
}

let world: Awaited<ReturnType<typeof buildWorld>>
beforeAll(async () => {
  world = await buildWorld()
})

const hideNames = (names_hidden: boolean) =>
  api.as(world.owner).send(setNamesHidden, { params: { assignmentId: world.assignmentId }, body: { names_hidden } })

/** Names are anonymous if nothing connects them with papers. */
// An administrator's export, which leaves out the papers, is tested beside it.
const LISTS_OF_PEOPLE = [
  ...['exportUserData', 'getCourse', 'listCourseStudents', 'listGroups', 'listUsers', 'listStudentPerformance'],
  // Without the columns of assignments that hide names (gradebook.test.ts).
  ...['getGradebook', 'exportGradebook'],
]
/** They are not about the assignment, or need an LMS, a launch or a student. */
const isReadingOfGraders = ({ name, endpoint }: { name: string; endpoint: Endpoint }) =>
  endpoint.method === 'get' &&
  endpoint.access !== 'public' &&
  endpoint.access.some((role) => role !== 'student') &&
  !LISTS_OF_PEOPLE.includes(name)

/** For every paper where one is named. */
function requestsFor({ path, query }: Endpoint, name: string) {
  const { assignmentId, courseId, runId, submissionIds, questionId, amendmentId, regradeId } = world
  const common = {
    assignmentId,
    courseId,
    runId,
    which: 'key',
    version: 1,
    page: 1,
    jobId: 1,
    platformId: 1,
    questionId,
    amendmentId,
    regradeId,
    picture: 1,
    position: 1,
    userId: world.students[0]?.id,
  }
  const queries =
    name === 'getPaperText'
      ? [{ page: 1, x: 0, y: 0, width: 600, height: 800 }]
      : name === 'previewDeletion'
        ? [{ ids: `${assignmentId}` }]
        : query
          ? [{}, ...['Quackenbush', 'zquack77'].map((person) => ({ search: person, person, limit: 500 }))]
          : [{}]
  const papers = path.includes(':submissionId') ? submissionIds.map((submissionId) => ({ submissionId })) : [{}]
  return papers.flatMap((paper) => queries.map((query) => ({ params: { ...common, ...paper }, query })))
}

/** By endpoint: the names found. */
async function readEverything(person: Person): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, endpoint } of contract.filter(isReadingOfGraders)) {
    for (const request of requestsFor(endpoint, name)) {
      const reply = await api.as(person).send(endpoint, request as object)
      // The course's entries name who was enrolled; the assignment's must not.
      const text = name === 'listAudit' ? auditOfAssignment(reply.body) : reply.text
      const all = `${text} ${[...reply.headers].map(([field, value]) => `${field}: ${decodeURIComponent(value)}`).join(' ')}`
      const named = secretsIn(all)
      if (named.length > 0) found[name] = [...new Set([...(found[name] ?? []), ...named])]
    }
  }
  return found
}

async function approveAndUndo() {
  const teacher = api.as(world.owner)
  const params = { assignmentId: world.assignmentId }
  const [, submission_id = 0] = world.submissionIds
  const settled = {
    'grade.needs_review': false,
    'grade.unscored_points': 0,
    'grade.final_score': 80,
    'grade.reviewed_at': null,
  }
  await SubmissionModel.updateOne({ _id: submission_id }, { $set: settled })
  for (const { _id, criteria } of await GradeDetailsModel.find({ submission_id }).lean()) {
    const sure = criteria.map((criterion) => ({ ...criterion, score: 1, confidence: 0.9 }))
    await GradeDetailsModel.updateOne({ _id }, { $set: { criteria: sure } })
  }
  const { body: told } = await teacher.send(getGradeApprovals, { params })
  const approved = await teacher.send(approveGrades, { params, body: { expected: told.sure } })
  const state = async () => (await teacher.send(getGradeApprovals, { params })).body.latest?.state
  await expect.poll(state).toBe('applied')
  return [approved, await teacher.send(undoGradeApproval, { params: { ...params, approvalId: approved.body.id } })]
}

const auditOfAssignment = (body: unknown): string =>
  JSON.stringify(
    (Array.isArray(body) ? body : []).filter((entry) =>
      entry.subjects.some(
        ({ kind, id }: { kind: string; id: number }) => kind === 'assignment' && id === world.assignmentId,
      ),
    ),
  )

describe('while names are hidden', () => {
  let socket: Socket
  const events: string[] = []
  beforeAll(async () => {
    expect(await hideNames(true)).toMatchObject({ status: 200, body: { anonymous: { names_hidden: true } } })
    socket = io(server.running.url, { auth: { token: await api.as(world.owner).token() }, reconnection: false })
    socket.onAny((...event) => events.push(JSON.stringify(event)))
    expect(await socket.timeout(5000).emitWithAck('watch_assignment', world.assignmentId)).toBe(true)
  })
  afterAll(() => socket.disconnect())

  it.each(['owner', 'admin'] as const)('names nobody in any reply or header that the %s can read', async (who) => {
    expect(await readEverything(world[who])).toEqual({})
  })

  it('names nobody in replies to changes, nor in live events, and stores what graders write with the names', async () => {
    const teacher = api.as(world.owner)
    const { assignmentId, ids, gradeId, regradeId } = world
    const params = { assignmentId }
    const before = (await teacher.send(getSubmission, { params: ids })).body.grade
    expect(before?.manual_feedback).toBe('Well done, [STUDENT]!')
    const override = { overall_score: 91, human_review_notes: 'Well done, [STUDENT]! Read on.' }
    const reading = (await teacher.send(getTranscription, { params: ids })).body
    const answer = reading.answers.find(({ text }) => text.includes('[STUDENT]'))
    const questionParams = { ...params, questionId: world.questionId }
    const [shownItem] = (await teacher.send(listRubricItems, { params: questionParams })).body
    expect(shownItem?.text).toBe('Not as [STUDENT] says.')
    const bank = (await teacher.send(searchCommentBank, { params: questionParams, query: { search: 'ask' } })).body
    expect(bank).toMatchObject([{ text: 'Ask [STUDENT].' }])
    const upload = (name: string, text: string) => ({
      name: `${name}.pdf`,
      bytes: drawPaper({ full_name: name }, [text, 'A', '1']),
    })
    const uploads = await Promise.all(
      [upload('zeta-vandermark', 'First of two.'), upload('alpha-vandermark', 'Second of two.')].map(async (one) => ({
        ...one,
        bytes: await one.bytes,
      })),
    )
    const { check } = (await teacher.send(getAccuracyCheck, { params })).body
    const rules = { late_penalty: null, adjustment: { kind: 'shift' as const, points_percent: 1 } }
    const replies = [
      await teacher.send(previewScoreRules, { params, body: rules }),
      await teacher.send(setScoreRules, { params, body: { ...rules, version: 0 } }),
      await teacher.send(waiveLatePenalty, { params: ids, body: { waived: true } }),
      await teacher.send(overrideGrade, { params: { ...ids, gradeId }, body: override }),
      await teacher.send(correctAnswer, {
        params: { ...ids, questionId: answer?.question_id ?? '' },
        body: { text: `${answer?.text} Yes.`, revision: answer?.revision ?? 0 },
      }),
      await teacher.send(changeRubricItem, {
        params: { ...params, questionId: world.questionId, itemId: world.item.id },
        body: { ...world.item, text: `${shownItem?.text} Read on.` },
      }),
      // Next to no error is allowed, so the whole class is flagged.
      await teacher.send(flagReviewList, { params, body: { check_id: check?.id ?? 0, limit: 2 } }),
      await teacher.send(listRegrades, { params: ids }),
      await teacher.send(answerRegrade, { params: { ...ids, regradeId }, body: { answer: 'It stays, Zebulon.' } }),
      await teacher.send(uploadSubmissions, { params, body: { are_handwritten: [] }, files: { files: uploads } }),
      await teacher.send(uploadSubmission, { params, body: {}, files: { file: uploads.slice(0, 1) } }),
      await teacher.send(matchSubmissions, { params }),
      await teacher.send(publishAssignment, { params }),
      ...(await approveAndUndo()),
    ]
    for (const reply of replies) {
      expect(reply.status, reply.text).toBeLessThan(300)
      expect(secretsIn(reply.text)).toEqual([])
    }
    const file = [
      { name: 'vandermark.pdf', bytes: await drawPaper({ full_name: 'Ottoline Vandermark' }, correctAnswers) },
    ]
    const [, , third] = world.students
    if (third) await api.as(third).send(handInPaper, { params, body: {}, files: { file } })
    await expect.poll(() => events.filter((event) => event.includes('submission_changed')).length).toBeGreaterThan(3)
    expect(events.filter((event) => secretsIn(event).length > 0)).toEqual([])
    const stored = await AnswersModel.findById(ids.submissionId).lean()
    expect(stored?.extracted.answers.map(({ text }) => text).join(' ')).toMatch(/Zebulon Quackenbush thinks .* Yes\./)
    const [student] = world.students
    if (!student) throw new Error('a student')
    const seen = await api.as(student).send(getStudentAssignment, { params })
    expect(seen.text).toContain('Well done, Zebulon Quackenbush! Read on.')
    expect(seen.text).toContain('Not as Zebulon Quackenbush says. Read on.')
  })

  it('names nobody in the list of answers that a granted regrade would change', async () => {
    const assignment = await AssignmentModel.findById(world.assignmentId).lean()
    const amendment = await RubricAmendmentModel.findById(world.amendmentId).lean()
    if (!assignment || !amendment) throw new Error('an assignment with an amendment')
    const answers = world.submissionIds.map((submission_id) => ({
      submission_id,
      grade_id: 1,
      before: {},
      after: {},
      by: 'group' as const,
      decided: null,
      decided_by: null,
      released: true,
      whole_score: false,
    }))
    const listed = await presentPreview(assignment, amendment, answers, server.running.services)
    expect(listed.answers).toHaveLength(world.submissionIds.length)
    expect(secretsIn(JSON.stringify(listed))).toEqual([])
  })

  it('covers names in pages, and sends a PDF of those pictures: no text in it, and no name when it is read', async () => {
    const { assignmentId, submissionIds } = world
    const folder = await mkdtemp(join(tmpdir(), 'assay-covered-'))
    const texts: string[] = []
    for (const submissionId of submissionIds) {
      const paper = `/assignments/${assignmentId}/submissions/${submissionId}`
      const pdf = await fetchBytes(`${paper}/file`)
      expect(pdf.includes('/Font')).toBe(false)
      const file = join(folder, `${submissionId}.pdf`)
      await writeFile(file, pdf)
      const { pages } = await server.running.services.papers.read(file)
      texts.push(pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n'))
      expect(await greyShare(await fetchBytes(`${paper}/pages/1.png?width=600`))).toBeGreaterThan(0.03)
    }
    await rm(folder, { recursive: true })
    expect(texts.flatMap(secretsIn)).toEqual([])
    expect(texts.filter((text) => /float on water/.test(text))).toHaveLength(submissionIds.length)
  })

  it('shows no name in any cut of a page around an answer', async () => {
    const { text, pictures } = await readAnswerPictures()
    // Three questions of three papers, one with answers on either page.
    expect(pictures).toBeGreaterThanOrEqual(9)
    expect(secretsIn(text)).toEqual([])
    expect(text).toMatch(/float on water/)
  })

  it('sorts by paper number where sorting by name or upload would tell, and finds nobody by name', async () => {
    const teacher = api.as(world.owner)
    const params = { assignmentId: world.assignmentId }
    const labels = async (query: object) =>
      (await teacher.send(listSubmissions, { params, query })).body.map((row) => row.student_identifier)
    const all = await labels({})
    expect(all.every((label) => /^Paper \d{3,}$/.test(label))).toBe(true)
    expect(all).toEqual([...all].sort())
    expect(await labels({ sort: 'student' })).toEqual(all)
    expect(await labels({ search: 'Quackenbush' })).toEqual([])
    expect(await labels({ search: all[1] ?? '' })).toEqual([all[1]])
  })

  it('refuses what names students by its nature, and leaves the assignment out of what is said of each student', async () => {
    const teacher = api.as(world.owner)
    const params = { assignmentId: world.assignmentId }
    const student_id = world.students[0]?.id ?? 0
    const refused = [
      await teacher.send(listMatches, { params }),
      await teacher.send(listExtensions, { params }),
      await teacher.send(setSubmissionStudent, { params: world.ids, body: { student_id } }),
      await teacher.send(acceptMatches, { params, body: { accepted: [{ submission_id: 1, student_id }] } }),
    ]
    expect(refused.map(({ status, body }) => [status, body.error_code])).toEqual(Array(4).fill([409, 'names_hidden']))
    const figures = await teacher.send(listStudentPerformance, { params: { courseId: world.courseId } })
    expect(figures.body.map((one) => [one.total_assignments, one.last_activity])).toEqual(Array(3).fill([0, null]))
    const audit = await api.as(world.admin).send(listAudit, { query: { person: 'Quackenbush', limit: 500 } })
    expect(auditOfAssignment(audit.body)).toBe('[]')
  })
})

describe('once names are shown', () => {
  it('shows them again, keeps the labels for the next time, and tells who showed them', async () => {
    const teacher = api.as(world.owner)
    const params = { assignmentId: world.assignmentId }
    const list = async () => (await teacher.send(listSubmissions, { params })).body
    const labels = new Map((await list()).map(({ id, student_identifier }) => [id, student_identifier]))
    expect((await hideNames(false)).body.anonymous).toMatchObject({ names_hidden: false, times_shown: 1 })
    const named = await readEverything(world.owner)
    for (const name of [
      'listSubmissions',
      'getSubmission',
      'getSubmissionFile',
      'getTranscription',
      'getGradeHistory',
      'exportGradeHistory',
      'exportGrades',
      'listMatches',
      'listExtensions',
      'listRegrades',
      'getQuestion',
      'getAnswer',
    ])
      expect(Object.keys(named)).toContain(name)
    // Names would be read if they were there.
    expect(secretsIn((await readAnswerPictures()).text)).toContain('Quackenbush')
    await hideNames(true)
    expect((await list()).every((row) => labels.get(row.id) === row.student_identifier)).toBe(true)
    const twice = await Promise.all([hideNames(false), hideNames(false)])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await teacher.send(getAssignment, { params })
    expect(body.anonymous).toMatchObject({ times_shown: 2, last_shown: { by_name: world.owner.username } })
    const audit = async (action: string) =>
      (await api.as(world.admin).send(listAudit, { query: { action } })).body.map(({ actor }) => actor.id)
    expect(await audit('names.shown')).toEqual([world.owner.id, world.owner.id])
    expect(await audit('names.hidden')).toEqual([world.owner.id, world.owner.id])
  })
})

/** From the pictures of all answers, each a page of one PDF. */
async function readAnswerPictures(): Promise<{ text: string; pictures: number }> {
  const { assignmentId, submissionIds, owner } = world
  const teacher = api.as(owner)
  const { body: questions } = await teacher.send(listQuestions, { params: { assignmentId } })
  const pdf = await PDFDocument.create({ updateMetadata: false })
  for (const { question_id } of questions)
    for (const submissionId of submissionIds) {
      const params = { assignmentId, questionId: question_id, submissionId }
      const { body } = await teacher.send(getAnswer, { params })
      for (const { picture } of body.pictures) {
        const reply = await teacher.send(getAnswerPicture, { params: { ...params, picture } })
        const image = await pdf.embedPng(reply.bytes)
        const { width, height } = image.scale(595 / image.width)
        pdf.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height })
      }
    }
  const folder = await mkdtemp(join(tmpdir(), 'assay-cut-'))
  const file = join(folder, 'answers.pdf')
  await writeFile(file, await pdf.save())
  const { pages } = await server.running.services.papers.read(file)
  await rm(folder, { recursive: true })
  return { text: pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n'), pictures: pdf.getPageCount() }
}

async function fetchBytes(path: string): Promise<Buffer> {
  const token = await api.as(world.owner).token()
  const reply = await fetch(`${server.running.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}

/** 0..1: how much of the picture has a cover's colour. */
async function greyShare(png: Buffer): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let covered = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const [r, g, b] = [data[at], data[at + 1], data[at + 2]]
    if (r === 0xb8 && g === 0xb8 && b === 0xb8) covered++
  }
  return covered / (info.width * info.height)
}
