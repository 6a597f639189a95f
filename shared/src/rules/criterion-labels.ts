import type { Criterion, Question } from '../rubrics.ts'

/** What a person calls a criterion: by its question's number, and by a letter of its own where the question has several. */
export interface CriterionLabel {
  /** The question's number as printed: `2`, `3 b`. */
  number: string
  /** `a`, `b`, …, or `1`, `2`, … where the number itself ends in a letter. Absent: the question has no other criterion. */
  letter?: string
  /** What is asked for: the part's own words, without the stem it shares with its neighbours. */
  title: string
  /** What the question asks, where the title is only one of its criteria. */
  question?: string
}

/** By the criterion's id; none without a rubric. */
export function criterionLabels(questions: readonly Question[] = []): Map<string, CriterionLabel> {
  return new Map(
    questions.flatMap((question, i) => {
      const asked = ownPrompt(question, [questions[i - 1], questions[i + 1]])
      const { number, criteria } = question
      return criteria.map((criterion, at): [string, CriterionLabel] => {
        if (criteria.length === 1) return [criterion.id, { number, title: titleOf(criterion, question, asked) }]
        const letter = letterOf(at, number)
        return [criterion.id, { number, letter, title: criterion.text, ...(asked ? { question: asked } : {}) }]
      })
    }),
  )
}

/** `2`, `2 b`; `3 b.1`. */
export function labelTag({ number, letter }: Pick<CriterionLabel, 'number' | 'letter'>): string {
  if (letter === undefined) return number
  return /^\d/.test(letter) ? `${number}.${letter}` : `${number} ${letter}`
}

function letterOf(at: number, number: string): string {
  if (/[a-z]$/i.test(number) || at >= 26) return String(at + 1)
  return String.fromCharCode(97 + at)
}

/** A text that a teacher wrote counts; one taken from the prompt begins with the stem, and may be cut. */
function titleOf({ text }: Criterion, { prompt }: Question, asked: string): string {
  const fromPrompt = plain(prompt).startsWith(plain(text.replace(/…$/, '')))
  return asked !== '' && (text === '' || fromPrompt) ? asked : text
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The words of the question itself, without options to choose from and without the first lines that a neighbour has too. */
function ownPrompt({ prompt }: Question, neighbours: (Question | undefined)[]): string {
  const lines = prompt.split('\n')
  const shared = Math.max(...neighbours.map((one) => sharedLines(lines, one?.prompt.split('\n') ?? [])))
  const own = lines.slice(Math.min(shared, lines.length - 1))
  const options = own.findIndex((line) => /^\W*[Aa][.):]\s/.test(line))
  return plain((options > 0 ? own.slice(0, options) : own).join(' '))
}

function sharedLines(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, i) => line !== b[i])
  return differs === -1 ? a.length : differs
}
