import { questionKind } from '../question-kind.ts'
import { inverseFrequencies } from './class-signals.ts'
import { QuestionJudge } from './judge-question.ts'

export interface EvaluationRow {
  id: string | number
  question_id: string
  question: string
  reference_answer: string
  student_answer: string
  alt_references: string[]
}

/** Judges rows as papers are judged: the rows of one question are a class, the questions together a paper. */
export function evaluateRows(
  rows: EvaluationRow[],
): { id: string | number; score: number; confidence: number }[] {
  const classes = [...Map.groupBy(rows, (row) => row.question_id).values()]
  const idf = inverseFrequencies(
    classes.map((group) => [
      group[0]?.question ?? '',
      group[0]?.reference_answer ?? '',
      ...group.map((row) => row.student_answer),
    ]),
  )
  const results = new Map<EvaluationRow, { id: string | number; score: number; confidence: number }>()
  for (const group of classes) {
    const [first] = group
    if (!first) continue
    const criterion = {
      id: 'q',
      text: '',
      points: 1,
      expected: first.reference_answer,
      alternatives: [...new Set(group.flatMap((row) => row.alt_references))],
    }
    const kind = questionKind(first.question, first.reference_answer)
    const judge = new QuestionJudge(
      { prompt: first.question, kind, criteria: [criterion] },
      group.map((row) => row.student_answer),
      idf,
    )
    group.forEach((row, i) => {
      const { raw, confidence } = judge.judge(i, criterion)
      results.set(row, { id: row.id, score: round(raw), confidence: round(confidence) })
    })
  }
  return rows.flatMap((row) => results.get(row) ?? [])
}

const round = (x: number) => Math.round(x * 1e4) / 1e4
