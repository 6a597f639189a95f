import { questionKind } from '../rubric/question-kind.ts'
import { inverseDocumentFrequencies } from '../text/inverse-document-frequencies.ts'
import { DEFAULT_SIGNAL_SETTINGS, type SignalSettings } from '../text/signal-settings.ts'
import { QuestionJudge } from './judge-question.ts'

interface EvaluationRow {
  id: string | number
  question_id: string
  question: string
  reference_answer: string
  student_answer: string
  alt_references: string[]
  /** A teacher's decision on this answer, 0..1: the measure for the others. */
  teacher_share?: number
}

interface EvaluatedRow {
  id: string | number
  /** Share of the points. */
  score: number
  confidence: number
}

/**
 * Judges rows as papers are judged: the rows of one question are a class, the questions together a paper. A row the
 * teacher has decided on gets what the teacher gave.
 */
export function evaluateRows(
  rows: EvaluationRow[],
  settings: SignalSettings = DEFAULT_SIGNAL_SETTINGS,
): EvaluatedRow[] {
  const classes = [...Map.groupBy(rows, (row) => row.question_id).values()]
  const idf = inverseDocumentFrequencies(
    classes.map((group) => [
      group[0]?.question ?? '',
      group[0]?.reference_answer ?? '',
      ...group.map((row) => row.student_answer),
    ]),
  )
  const judged = classes.flatMap((group) => {
    const [first] = group
    return first ? [{ group, ...questionJudgeFor(group, first, idf, settings) }] : []
  })
  if (rows.some((row) => row.teacher_share !== undefined)) {
    const residuals = judged.flatMap(({ group, judge, criterion }) =>
      judge.addTeacherDecisions(
        criterion,
        group.flatMap(({ teacher_share: share }, index) => (share === undefined ? [] : [{ index, share }])),
      ),
    )
    for (const { judge } of judged) judge.calibrate(residuals)
  }
  const results = new Map<EvaluationRow, EvaluatedRow>()
  for (const { group, judge, criterion } of judged) {
    group.forEach((row, i) => {
      const { share, confidence } = judge.judge(i, criterion)
      const score = row.teacher_share ?? share
      results.set(row, { id: row.id, score: round(score), confidence: round(confidence) })
    })
  }
  return rows.flatMap((row) => results.get(row) ?? [])
}

function questionJudgeFor(
  group: EvaluationRow[],
  first: EvaluationRow,
  idf: (term: string) => number,
  settings: SignalSettings,
) {
  const criterion = {
    id: 'q',
    text: '',
    points: 1,
    expected: first.reference_answer,
    alternatives: [...new Set(group.flatMap((row) => row.alt_references))],
  }
  const kind = questionKind(first.question, first.reference_answer)
  const question = { prompt: first.question, kind, criteria: [criterion] }
  const answers = group.map((row) => row.student_answer)
  return { criterion, judge: new QuestionJudge(question, answers, idf, settings) }
}

const round = (x: number) => Math.round(x * 1e4) / 1e4
