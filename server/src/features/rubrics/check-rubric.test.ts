import { getAssignment } from '@assay/shared/assignments.ts'
import { checkRubric, getPaperText, getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { estimateRun } from '@assay/shared/runs.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { buildEmptyAssignment, buildGraded, correctAnswers } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { textInBox } from './rubric.routes.ts'
import { replaceRubric } from './rubric.service.ts'

const { api } = useTestApi()

const region = { page: 1, box: { x: 40, y: 100, width: 400, height: 60 } }

function question(number: string, expected: string): Question {
  const id = `q${number}`
  const criteria = [{ id, text: 'What is asked', points: 5, expected, alternatives: [] }]
  return { id, number, prompt: 'What is it?', kind: 'text', criteria, regions: [region] }
}

/** 2 has no answer; the paper prints 20 points. */
const open: Rubric = {
  questions: [question('1', 'ice'), question('2', ''), question('4', 'steam')],
  problems: [],
  printed_totals: [{ number: null, points: 20, question_ids: [] }],
}

async function build() {
  const { instructor, assignmentId, params } = await buildGraded(api, [correctAnswers], { graded: false })
  const saved = await save(instructor, assignmentId, 0, open)
  return { instructor, assignmentId, params, rubric: rubricOf(saved.body) }
}

const save = (instructor: Person, assignmentId: number, version: number, rubric: Rubric) =>
  api.as(instructor).send(saveRubric, { params: { assignmentId }, body: { version, rubric } })

function rubricOf({ rubric }: { rubric: Rubric | null }): Rubric {
  if (!rubric) throw new Error('no rubric')
  return rubric
}

const codes = ({ problems }: Pick<Rubric, 'problems'>) => problems.map(({ code }) => code)

describe('the problems of a rubric', () => {
  it('are told by the server whatever a client says, and go when they are put right', async () => {
    const { instructor, assignmentId, rubric } = await build()
    expect(codes(rubric)).toEqual(['number_missing', 'points_total', 'no_answer'])
    const questions = [question('1', 'ice'), question('2', 'water'), question('3', 'steam')]
    const fixed = await save(instructor, assignmentId, 1, { ...rubric, questions })
    expect(rubricOf(fixed.body).problems).toMatchObject([
      { code: 'points_total', message: 'The paper says 20 points, the questions add up to 15.', points: 5 },
    ])
    const claimed = { id: 'general/x', code: 'general' as const, message: 'Made up', points: 0 }
    const again = await save(instructor, assignmentId, 2, { ...rubric, questions, problems: [claimed] })
    expect(codes(rubricOf(again.body))).toEqual(['points_total'])
  })

  it('stay dismissed once a teacher says that they are fine, and a run is not asked about them', async () => {
    const { instructor, assignmentId, params, rubric } = await build()
    const estimate = async () => (await api.as(instructor).send(estimateRun, { params, body: {} })).body
    expect(codes(await estimate())).toEqual(['number_missing', 'points_total', 'no_answer'])
    const problems = rubric.problems.map((problem) =>
      problem.code === 'points_total' ? problem : { ...problem, dismissed: true as const },
    )
    await save(instructor, assignmentId, 1, { ...rubric, problems })
    const stored = rubricOf((await api.as(instructor).send(getRubric, { params })).body)
    expect(stored.problems).toEqual(problems)
    expect(codes(await estimate())).toEqual(['points_total'])
  })

  it('of a rubric stored as sentences are remarks, of their question where they name one', async () => {
    const { instructor, assignmentId, params } = await build()
    const sentences = ['Question 2: no answer was found in the key.', 'The questions add up to 15 points.']
    await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { 'rubric.problems': sentences } })
    const { body } = await api.as(instructor).send(getRubric, { params })
    const rubric = rubricOf(body)
    expect(rubric.problems).toMatchObject([
      { code: 'general', question_id: 'q2', message: sentences[0], points: 5 },
      { code: 'general', message: sentences[1], points: 0 },
    ])
    const saved = await save(instructor, assignmentId, 1, {
      ...rubric,
      questions: [question('1', 'ice'), question('2', 'water')],
    })
    expect(rubricOf(saved.body).problems).toMatchObject([{ message: sentences[1] }, { code: 'points_total' }])
  })
})

describe('the teacher’s word that a rubric is right', () => {
  const check = (instructor: Person, assignmentId: number, version: number, checked = true) =>
    api.as(instructor).send(checkRubric, { params: { assignmentId }, body: { version, checked } })

  it('is stored with who gave it, shown with the assignment, and can be taken back', async () => {
    const { instructor, assignmentId, params } = await build()
    const isChecked = async () => (await api.as(instructor).send(getAssignment, { params })).body.rubric_checked
    expect(await isChecked()).toBeUndefined()
    const given = await check(instructor, assignmentId, 1)
    expect(given.body).toMatchObject({ version: 1, checked: { by_name: instructor.username } })
    expect(await isChecked()).toBe(true)
    expect((await check(instructor, assignmentId, 1, false)).body.checked).toBeNull()
    expect(await isChecked()).toBeUndefined()
    const logged = await AuditModel.find({ 'subject.assignment_id': assignmentId, action: /^rubric\..*checked/ }).lean()
    expect(logged.map(({ action, after }) => [action, after])).toMatchObject([
      ['rubric.checked', { version: 1, open_problems: 3 }],
      ['rubric.unchecked', { version: 1, open_problems: 3 }],
    ])
  })

  it('outlives a teacher’s own change, but not a rubric read anew, and is never given to another version', async () => {
    const { instructor, assignmentId, rubric } = await build()
    expect((await check(instructor, assignmentId, 7)).status).toBe(409)
    await check(instructor, assignmentId, 1)
    const changed = { ...rubric, questions: rubric.questions.slice(0, 2) }
    expect((await save(instructor, assignmentId, 1, changed)).body.checked).not.toBeNull()
    const stored = await AssignmentModel.findById(assignmentId).lean()
    if (!stored) throw new Error('an assignment')
    const made = { by: 'rules' as const, user_id: null, name: null, note: '', at: new Date() }
    const put = await replaceRubric(stored, rubric, made)
    expect(put.rubric_check).toBeNull()
  })

  it('cannot be given where there is none', async () => {
    const { instructor, assignmentId } = await buildEmptyAssignment(api)
    expect((await check(instructor, assignmentId, 0)).status).toBe(404)
  })
})

describe('the words in a rectangle', () => {
  const line = (text: string, y: number, cells?: { text: string; x: number; width: number }[]) => ({
    text,
    box: { x: 50, y, width: 300, height: 12 },
    source: 'text' as const,
    confidence: 1,
    ...(cells ? { cells } : {}),
  })
  const lines = [
    line('Ice floats on water', 100),
    line('2 copper 1', 120, [
      { text: '2', x: 50, width: 8 },
      { text: 'copper', x: 100, width: 60 },
      { text: '1', x: 340, width: 8 },
    ]),
    { ...line('never seen', 140), hidden: 'tiny' as const },
  ]

  it('are its lines, of a table its cells, of a line cut through the words inside', () => {
    expect(textInBox(lines, { x: 0, y: 90, width: 600, height: 100 })).toBe('Ice floats on water\n2 copper 1')
    expect(textInBox(lines, { x: 90, y: 115, width: 100, height: 20 })).toBe('copper')
    expect(textInBox(lines, { x: 40, y: 95, width: 160, height: 20 })).toBe('Ice floats')
    expect(textInBox(lines, { x: 0, y: 300, width: 600, height: 20 })).toBe('')
  })

  it('come from the stored reading of the key', async () => {
    const { instructor, params } = await build()
    const textOf = (which: 'blank' | 'key', page: number) =>
      api
        .as(instructor)
        .send(getPaperText, { params: { ...params, which }, query: { page, x: 0, y: 0, width: 600, height: 900 } })
    expect((await textOf('key', 1)).body.text).toContain('144')
    expect((await textOf('blank', 1)).body.text).not.toContain('144')
    expect((await textOf('key', 99)).body.text).toBe('')
  })
})
