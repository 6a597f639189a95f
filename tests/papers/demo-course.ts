import { demoStudents } from './demo-students.ts'
import { drawBlank, drawKey, drawStudentPaper } from './draw-papers.ts'
import type { DrawnAssignment, DrawnStudent, PaperExtras, PaperStyle } from './drawn-assignment.ts'

/** `fileName` is what the student called it. */
export interface DemoPaper {
  username: string
  style: PaperStyle
  fileName: string
  answers: string[]
  extras?: PaperExtras
}

export interface DemoAssignment extends DrawnAssignment {
  papers: DemoPaper[]
}

export const demoPaper = (username: string, style: PaperStyle, fileName: string, answers: string[]): DemoPaper => ({
  username,
  style,
  fileName,
  answers,
})

interface DrawnFile {
  fileName: string
  bytes: Buffer
}

interface DrawnDemo {
  blank: DrawnFile
  key: DrawnFile
  papers: (DrawnFile & { username: string })[]
}

export async function drawDemo(assignment: DemoAssignment): Promise<DrawnDemo> {
  const name = assignment.title.toLowerCase().replaceAll(' ', '-')
  const papers: DrawnDemo['papers'] = []
  for (const paper of assignment.papers) papers.push(await drawDemoPaper(assignment, paper))
  return {
    blank: { fileName: `${name}.pdf`, bytes: await drawBlank(assignment) },
    key: { fileName: `${name}-key.pdf`, bytes: await drawKey(assignment) },
    papers,
  }
}

export async function drawDemoPaper(
  assignment: DemoAssignment,
  paper: DemoPaper,
): Promise<DrawnFile & { username: string }> {
  const { username, style, fileName, answers } = paper
  const student = requireStudent(username)
  // Each scan has different noise, skew and shade.
  const seed = Number(student.student_number) % 10_000
  const bytes = await drawStudentPaper(assignment, student, answers, style, { seed, ...paper.extras })
  return { username, fileName, bytes }
}

function requireStudent(username: string): DrawnStudent {
  const student = demoStudents.find((one) => one.username === username)
  if (!student) throw new Error(`The demo course has no student ${username}`)
  return student
}
