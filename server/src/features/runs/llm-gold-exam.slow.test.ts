import { createAssignment } from '@assay/shared/assignments.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, expect, it } from 'vitest'
import { answerAsGold, type GoldExam, type GoldMark } from '../../../../tests/fake-llm/answers/gold-exam.ts'
import {
  buildCourse,
  buildPerson,
  correctAnswers,
  drawHandwrittenQuizPaper,
  drawPaper,
  gradeAssignment,
  quizFiles,
  smallQuiz,
  weakAnswers,
} from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const marks: GoldMark[] = []
const fake = useFakeLlm()
beforeAll(async () => chooseFakeLlm(api.as(await buildPerson('admin')), fake))

const half = ['It is lighter than the water below it, I think.', 'B', '12 x 12 = 124']
const papers = [
  { file: 'typed.pdf', name: 'Ada Byron', byHand: false, answers: correctAnswers, scores: [10, 5, 5] },
  { file: 'typed-half.pdf', name: 'Ben Okri', byHand: false, answers: half, scores: [6, 5, 2] },
  { file: 'by-hand.pdf', name: 'Cleo Marsh', byHand: true, answers: half.with(1, 'C'), scores: [6, 0, 2] },
  {
    file: 'by-hand-weak.pdf',
    name: 'Dora Quist',
    byHand: true,
    answers: ['', 'A', weakAnswers[2] ?? ''],
    scores: [0, 0, 0],
  },
]
const gold: GoldExam = {
  questions: smallQuiz.questions.map(({ number, prompt, points, answer }, i) => ({
    number,
    prompt,
    points,
    kind: ['text', 'choice', 'number'][i] ?? 'text',
    expected: answer,
    accept: [],
  })),
  students: papers.map(({ file, answers, scores }) => ({
    file,
    answers: answers.map((text, i) => ({ number: String(i + 1), text, score: scores[i] ?? 0 })),
  })),
}

it('loses nothing between page, region, question and grade with an LLM that is right', {
  timeout: 240_000,
}, async () => {
  fake.answerers.push(answerAsGold(gold, marks))
  const drawn = await Promise.all(
    papers.map(async ({ file, name, byHand, answers }) => {
      const draw = byHand ? drawHandwrittenQuizPaper : drawPaper
      const bytes = await draw({ full_name: name }, answers)
      await fake.pages.learnPaper(bytes, [file])
      return { name: file, bytes }
    }),
  )
  const { instructor } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const { blank, key } = await quizFiles()
  const created = await teacher.send(createAssignment, {
    body: { name: 'Gold', student_submissions_are_handwritten: papers.map(({ byHand }) => byHand) },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: drawn },
  })
  const assignmentId = created.body.id
  expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({ graded: papers.length, failed: 0 })
  const rows = (await teacher.send(listSubmissions, { params: { assignmentId } })).body
  const totals = await Promise.all(
    papers.map(async ({ file }) => {
      const submissionId = rows.find(({ file_name }) => file_name === file)?.id ?? 0
      return (await teacher.send(getSubmission, { params: { assignmentId, submissionId } })).body.overall_score
    }),
  )
  const percent = papers.map(({ scores }) => (100 * scores.reduce((sum, score) => sum + score, 0)) / 20)
  expect(totals).toEqual(percent)
  expect(marks.map(({ likeness }) => likeness)).toEqual(marks.map(() => 1))
  expect(fake.requests.reduce((sum, { asked }) => sum + asked.pictures.length, 0)).toBe(2)
})
