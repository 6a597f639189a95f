import { createAssignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getQuestion, type QuestionToGrade } from '@assay/shared/questions.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  buildAssignment,
  buildGradedPapers,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../../server/src/testing/build-course.ts'
import type { Person } from '../../../server/src/testing/server.ts'
import {
  type ClassPaper,
  type ClassQuiz,
  classNames,
  distributeAnswers,
  drawClassPaper,
} from '../../papers/classes/class-of-thirty.ts'
import { drawBlank, drawKey } from '../../papers/draw-papers.ts'
import type { DrawnAssignment } from '../../papers/drawn-assignment.ts'
import { enrol, type Product, registerPerson } from './product.ts'

/** With its blank and key, for papers to be printed and scanned. */
export async function buildClassWithPapers(
  product: Pick<Product, 'api' | 'dataDir'>,
  names: readonly string[],
  quiz: DrawnAssignment,
): Promise<{ teacher: Person; students: Person[]; params: { assignmentId: number } }> {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'noor', 'Noor Haddad')
  const course = await api.as(teacher).send(createCourse, { body: { name: 'Science 9a' } })
  const students = []
  for (const name of names) {
    const student = await registerPerson(api, 'student', name.split(' ')[0]?.toLowerCase() ?? '', name)
    await enrol(product, course.body.id, student)
    students.push(student)
  }
  const { body } = await api
    .as(teacher)
    .send(createAssignment, {
      body: { name: quiz.title, course_id: course.body.id },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
      },
    })
  return { teacher, students, params: { assignmentId: body.id } }
}

export interface ClassStudent extends Person {
  full_name: string
  submissionId: number
  paper: ClassPaper
}

export async function buildClassOfThirty(product: Product, grace: Person, quiz: ClassQuiz, seed: number) {
  const { api } = product
  const teacher = api.as(grace)
  const { body: course } = await teacher.send(createCourse, { body: { name: quiz.course } })
  const papers = distributeAnswers(quiz, seed)
  const people = await Promise.all(
    papers.map(async (paper, i) => {
      const full_name = classNames[i] ?? ''
      const username = full_name.toLowerCase().replace(' ', '-')
      const person = await registerPerson(api, 'student', username, full_name)
      await enrol(product, course.id, person)
      const bytes = await drawClassPaper(quiz, { full_name }, paper)
      return { person, full_name, paper, file: { name: `${person.username}.pdf`, bytes } }
    }),
  )
  const { body: assignment } = await teacher.send(createAssignment, {
    body: { name: quiz.title, course_id: course.id },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
      student_submission_pdfs: people.map(({ file }) => file),
    },
  })
  const params = { assignmentId: assignment.id }
  const { body: rows } = await teacher.send(listSubmissions, { params, query: { limit: 500 } })
  await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
  await gradeAssignment(api, grace, assignment.id)
  const students = people.map(({ person, full_name, paper }, i): ClassStudent => {
    return { ...person, full_name, paper, submissionId: rows[i]?.id ?? 0 }
  })
  return { courseId: course.id, assignmentId: assignment.id, students }
}

/** Files, queue and live updates must work together for it. */
export async function gradeOnePaper(product: Product): Promise<{ instructor: Person; assignmentId: number }> {
  const instructor = await registerPerson(product.api, 'instructor', 'grace')
  const { assignmentId } = await buildAssignment(product.api, { instructor }, [])
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('button', { name: 'Upload Files' }).first().click()
  const form = page.getByRole('form', { name: 'Upload Files' })
  const paper = await drawPaper({ full_name: 'Ada' }, correctAnswers)
  await form.locator('input[type=file]').setInputFiles(await product.file('ada.pdf', paper))
  await form.getByRole('button', { name: /^Upload 1 file/ }).click()
  await page.getByText('Submissions (1)').waitFor()
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  const graded = page.getByRole('row').filter({ hasText: /Suggested|Flagged/ })
  await expect.poll(() => graded.count()).toBe(1)
  expect(product.browserErrors).toEqual([])
  return { instructor, assignmentId }
}

const third = ['144', '144', '144.0', '124', '124', '12', '24', '']

export async function buildQuestionClass({ api }: Product) {
  const grace = await registerPerson(api, 'instructor', 'grace', 'Grace Hopper')
  const course = await api.as(grace).send(createCourse, { body: { name: 'Physics 8b' } })
  const papers = third.map((answer, i) => {
    const full_name = `Student ${'ABCDEFGH'[i]}`
    const first = i % 2 === 0 ? (correctAnswers[0] ?? '') : 'Because it is cold and hard.'
    return { file: full_name, full_name, answers: [first, 'B', answer] }
  })
  const built = await buildGradedPapers(api, { instructor: grace, courseId: course.body.id }, papers)
  const load = async (questionId: string): Promise<QuestionToGrade> =>
    (await built.teacher.send(getQuestion, { params: { assignmentId: built.assignmentId, questionId } })).body
  const decided = async () => {
    const byId = new Map((await load('q3')).answers.map((answer) => [answer.submission_id, answer.decided?.q3 ?? null]))
    return built.submissionIds.map((id) => byId.get(id) ?? null)
  }
  return { grace, ...built, load, decided, address: `/assignments/${built.assignmentId}/questions` }
}

export const openGroup = (page: Page) => page.locator('[role=option][data-open]')
export const picture = (page: Page) => page.getByRole('img', { name: /^Answer of / }).first()
