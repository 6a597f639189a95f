import { publishAssignment } from '@assay/shared/assignments.ts'
import { exportGradedPapers, getGradedPaper, getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import type { Grade } from '@assay/shared/grades.ts'
import type { Paper } from '@assay/shared/papers.ts'
import { answerRegrade, requestRegrade } from '@assay/shared/regrades.ts'
import { setScoreRules } from '@assay/shared/score-rules.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import {
  buildAssignment,
  buildCourse,
  buildGraded,
  buildPerson,
  buildStudent,
  correctAnswers,
  decideGrade,
  drawPaper,
  gradeAssignment,
  weakAnswers,
} from '../../testing/build-course.ts'
import { usePaperFolder } from '../../testing/cached-paper-reader.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { createUniqueNames, paperName, safeFileName } from './graded-paper.service.ts'

const { api, server } = useTestApi()
const folder = usePaperFolder()

const readPdf = async (bytes: Uint8Array): Promise<Paper> =>
  server.running.services.papers.read(await folder.put(Buffer.from(bytes)))
const textOf = (paper: Paper, page?: number) =>
  paper.pages
    .filter(({ number }) => page === undefined || number === page)
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join('\n')

/** Ada's answers are right, Ben's are weak; Ben's second name is written with letters of two scripts. */
async function buildTwo() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const ada = await buildStudent(courseId, { full_name: 'Ada Łukasz', student_number: '1001' })
  const ben = await buildStudent(courseId, { full_name: 'Ben Дмитриев', student_number: '1002' })
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${ada.username}.pdf`, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
    { name: `${ben.username}.pdf`, bytes: await drawPaper({ full_name: 'Ben' }, weakAnswers) },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  const [adas = 0, bens = 0] = submissionIds
  const open = async (submissionId: number) => {
    const { body } = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    if (!body.grade) throw new Error('graded')
    return { ...body, grade: body.grade }
  }
  const override = (submissionId: number, overall_score: number | null, human_review_notes: string) =>
    decideGrade(api.as(instructor), { assignmentId, submissionId }, { overall_score, human_review_notes })
  const publish = () => api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  return { instructor, ada, ben, assignmentId, adas, bens, open, override, publish }
}

const teachersCopy = (teacher: Person, assignmentId: number, submissionId: number) =>
  api.as(teacher).send(getGradedPaper, { params: { assignmentId, submissionId } })
const ownCopy = (student: Person, assignmentId: number) =>
  api.as(student).send(getOwnGradedPaper, { params: { assignmentId } })

function expectPointsInPlace(paper: Paper, grade: Grade, covers: number) {
  const placed = grade.criterion_grades_collection.filter(({ evidence }) => evidence.length > 0)
  expect(placed.length).toBeGreaterThan(0)
  for (const { score, teacher_score, max_score, evidence } of placed) {
    const [place] = evidence
    if (!place) continue
    const { page, box } = place
    const marks = (paper.pages[covers + page - 1]?.lines ?? []).filter(({ text, box: at }) => {
      const middle = at.y + at.height / 2
      return (
        text.includes(`${teacher_score ?? score} / ${max_score}`) && middle >= box.y && middle <= box.y + box.height
      )
    })
    expect(marks, `${score} / ${max_score} at ${box.y}`).toHaveLength(1)
  }
}

describe('the graded paper', () => {
  it('has the points where the evidence is, and a summary in front', async () => {
    const { instructor, assignmentId, bens, open } = await buildTwo()
    const reply = await teachersCopy(instructor, assignmentId, bens)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    const paper = await readPdf(reply.bytes)
    const { grade, page_count } = await open(bens)
    const covers = paper.pages.length - (page_count ?? 0)
    expect(covers).toBe(1)
    expectPointsInPlace(paper, grade, covers)
    const cover = textOf(paper, 1)
    expect(cover).toContain('Water and heat')
    expect(cover).toContain('Ben Дмитриев (1002)')
    expect(cover).toContain(`${grade.overall_score?.toFixed(1)} %`)
    expect(cover).toContain(`${grade.points?.given} of 20 points`)
    for (const { llm_feedback } of grade.criterion_grades_collection)
      expect(cover.replaceAll('\n', ' ')).toContain(llm_feedback.slice(0, 40))
    expect(textOf(paper, 2)).toContain('Because it is cold and hard.')
  })

  it('says to a teacher that a grade is not released, and nothing of what is for teachers only', async () => {
    const { instructor, assignmentId, bens, open, publish } = await buildTwo()
    const before = textOf(await readPdf((await teachersCopy(instructor, assignmentId, bens)).bytes))
    expect(before).toContain('Not released yet')
    const { grade } = await open(bens)
    for (const { reasoning } of grade.criterion_grades_collection)
      if (reasoning) expect(before).not.toContain(reasoning.slice(0, 30))
    for (const { message } of grade.review_reasons) expect(before).not.toContain(message.slice(0, 30))
    await publish()
    const after = textOf(await readPdf((await teachersCopy(instructor, assignmentId, bens)).bytes))
    expect(after).not.toContain('Not released yet')
  })

  it('is there for its student once released, with the score and the words that were released', async () => {
    const { ada, ben, assignmentId, bens, override, publish } = await buildTwo()
    expect((await ownCopy(ben, assignmentId)).status).toBe(404)
    await override(bens, 55, 'A good start, Ben: ω = √(k/m) is next.')
    await publish()
    const text = textOf(await readPdf((await ownCopy(ben, assignmentId)).bytes))
    expect(text).toContain('55.0 %')
    expect(text).toContain('A good start, Ben: ω = √(k/m) is next.')
    expect(text).toContain('Your instructor’s feedback')
    expect(text).toContain('Reviewed by your instructor.')
    expect(textOf(await readPdf((await ownCopy(ada, assignmentId)).bytes))).not.toContain('Ben')
    expect((await ownCopy(await buildPerson('student'), assignmentId)).status).toBe(404)
  })

  it('shows a student what is released, and not what has changed since', async () => {
    const { instructor, ben, assignmentId, bens, publish } = await buildTwo()
    await publish()
    const released = textOf(await readPdf((await ownCopy(ben, assignmentId)).bytes))
    // Graded again, and not released.
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [bens], force: true })
    expect(textOf(await readPdf((await ownCopy(ben, assignmentId)).bytes))).toBe(released)
    expect(textOf(await readPdf((await teachersCopy(instructor, assignmentId, bens)).bytes))).toContain(
      'Not released yet',
    )
  })

  it('tells what came of a regrade request', async () => {
    const { instructor, ben, assignmentId, bens, override, publish } = await buildTwo()
    await publish()
    const asked = await api
      .as(ben)
      .send(requestRegrade, { params: { assignmentId }, body: { reason: 'Cold things are denser.' } })
    expect(textOf(await readPdf((await ownCopy(ben, assignmentId)).bytes))).toContain('Not answered yet.')
    await override(bens, 40, 'See above')
    await api
      .as(instructor)
      .send(answerRegrade, {
        params: { assignmentId, submissionId: bens, regradeId: asked.body.id },
        body: { answer: 'Half a point for that.' },
      })
    const text = textOf(await readPdf((await ownCopy(ben, assignmentId)).bytes)).replaceAll('\n', ' ')
    expect(text).toContain('Cold things are denser.')
    expect(text).toContain('Half a point for that.')
    expect(text).toMatch(/changed from [\d.]+ % to 40\.0 %/)
  })

  it('is a summary alone where the file is gone, and says so', async () => {
    const { instructor, assignmentId, bens } = await buildTwo()
    const { papers } = server.running.services
    const localPath = server.running.services.files.localPath
    server.running.services.files.localPath = async () => '/nowhere/paper.pdf'
    const reply = await teachersCopy(instructor, assignmentId, bens)
    server.running.services.files.localPath = localPath
    const paper = await papers.read(await folder.put(reply.bytes))
    expect(textOf(paper)).toContain('The paper could not be opened')
  })
})

describe('all graded papers as ZIP', () => {
  it('have names of their own by surname, each with its grade', async () => {
    const { instructor, assignmentId } = await buildTwo()
    const reply = await api.as(instructor).send(exportGradedPapers, { params: { assignmentId } })
    expect(reply.headers.get('x-total-count')).toBe('2')
    const files = unzipSync(new Uint8Array(reply.bytes))
    expect(Object.keys(files)).toEqual(['Łukasz, Ada (1001).pdf', 'Дмитриев, Ben (1002).pdf'])
    const [adas = new Uint8Array()] = Object.values(files)
    expect(textOf(await readPdf(adas))).toContain('Ada Łukasz (1001)')
  })

  it('answers 404 while nothing is graded', async () => {
    const { teacher, params } = await buildGraded(api, [correctAnswers], { graded: false })
    const reply = await teacher.send(exportGradedPapers, { params })
    expect(reply).toMatchObject({ status: 404, body: { message: 'There are no graded papers yet.' } })
  })
})

it('says on the cover how the score came from the one as graded', async () => {
  const { instructor, ada, assignmentId, adas, override, publish } = await buildTwo()
  await override(adas, 72, 'Good.')
  const rules = { late_penalty: null, adjustment: { kind: 'shift' as const, points_percent: 5 } }
  await api.as(instructor).send(setScoreRules, { params: { assignmentId }, body: { ...rules, version: 0 } })
  await publish()
  for (const copy of [await ownCopy(ada, assignmentId), await teachersCopy(instructor, assignmentId, adas)]) {
    const cover = textOf(await readPdf(copy.bytes), 1).replace(/\u00a0/g, ' ')
    expect(cover).toContain('77.0 %')
    expect(cover).toContain('As graded: 14.4 of 20 points (72.0 %)')
    expect(cover).toContain('All scores +5 %: +1 point')
  }
})

const submission = { _id: 7, student_identifier: 'scan-07', created_at: new Date(0) }
const nameFor = (full_name: string | null, student_number: string | null = null) =>
  paperName({ submission, students: [{ full_name, username: 'lchen', student_number }] })

describe('the name of a paper', () => {
  it.each([
    ['Lucy Chen', 'Chen, Lucy'],
    ['Vincent van Gogh', 'van Gogh, Vincent'],
    ['Chen, Lucy', 'Chen, Lucy'],
    ['Plato', 'Plato'],
    ['王小明', '王小明'],
  ])('has the surname first: %s', (name, expected) => {
    expect(nameFor(name)).toBe(expected)
    expect(nameFor(name, '1001')).toBe(`${expected} (1001)`)
  })

  it('is the username or what the paper is called by where there is no name', () => {
    expect(nameFor(null)).toBe('lchen')
    expect(paperName({ submission, students: [] })).toBe('scan-07')
  })
})

describe('a file name', () => {
  it.each([
    ['../../etc/passwd', '-..-etc-passwd'],
    ['C:\\temp\\a', 'C--temp-a'],
    ['a\u0000b\u202ecod', 'abcod'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['...', 'Paper'],
    ['what?', 'what-'],
  ])('is safe on every system: %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected)
  })

  it('is not longer than file systems take', () => {
    expect(Buffer.byteLength(safeFileName('王'.repeat(300)))).toBeLessThan(250)
  })

  it('is unique, also where capitals do not count', () => {
    const unique = createUniqueNames()
    expect(['Chen, Lucy', 'chen, lucy', 'Chen, Lucy', 'Chen, Li'].map((name) => unique(name))).toEqual([
      'Chen, Lucy.pdf',
      'chen, lucy – 2.pdf',
      'Chen, Lucy – 3.pdf',
      'Chen, Li.pdf',
    ])
  })
})
