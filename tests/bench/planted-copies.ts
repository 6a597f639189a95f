import {
  type PaperToCompare,
  type QuestionToCompare,
  similarPapers,
} from '../../server/src/grader/similarity/similar-papers.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { composeClass } from './compose-class.ts'
import type { ScoredSet } from './scored-rows.ts'

type Disguise = (text: string, random: () => number) => string

export const DISGUISES: Record<string, Disguise> = {
  verbatim: (text) => text,
  'one word in six left out or replaced': (text, random) =>
    text
      .split(' ')
      .flatMap((word) =>
        random() > 1 / 6 ? [word] : random() < 0.5 ? [] : [FILLERS[Math.floor(random() * FILLERS.length)] ?? ''],
      )
      .join(' '),
  'halves swapped': (text) => {
    const words = text.split(' ')
    const half = Math.floor(words.length / 2)
    return [...words.slice(half), ...words.slice(0, half)].join(' ')
  },
  'one letter in 25 misread': (text, random) =>
    [...text].map((letter) => (letter !== ' ' && random() < 0.04 ? (MISREAD[letter] ?? 'r') : letter)).join(''),
}
const FILLERS = ['so', 'basically', 'thing', 'quite', 'would', 'really', 'made']
const MISREAD: Record<string, string> = { e: 'c', o: '0', l: '1', i: 'l', a: 'o', n: 'u', h: 'b' }

/** Classes of 30, nine answers each; one pair copied `copied` answers. */
export async function findPlanted(sets: ScoredSet[], disguise: Disguise | null, copied: number, classes = 40) {
  let found = 0
  let falseHints = 0
  let cpu = 0
  for (let seed = 1; seed <= classes; seed++) {
    const random = seededRandom(seed * 7919)
    const { questions, papers } = classOf(sets, seed)
    if (disguise) copyAnswers(questions, papers, copied, disguise, random)
    const start = process.cpuUsage()
    const pairs = await similarPapers(questions, papers)
    const { user, system } = process.cpuUsage(start)
    cpu += user + system
    const isPlanted = ({ first, second }: { first: number; second: number }) =>
      disguise !== null && first === 0 && second === 1
    if (pairs.some(isPlanted)) found++
    falseHints += pairs.filter((pair) => !isPlanted(pair)).length
  }
  return { classes, found: found / classes, falseHints: falseHints / classes, milliseconds: cpu / 1000 / classes }
}

/** Drawing a class costs ten times what comparing its papers does. */
const composed = new Map<number, ReturnType<typeof composeClass>>()

function classOf(sets: ScoredSet[], seed: number) {
  const { assignment, papers } = composed.get(seed) ?? composeClass(sets, seed)
  composed.set(seed, { assignment, papers })
  const questions = assignment.questions.map(
    ({ number, prompt, answer, alternatives }): QuestionToCompare => ({
      id: number,
      exact: false,
      known: [prompt, String(answer), ...(alternatives ?? [])],
    }),
  )
  const written = papers.map(({ answers }, id) => ({
    id,
    answers: new Map(answers.map((text, i) => [String(i + 1), { text, normal: '', right: null }])),
  }))
  return { questions, papers: written }
}

/** The longest ones, as somebody who copies would. */
function copyAnswers(
  questions: QuestionToCompare[],
  [from, to]: { answers: Map<string, { text: string; normal: string; right: null }> }[],
  copied: number,
  disguise: Disguise,
  random: () => number,
) {
  const longest = questions
    .map(({ id }) => ({ id, text: from?.answers.get(id)?.text ?? '' }))
    .sort((a, b) => b.text.length - a.text.length)
    .slice(0, copied)
  for (const { id, text } of longest) to?.answers.set(id, { text: disguise(text, random), normal: '', right: null })
}

/** In seconds; words of answers are shuffled among papers. */
export async function measureLarge(sets: ScoredSet[], count: number) {
  const { questions, papers } = classOf(sets, 1)
  const random = seededRandom(count)
  const many: PaperToCompare[] = Array.from({ length: count }, (_, id) => ({
    id,
    answers: new Map(
      questions.map(({ id: question }) => {
        const draw = () => papers[Math.floor(random() * papers.length)]?.answers.get(question)?.text.split(' ') ?? []
        const [one, other] = [draw(), draw()]
        const text = [
          ...one.slice(0, Math.ceil(one.length / 2)),
          ...other.slice(Math.ceil(other.length / 2)),
          `w${Math.floor(random() * 5000)}`,
        ].join(' ')
        return [question, { text, normal: '', right: null }]
      }),
    ),
  }))
  const start = process.cpuUsage()
  const hints = (await similarPapers(questions, many)).length
  const { user, system } = process.cpuUsage(start)
  return { seconds: (user + system) / 1e6, hints }
}
