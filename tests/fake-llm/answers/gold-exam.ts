import type { ReceivedRequest } from '../received-request.ts'
import type { Answerer } from './compose-answer.ts'
import type { ReadImage } from './honest-grader.ts'
import { parsePrompt, parseReadingPrompt } from './parse-prompt.ts'

export interface GoldExam {
  questions: GoldQuestion[]
  students: GoldStudent[]
}

interface GoldStudent {
  file: string
  answers: { number: string; text: string; score: number }[]
  expect_flag?: string
}

interface GoldQuestion {
  /** Parts joined by spaces: `3 b ii`. */
  number: string
  prompt: string
  points: number
  kind: string
  expected: string
  accept: string[]
}

/** With `likeness` 1 it was a student's own answer. */
export interface GoldMark {
  number: string
  text: string
  likeness: number
  share: number
}

/** Words less alike are nobody's answer and worth nothing. */
const LEAST_LIKENESS = 0.4

/**
 * What is lost between page, region, question and grade then shows in the total. `read` gives the file of the student
 * in a picture.
 */
export function answerAsGold({ questions, students }: GoldExam, marks: GoldMark[] = []): Answerer {
  const numberOf = new Map(questions.map((question) => [normalNumber(question.number), question]))
  return (asked, read) => rubricAnswer(asked) ?? readingAnswer(asked, read) ?? gradingAnswer(asked)

  function rubricAnswer({ texts }: ReceivedRequest): unknown {
    const text = texts.find((one) => one.startsWith('# The draft\n'))
    if (!text) return undefined
    const draft: { id: string; number: string }[] = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1))
    return {
      questions: questions.map((gold) => ({
        id: draft.find(({ number }) => normalNumber(number) === normalNumber(gold.number))?.id ?? '',
        number: gold.number,
        prompt: gold.prompt,
        kind: rubricKind(gold.kind),
        points_as_printed: '',
        criteria: [{ text: '', points: gold.points, expected: gold.expected, alternatives: gold.accept, levels: [] }],
      })),
    }
  }

  function readingAnswer({ texts, pictures }: ReceivedRequest, read: ReadImage): unknown {
    const { questions: wanted, pages } = parseReadingPrompt(texts)
    if (wanted.length === 0) return undefined
    const files = pictures.map(read)
    const student = students.find(({ file }) => file === mostFrequent(files))
    const isComplete = student && !student.expect_flag?.includes('missing')
    return {
      answers: wanted.map(({ id, number }) => {
        const answer = student?.answers.find((one) => normalNumber(one.number) === normalNumber(number))
        const lines = (answer?.text ?? '').split('\n').filter((line) => line.trim() !== '')
        return {
          question_id: id,
          state: lines.length > 0 ? 'written' : isComplete ? 'nothing_written' : 'not_on_these_pages',
          lines: lines.map((line, n) => ({ page: pages[0], text: line, sure: 'sure', y: 30 + n })),
        }
      }),
    }
  }

  function gradingAnswer({ texts }: ReceivedRequest): unknown {
    const { questions: asked, answers } = parsePrompt(texts)
    if (asked.length === 0) return undefined
    return {
      criteria: asked.flatMap(({ id, number, criteria }) => {
        const gold = numberOf.get(normalNumber(number))
        const text = answers.get(id) ?? ''
        const given = students.flatMap(({ answers: own }) =>
          own.filter((one) => gold && one.number === gold.number && one.text.trim() !== ''),
        )
        const best = given
          .map((one) => ({ score: one.score, likeness: likeness(one.text, text) }))
          .sort((a, b) => b.likeness - a.likeness)[0]
        const share = gold && best && best.likeness >= LEAST_LIKENESS ? best.score / gold.points : 0
        marks.push({ number, text, likeness: best?.likeness ?? 0, share })
        let left = share * criteria.reduce((sum, { points }) => sum + points, 0)
        const quote = text.split('\n').find((line) => line.trim() !== '')
        return criteria.map((criterion) => {
          const points = highestStep(criterion.steps, Math.min(left, criterion.points))
          left -= points
          return {
            criterion_id: criterion.id,
            quotes: quote ? [quote] : [],
            reasoning: 'As the gold has it.',
            cannot_judge: false,
            points,
            feedback: 'As a fair teacher would say.',
            confidence: 0.95,
          }
        })
      }),
      instructions_found: [],
      summary: 'As a fair teacher would say.',
    }
  }
}

const rubricKind = (kind: string) => ({ ordered: 'ordered_list', code: 'text' })[kind] ?? kind

/** “Q3 (b)(ii)”, “03.b.ii” and “3bii” are the same. */
function normalNumber(label: string): string {
  const plain = label
    .toLowerCase()
    .replace(/\b(question|part|q)\b\.?/g, ' ')
    .replace(/^\s*q(?=\d)/, ' ')
  const parts = plain.match(/\d+|[a-z]+/g) ?? []
  const zeros = parts.filter((part, i) => !(part === '0' && i === 0 && /^\d$/.test(parts[1] ?? '')))
  return zeros.map((part) => (/^\d+$/.test(part) ? String(Number(part)) : part)).join(' ')
}

const highestStep = (steps: readonly number[], points: number) =>
  Math.max(0, ...steps.filter((step) => step <= points + 1e-6))

function mostFrequent(files: readonly string[]): string | undefined {
  const counts = Map.groupBy(files, (file) => file)
  return [...counts].sort((a, b) => b[1].length - a[1].length)[0]?.[0]
}

const flat = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–—]/g, '-')
    .replace(/[\s.,;:|]+/g, '')

/** 1 for the same letters; else by pairs of letters (Dice). */
function likeness(one: string, other: string): number {
  const [a, b] = [flat(one), flat(other)]
  if (a === b) return 1
  const pairs = (text: string) => Array.from({ length: text.length + 1 }, (_, i) => ` ${text} `.slice(i, i + 2))
  const left = Map.groupBy(pairs(b), (pair) => pair)
  const shared = pairs(a).filter((pair) => left.get(pair)?.pop() !== undefined).length
  return Math.min(0.99, (2 * shared) / (pairs(a).length + pairs(b).length))
}
