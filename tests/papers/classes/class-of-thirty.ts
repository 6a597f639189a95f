import { seededRandom } from '../../../server/src/lib/seeded-random.ts'
import { drawStudentPaper } from '../draw-papers.ts'
import type { DrawnAssignment, DrawnQuestion, DrawnStudent } from '../drawn-assignment.ts'

interface ClassAnswer {
  text: string
  points: number
  /** How many wrote it; 1 where it is absent. */
  times?: number
}

export interface ClassQuestion extends DrawnQuestion {
  answers: ClassAnswer[]
}

export interface ClassQuiz extends Omit<DrawnAssignment, 'questions'> {
  questions: ClassQuestion[]
}

const CLASS_SIZE = 30
const given = ['Amara', 'Bruno', 'Chidi', 'Dalia', 'Edgar', 'Farah', 'Gustav', 'Hanna', 'Ivo', 'Jelena']
const family = ['Lindqvist', 'Okonkwo', 'Marchetti']
export const classNames: string[] = family.flatMap((last) => given.map((first) => `${first} ${last}`))

export interface ClassPaper {
  answers: ClassAnswer[]
}

/** Deterministic by seed. @throws {Error} where a question has not thirty answers */
export function distributeAnswers({ questions }: ClassQuiz, seed: number): ClassPaper[] {
  const random = seededRandom(seed)
  const ability = Array.from({ length: CLASS_SIZE }, random)
  const papers: ClassPaper[] = ability.map(() => ({ answers: [] }))
  for (const { number, answers } of questions) {
    const all = answers.flatMap((answer) => Array.from({ length: answer.times ?? 1 }, () => answer))
    if (all.length !== CLASS_SIZE) throw new Error(`Question ${number} has ${all.length} answers`)
    const order = ability.map((own, paper) => ({ paper, luck: own + 0.6 * random() })).sort((a, b) => b.luck - a.luck)
    for (const [place, { paper }] of order.entries()) {
      const answer = all[place]
      if (answer) papers[paper]?.answers.push(answer)
    }
  }
  return papers
}

export function drawClassPaper(quiz: ClassQuiz, student: Pick<DrawnStudent, 'full_name'>, { answers }: ClassPaper) {
  const drawn = { username: '', email: '', student_number: '', ...student }
  return drawStudentPaper(
    quiz,
    drawn,
    answers.map(({ text }) => text),
    'typed',
  )
}
