import { PDFDocument } from 'pdf-lib'
import { longQuiz } from '../bench/long-quiz.ts'
import { drawExam, type WrittenPlace } from './class-stack.ts'
import { drawBlank } from './draw-papers.ts'
import { ExamPages } from './layouts/exam-layout.ts'
import { longExam } from './long-exam.ts'
import { layOutPaper } from './paper-layout.ts'

/** A blank of four pages, and where a student writes on it. */
export interface WritableExam {
  name: string
  pdf: Buffer
  student: { name: WrittenPlace; number: WrittenPlace | null }
  answers: WrittenPlace[]
}

const PAGES = 4

/** An exam printed densely, one that begins with a cover, and a quiz of few words whose pages are much alike. */
export async function drawWritableExams(): Promise<WritableExam[]> {
  return [await denseExam(), await examWithCover(), await quizOfFewWords()]
}

async function denseExam(): Promise<WritableExam> {
  const { pdf, places } = await drawExam('Science, end of year examination', 5)
  const [name, number, ...answers] = places
  if (!name || !number) throw new Error('the exam asks for a name and a number')
  return { name: 'a dense exam', pdf, student: { name, number }, answers }
}

class PagesWithPlaces extends ExamPages {
  places: WrittenPlace[] = []
  #page = 0

  override page(): void {
    this.#page += 1
    super.page()
  }

  write(x: number, y: number, width: number): void {
    this.places.push({ page: this.#page, x, y, width })
  }
}

async function examWithCover(): Promise<WritableExam> {
  const pages = new PagesWithPlaces()
  longExam.draw(
    pages,
    (_number, x, y) => pages.write(x, y, 440),
    () => {},
  )
  const whole = await PDFDocument.load(await pages.end())
  const document = await PDFDocument.create()
  for (const page of await document.copyPages(whole, [0, 1, 2, 3])) document.addPage(page)
  return {
    name: 'an exam with a cover',
    pdf: Buffer.from(await document.save()),
    student: { name: { page: 1, x: 92, y: 168, width: 130 }, number: null },
    answers: pages.places.filter(({ page }) => page <= PAGES),
  }
}

async function quizOfFewWords(): Promise<WritableExam> {
  const quiz = { ...longQuiz, questions: longQuiz.questions.slice(0, 4 * PAGES) }
  const { sheets, spaces } = layOutPaper(quiz, {})
  const named = (label: string, after: number): WrittenPlace => {
    const ink = sheets[0]?.ink.find(({ text }) => text === label)
    return { page: 1, x: (ink?.x ?? 0) + after, y: ink?.y ?? 0, width: 120 }
  }
  return {
    name: 'a quiz of few words',
    pdf: await drawBlank(quiz),
    student: { name: named('Name:', 40), number: named('Student number:', 90) },
    answers: spaces.flatMap(({ sheet, baselines, x, width }) =>
      baselines.map((y) => ({ page: sheets.indexOf(sheet) + 1, x, y, width })),
    ),
  }
}
