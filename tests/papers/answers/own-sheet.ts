import type { StudentExam } from './student-exam.ts'

/** A student's own sheets: what is on each page, and what each question's answer is. */
export interface OwnSheet {
  name: string
  exam: StudentExam
  pages: string[][]
  columns?: number[]
  /** In the exam's order; '' where nothing is written, null where the question is not on the paper. */
  answers: (string | null)[]
}
