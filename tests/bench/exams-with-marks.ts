/**
 * `npx node tests/bench/exams-with-marks.ts FOLDER [PART OF A NAME …]`: how far totals are off once three answers of
 * each question have been marked as the gold marks say. Each exam is a folder with `exam.json` (questions with `number`
 * and `points`, students with `file`, `medium` and the `score` of each answer), `blank.pdf`, `key.pdf` and the papers.
 * Essays, drawings, what has no score and papers with an `expect_flag` are left out.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { decideAnswers, getQuestion, listQuestions, type QuestionToGrade } from '@assay/shared/questions.ts'
import { z } from 'zod'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import { buildPerson, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { createTestApi, startTestServer } from '../../server/src/testing/server.ts'

const Exam = z.object({
  questions: z.array(z.object({ number: z.string(), points: z.number(), kind: z.string() })),
  students: z.array(
    z.object({
      file: z.string(),
      medium: z.string(),
      handwritten: z.boolean().optional(),
      expect_flag: z.string().optional(),
      answers: z.array(z.object({ number: z.string(), score: z.number() })),
    }),
  ),
})

const MARKS = 3
const MOST_OFF = 8
const LEFT_OUT = new Set(['essay', 'drawing'])
const LEARNING_MS = 120_000

/** “01.2”, “Q1 (b)(ii)”: the parts of a number, in small letters. */
const partsOf = (number: string) =>
  (
    number
      .toLowerCase()
      .replace(/^q(?:uestion)?\s*/, '')
      .match(/\d+|[a-z]+/g) ?? []
  )
    .map((part) => (/^\d+$/.test(part) ? String(Number(part)) : part))
    .filter((part) => part !== '0')
    .join(' ')

const [folder, ...names] = process.argv.slice(2)
if (!folder) {
  console.error('usage: npx node tests/bench/exams-with-marks.ts FOLDER [PART OF A NAME …]')
  process.exit(2)
}

const dataDir = await mkdtemp(join(tmpdir(), 'assay-exams-'))
const running = await startTestServer(dataDir, { LOG_LEVEL: 'fatal', NODE_ENV: 'development' })
const api = createTestApi({ running })
try {
  const exams = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'exam.json')))
    .filter((name) => names.length === 0 || names.some((part) => name.includes(part)))
    .sort()
  const all: number[] = []
  let [marked, answers] = [0, 0]
  for (const name of exams) {
    const result = await measureExam(join(folder, name))
    all.push(...result.off)
    marked += result.marked
    answers += result.answers
    console.log(`${name.padEnd(34)} ${figures(result.off)}, ${result.marked} of ${result.answers} answers marked`)
  }
  console.log(`${'all'.padEnd(34)} ${figures(all)}, ${marked} of ${answers} answers marked; goal: at most ${MOST_OFF}`)
} finally {
  await running.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function figures(off: readonly number[]): string {
  if (off.length === 0) return 'no totals'
  const mean = off.reduce((sum, one) => sum + one, 0) / off.length
  return `${off.length} totals off by ${mean.toFixed(1)} of 100 on average, ${Math.max(...off).toFixed(1)} at most`
}

/** In points of 100. */
async function measureExam(exam: string): Promise<{ off: number[]; marked: number; answers: number }> {
  const { questions, students } = Exam.parse(JSON.parse(readFileSync(join(exam, 'exam.json'), 'utf8')))
  const instructor = await buildPerson('instructor')
  const teacher = api.as(instructor)
  const pdf = (file: string) => ({ name: basename(file), bytes: readFileSync(join(exam, file)) })
  const { body: created } = await teacher.send(createAssignment, {
    body: {
      name: basename(exam),
      student_submissions_are_handwritten: students.map(
        ({ medium, handwritten }) => medium === 'handwriting' || handwritten === true,
      ),
    },
    files: {
      blank_pdf: [pdf('blank.pdf')],
      answer_key_pdf: [pdf('key.pdf')],
      student_submission_pdfs: students.map(({ file }) => pdf(file)),
    },
  })
  await gradeAssignment(api, instructor, created.id)
  const params = { assignmentId: created.id }
  const rows = await SubmissionModel.find({ assignment_id: created.id }).lean()
  const idOf = new Map(rows.map(({ _id, file }) => [file.name, _id]))
  const goldOf = new Map(questions.map((one) => [partsOf(one.number), one]))
  const totals = new Map<number, { ours: number; gold: number; of: number }>()
  let [marked, answers] = [0, 0]
  const { body: asked } = await teacher.send(listQuestions, { params })
  for (const { question_id: questionId, number, kind } of asked) {
    const gold = goldOf.get(partsOf(number))
    if (!gold || LEFT_OUT.has(gold.kind) || LEFT_OUT.has(kind)) continue
    const shares = new Map(
      students.flatMap(({ file, expect_flag, answers: own }) => {
        const id = idOf.get(basename(file))
        const score = own.find((one) => one.number === gold.number)?.score
        return id === undefined || score === undefined || expect_flag ? [] : [[id, score / gold.points] as const]
      }),
    )
    const at = { ...params, questionId }
    for (let i = 0; i < MARKS; i++) {
      const now = await settled(at)
      const next = nextToMark(now, shares)
      if (next === null) break
      const points = pointsOf(now.question, shares.get(next) ?? 0)
      await teacher.send(decideAnswers, {
        params: at,
        body: { answers: [{ submission_id: next, decided: null }], points },
      })
      marked++
    }
    const after = await settled(at)
    answers += after.answers.length
    for (const answer of after.answers) {
      const share = shares.get(answer.submission_id)
      const given = after.question.criteria.map(({ id }) => answer.decided?.[id] ?? answer.suggested[id])
      if (share === undefined || given.some((one) => one === undefined)) continue
      const ours = given.reduce<number>((sum, one) => sum + (one ?? 0), 0) / after.question.points
      const total = totals.get(answer.submission_id) ?? { ours: 0, gold: 0, of: 0 }
      totals.set(answer.submission_id, {
        ours: total.ours + ours * gold.points,
        gold: total.gold + share * gold.points,
        of: total.of + gold.points,
      })
    }
  }
  return { off: [...totals.values()].map(({ ours, gold, of }) => (100 * Math.abs(ours - gold)) / of), marked, answers }

  async function settled(at: { assignmentId: number; questionId: string }): Promise<QuestionToGrade> {
    for (const began = performance.now(); ; ) {
      const { body } = await teacher.send(getQuestion, { params: at })
      if (!body.learning) return body
      if (performance.now() - began > LEARNING_MS) throw new Error('decisions are still being carried')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** What the grader names first, else the undecided answer it is least sure of. */
function nextToMark({ mark_first, answers }: QuestionToGrade, known: ReadonlyMap<number, number>): number | null {
  const open = answers.filter(({ submission_id, decided }) => decided === null && known.has(submission_id))
  const named = mark_first.find((id) => open.some(({ submission_id }) => submission_id === id))
  return named ?? open.toSorted((a, b) => a.confidence - b.confidence)[0]?.submission_id ?? null
}

/** Given to the criteria one after the other. */
function pointsOf({ criteria, points }: QuestionToGrade['question'], share: number): Record<string, number> {
  let left = Math.round(share * points * 4) / 4
  return Object.fromEntries(
    criteria.map(({ id, points: most }) => {
      const given = Math.min(most, left)
      left -= given
      return [id, given]
    }),
  )
}
