import type { Question, Rubric } from '../rubrics.ts'

/**
 * All of a question that its grade depends on, as one string: two that have the same are graded the same. Its number and its
 * place on the page are no part of it.
 */
export function questionFingerprint({ prompt, kind, criteria, notes = '' }: Question): string {
  return JSON.stringify([
    prompt,
    kind,
    criteria.map(({ id, text, points, expected, alternatives, levels = [] }) => [
      id,
      text,
      points,
      expected,
      alternatives,
      levels.map((level) => [level.points, level.text]),
    ]),
    notes,
  ])
}

/** What of a rubric the extraction of answers depends on: an edit that leaves it unchanged needs no new extraction. */
export function extractionFingerprint({ questions }: Rubric): string {
  return JSON.stringify(
    questions.map(({ id, number, prompt, regions }) => [
      id,
      number,
      prompt,
      regions.map(({ page, box, drawn }) => [page, box.x, box.y, box.width, box.height, ...(drawn ? [drawn] : [])]),
    ]),
  )
}

/** A question's id and number. */
export interface QuestionRef {
  id: string
  number: string
}

interface RubricChanges {
  /** In both rubrics, and graded differently by the later. */
  changed: QuestionRef[]
  /** In the later rubric only. */
  added: QuestionRef[]
  /** In the earlier one only. */
  removed: QuestionRef[]
}

const toQuestionRef = ({ id, number }: QuestionRef): QuestionRef => ({ id, number })

/** Which questions differ in what their grade depends on. */
export function rubricChanges(before: Rubric | null, after: Rubric | null): RubricChanges {
  const [earlier, later] = [before?.questions ?? [], after?.questions ?? []]
  const known = new Map(earlier.map((question) => [question.id, questionFingerprint(question)]))
  const current = new Set(later.map(({ id }) => id))
  return {
    changed: later
      .filter((one) => known.has(one.id) && known.get(one.id) !== questionFingerprint(one))
      .map(toQuestionRef),
    added: later.filter((one) => !known.has(one.id)).map(toQuestionRef),
    removed: earlier.filter((one) => !current.has(one.id)).map(toQuestionRef),
  }
}
