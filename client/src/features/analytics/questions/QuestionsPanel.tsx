import { listQuestionStatistics, type Mistake, type QuestionStatistics } from '@assay/shared/analytics.ts'
import type { CourseDetail } from '@assay/shared/courses.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ProgressBar } from '../../../components/display/ProgressBar.tsx'
import { LoadError, RowSkeletons } from '../../../components/feedback/Loaded.tsx'
import { Panel } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatPercent, plural } from '../../../lib/format.ts'
import questionStatisticsRowClasses from './QuestionStatisticsRow.module.css'
import classes from './QuestionsPanel.module.css'

export function QuestionsPanel({ course }: { course: CourseDetail }) {
  const published = course.assignments.filter(({ status }) => status === 'published')
  const [picked, setPicked] = useState<number | null>(null)
  const shown = published.find(({ id }) => id === picked) ?? published[0]
  if (!shown) return null
  return (
    <div className={classes.root}>
      <Panel
        title="Questions"
        actions={
          <NativeSelect
            aria-label="Assignment"
            className={classes.select}
            data={published.map(({ id, title }) => ({ value: String(id), label: title }))}
            value={String(shown.id)}
            onChange={(event) => setPicked(Number(event.currentTarget.value))}
          />
        }
      >
        <Questions courseId={course.id} assignmentId={shown.id} />
      </Panel>
    </div>
  )
}

function Questions({ courseId, assignmentId }: { courseId: number; assignmentId: number }) {
  const loaded = useGet(listQuestionStatistics, { courseId }, { assignment_id: assignmentId })
  if (loaded.data) {
    const [statistics] = loaded.data
    if (!statistics || statistics.questions.length === 0)
      return <p className={classes.none}>No grades of this assignment have been released yet.</p>
    const prompts = ownPrompts(statistics.questions.map(({ prompt }) => prompt))
    return (
      <>
        <p className={classes.note}>
          From {plural(statistics.papers, 'graded paper')}. Each bar shows the average share of points earned. Shorter
          bars mean harder questions.
        </p>
        <ol className="boxed-list">
          {statistics.questions.map((question, i) => (
            <QuestionStatisticsRow
              key={question.question_id}
              question={question}
              prompt={prompts[i] ?? ''}
              assignmentId={assignmentId}
            />
          ))}
        </ol>
      </>
    )
  }
  if (loaded.error) return <LoadError error={loaded.error} retry={loaded.reload} title="Error Loading Questions" />
  return <RowSkeletons count={4} label="Loading questions" />
}

interface Props {
  question: QuestionStatistics
  /** Its words, without those it shares with its neighbours. */
  prompt: string
  assignmentId: number
}

function QuestionStatisticsRow({ question, prompt, assignmentId }: Props) {
  const name = question.number === null ? question.prompt : `Question ${question.number}`
  return (
    <li className={questionStatisticsRowClasses.root}>
      <div className={questionStatisticsRowClasses.words}>
        {question.number !== null && <h3 className={questionStatisticsRowClasses.number}>{name}</h3>}
        <p className={questionStatisticsRowClasses.prompt} title={question.prompt}>
          {prompt}
        </p>
      </div>
      <div className={questionStatisticsRowClasses.measure}>
        <span className={questionStatisticsRowClasses.share}>
          {formatPercent(question.average_share)} <span>{difficultyLabel(question.average_share)}</span>
        </span>
        <ProgressBar value={question.average_share} label={`Share of the points of ${name}`} />
        {question.discrimination !== null && (
          <span className={questionStatisticsRowClasses.discrimination}>
            {discriminationLabel(question.discrimination)}
          </span>
        )}
      </div>
      {question.mistakes.length > 0 && (
        <ul className={questionStatisticsRowClasses.mistakes} aria-label={`Most common mistakes in ${name}`}>
          {question.mistakes.map((mistake) => (
            <MistakeRow
              key={mistake.example_submission_id + mistake.feedback}
              mistake={mistake}
              assignmentId={assignmentId}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function MistakeRow({ mistake, assignmentId }: { mistake: Mistake; assignmentId: number }) {
  const { count, points_lost, feedback, example_submission_id } = mistake
  return (
    <li>
      <span className={questionStatisticsRowClasses.count}>
        {plural(count, 'paper')}, −{plural(points_lost, 'point')}
        {count > 1 && ' each'}
      </span>
      <span className={questionStatisticsRowClasses.feedback}>{feedback}</span>
      <Link
        to={`/assignments/${assignmentId}/submissions/${example_submission_id}`}
        className={questionStatisticsRowClasses.example}
      >
        See an example
      </Link>
    </li>
  )
}

function difficultyLabel(share: number): string {
  if (share >= 80) return 'easy'
  return share >= 50 ? 'medium' : 'hard'
}

/** By the limits that test books give for item-total correlations. */
function discriminationLabel(discrimination: number): string {
  const value = `(${discrimination.toFixed(2).replace('-', '−')})`
  if (discrimination >= 0.3) return `Separates students well ${value}`
  if (discrimination >= 0.1) return `Separates students somewhat ${value}`
  if (discrimination >= 0) return `Barely separates students ${value}`
  return `Strong students score lower here: check the answer key ${value}`
}
