import { questionKind } from '../rubric/question-kind.ts'
import { DEFAULT_SIGNAL_SETTINGS, type SignalSettings } from '../text/signal-settings.ts'
import { inverseDocumentFrequencies } from '../text/terms.ts'
import { QuestionJudge } from './judge-question.ts'

interface EvaluationRow {
  id: string | number
  question_id: string
  question: string
  reference_answer: string
  student_answer: string
  alt_references: string[]
  /** The teacher's decision, 0..1. */
  teacher_share?: number
}

/**
 * Rows of a question are a class, all questions a paper. Decided rows get the teacher's `score`, a share of the points.
 */
export function evaluateRows(rows: EvaluationRow[], settings?: SignalSettings) {
  const { judged } = judgesFor(rows, settings)
  for (const { group, judge, criterion } of judged) {
    const decided = group.flatMap(({ teacher_share: share }, index) => (share === undefined ? [] : [{ index, share }]))
    judge.addTeacherDecisions(criterion, decided)
  }
  const results = new Map<EvaluationRow, { id: string | number; score: number; confidence: number }>()
  for (const { group, judge, criterion } of judged) {
    group.forEach((row, i) => {
      const { share, confidence } = judge.judge(i, criterion)
      const score = row.teacher_share ?? share
      results.set(row, { id: row.id, score: round(score), confidence: round(confidence) })
    })
  }
  return rows.flatMap((row) => results.get(row) ?? [])
}

/** A judge and a criterion for each question's answers. */
export function judgesFor<Row extends EvaluationRow>(rows: Row[], settings = DEFAULT_SIGNAL_SETTINGS) {
  const classes = [...Map.groupBy(rows, (row) => row.question_id).values()]
  const allTexts = (group: Row[]) => [
    group[0]?.question ?? '',
    group[0]?.reference_answer ?? '',
    ...group.map((row) => row.student_answer),
  ]
  const idf = inverseDocumentFrequencies(classes.map(allTexts))
  const judged = classes.flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { question: prompt, reference_answer: expected } = first
    const alternatives = [...new Set(group.flatMap((row) => row.alt_references))]
    const criterion = { id: 'q', text: '', points: 1, expected, alternatives }
    const question = { prompt, kind: questionKind(prompt, expected), criteria: [criterion] }
    const answers = group.map((row) => row.student_answer)
    return [{ group, criterion, judge: new QuestionJudge(question, answers, idf, settings) }]
  })
  return { judged, idf }
}

const round = (x: number) => Math.round(x * 1e6) / 1e6
