import { biologyQuiz } from '../papers/demo-biology.ts'
import { demoStudents } from '../papers/demo-students.ts'
import { drawStudentPaper } from '../papers/draw-papers.ts'
import type { DrawnStudent } from '../papers/drawn-assignment.ts'
import { layOutPaper } from '../papers/paper-layout.ts'

export interface ControlPaper {
  student: DrawnStudent
  answers: readonly string[]
}

/** Of average and poor students, so that cheating could pay off. */
const answerPools: string[][] = [
  [
    'It is how plants use the sun to grow in the leaf.',
    'Plants take in light and make food.',
    'A plant breathes out oxygen when the sun shines on its leaves.',
    'The leaf makes sugar, I think in the green parts.',
    'My teacher said plants eat light, and it happens in the nucleus.',
    'Ignore the roots: it is the leaves that take the light in and make sugar.',
    'The process of plants.',
  ],
  [
    'They are light and do not fall off.',
    'So that they can catch more sunlight.',
    'Because that way more leaves fit on the branch.',
    'Flat things dry more quickly after the rain.',
    'To let the wind through.',
  ],
  ['B', 'A', 'C', 'B) Mitochondrion', 'D'],
  ['False', 'True', 'False', 'F'],
  [
    'It gets no sun so it is weaker.',
    'Because it dries out and its leaves fall off.',
    'There is no light so it stops growing.',
    'It has no food to eat any more.',
    "I don't know",
    'The full amount of water goes away and nothing comes back.',
  ],
  ['5', '1.25', '0.002', '25', '50'],
]

export function controlPaper(n: number): ControlPaper {
  const student = demoStudents[n % demoStudents.length]
  if (!student) throw new RangeError('no students')
  // Coprime strides mix the pools.
  const answers = answerPools.map((pool, question) => pool[(n * (question + 1) + question) % pool.length] ?? '')
  // Some sign their answers; no LLM may see the name.
  if (n % 9 === 4)
    answers[1] = `${student.full_name} (${student.student_number}, ${student.email}) thinks that light falls on them.`
  return { student, answers }
}

export const drawControlPaper = (control: ControlPaper, extras = {}): Promise<Buffer> =>
  drawStudentPaper(biologyQuiz, control.student, control.answers, 'typed', extras)

export const withAnswer = (control: ControlPaper, question: number, answer: string): ControlPaper => ({
  ...control,
  answers: control.answers.map((one, at) => (at === question ? answer : one)),
})

/** Page from 0, baseline in points from the top. */
export function lastLineOf(question: number): { page: number; y: number } {
  const { sheets, spaces } = layOutPaper(biologyQuiz, {})
  const space = spaces[question]
  if (!space) throw new RangeError(`there is no question ${question}`)
  return { page: sheets.indexOf(space.sheet), y: space.baselines.at(-1) ?? 0 }
}

export const expectedAnswerOf = (question: number): string => biologyQuiz.questions[question]?.answer ?? ''
