import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, ClassAnswers, ScoresByPaper, SuggestedGrade } from '../../../grader/grader.ts'
import type { InputHashes } from '../../../records/grading/grade.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { hashInputs } from '../../grades/grade.service.ts'
import { cachedRunClass, classForSubmission } from '../../runs/context/grade-context.ts'
import { findRunHead } from '../../runs/run.service.ts'
import { findAnswers, findAnswerWords } from '../../transcriptions/answers.service.ts'

/** Against each paper's class, in the rubrics' order; without papers whose class is gone. */
export async function scoreQuestion(
  submissions: SubmissionDoc[],
  rubrics: Rubric[],
  { questionId, anchors }: { questionId: string; anchors: Anchor[] },
  services: Pick<Services, 'grader'>,
  signal: AbortSignal,
): Promise<ScoresByPaper[]> {
  const scores = rubrics.map((): ScoresByPaper => new Map())
  const { alone, classes } = await byClass(submissions, services)
  for (const { everyone, papers } of classes)
    for (const [i, rubric] of rubrics.entries()) {
      const found = await services.grader.scoreQuestion?.(rubric, questionId, papers, everyone, { anchors, signal })
      for (const [id, points] of found ?? []) scores[i]?.set(id, points)
    }
  for (const submission of alone)
    for (const [i, rubric] of rubrics.entries()) {
      const context = { anchors, only: new Set([questionId]) }
      const found = await gradeQuestionAgain(submission, rubric, context, services, signal)
      const own = found?.grade.criteria.filter(({ question_id }) => question_id === questionId)
      if (own) scores[i]?.set(submission._id, Object.fromEntries(own.map((one) => [one.criterion_id, one.score])))
    }
  return scores
}

interface PapersOfClass {
  everyone: ClassAnswers
  papers: ClassAnswers['submissions']
}

/** Alone: test students, who are in no class, and all papers if the grader takes only one at once. */
async function byClass(submissions: SubmissionDoc[], { grader }: Pick<Services, 'grader'>) {
  if (!grader.scoreQuestion) return { alone: submissions, classes: [] }
  const answers = await findAnswerWords(submissions.map(({ _id }) => _id))
  const words = new Map(answers.map(({ _id, extracted }) => [_id, extracted]))
  const classes: PapersOfClass[] = []
  const alone: SubmissionDoc[] = []
  for (const [runId, ofRun] of Map.groupBy(submissions, ({ grade }) => grade?.run_id)) {
    const run = runId === undefined ? null : await findRunHead(runId)
    if (!run?.class_key) continue
    const everyone = await cachedRunClass(run)
    const members = new Set(everyone.submissions.map(({ id }) => id))
    alone.push(...ofRun.filter(({ _id }) => !members.has(_id)))
    const papers = ofRun.flatMap(({ _id }) => {
      const extracted = members.has(_id) ? words.get(_id) : undefined
      if (!extracted) return []
      const found = extracted.answers.map((answer) => ({ ...answer, evidence: [] }))
      return [{ id: _id, extracted: { ...extracted, answers: found } }]
    })
    classes.push({ everyone, papers })
  }
  return { alone, classes }
}

/** By the built-in grader, against the paper's class; stores nothing. Null where the class is gone. */
export async function gradeQuestionAgain(
  submission: SubmissionDoc,
  rubric: Rubric,
  context: { anchors: Anchor[]; only: ReadonlySet<string> },
  { grader }: Pick<Services, 'grader'>,
  signal: AbortSignal,
): Promise<{ grade: SuggestedGrade; classKey: string; inputs: InputHashes } | null> {
  const [run, answers] = await Promise.all([
    submission.grade ? findRunHead(submission.grade.run_id) : null,
    findAnswers(submission._id),
  ])
  if (!run?.class_key || !answers) return null
  const everyone = await classForSubmission(run, submission._id)
  const grade = await grader.grade(rubric, submission._id, everyone, { ...context, signal })
  return { grade, classKey: everyone.key, inputs: hashInputs({ submission, rubric, extracted: answers.extracted }) }
}
