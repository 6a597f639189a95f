import type { Criterion, Question } from '../rubrics.ts'
import { inOneLine, ownPrompts } from './own-prompt.ts'

/** By its question's number, and a letter where that has several criteria. */
export interface CriterionLabel {
  /** As printed: `2`, `3 b`. */
  number: string
  /** `a`, or `1` where the number ends in a letter. Absent: the only criterion. */
  letter?: string
  /** Without the stem it shares with its neighbours. */
  title: string
  question?: string
}

export function criterionLabels(questions: readonly Question[] = []): Map<string, CriterionLabel> {
  const prompts = ownPrompts(questions.map(({ prompt }) => prompt))
  return new Map(
    questions.flatMap((question, i) => {
      const asked = prompts[i] ?? ''
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

/** A teacher's text counts; one from the prompt begins with the stem, and may be cut. */
function titleOf({ text }: Criterion, { prompt }: Question, asked: string): string {
  const fromPrompt = inOneLine(prompt).startsWith(inOneLine(text.replace(/…$/, '')))
  return asked !== '' && (text === '' || fromPrompt) ? asked : text
}
