import { listQuestionStatistics, type Mistake, type QuestionStatistics } from '@assay/shared/analytics.ts'
import type { CourseDetail } from '@assay/shared/courses.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LoadError, Panel, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatPercent, plural } from '../../../lib/format.ts'
import { submissionPath } from '../../../paths.ts'
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
          From {plural(statistics.papers, 'graded paper')}. Each chart counts the papers by their share of the points,
          from 0 to 100 %: <span className={classes.question}>this question</span> beside{' '}
          <span className={classes.class}>the whole paper</span>.
        </p>
        <ol className="boxed-list">
          {statistics.questions.map((question, i) => (
            <QuestionStatisticsRow
              key={question.question_id}
              question={question}
              prompt={prompts[i] ?? ''}
              assignmentId={assignmentId}
              classTenths={statistics.tenths}
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
  prompt: string
  assignmentId: number
  classTenths: number[]
}

function QuestionStatisticsRow({ question, prompt, assignmentId, classTenths }: Props) {
  const name = question.number === null ? question.prompt : `Question ${question.number}`
  return (
    <li className={classes.row}>
      <div>
        {question.number !== null && <h3 className={classes.number}>{name}</h3>}
        <p className={classes.prompt} title={question.prompt}>
          {prompt}
        </p>
      </div>
      <div className={classes.measure}>
        <span className={classes.share}>
          {difficultyLabel(question.average_share)}{' '}
          <span>{formatPercent(question.average_share)} of the points on average</span>
        </span>
        {question.discrimination !== null && (
          <span className={classes.discrimination}>{discriminationLabel(question.discrimination)}</span>
        )}
        <Histogram name={name} tenths={question.tenths} classTenths={classTenths} />
      </div>
      {question.mistakes.length > 0 && (
        <ul className={classes.mistakes} aria-label={`Most common mistakes in ${name}`}>
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

/** Each bar is a share of its own papers, so both sets have the same height. */
function Histogram({ name, tenths, classTenths }: { name: string; tenths: number[]; classTenths: number[] }) {
  const shareOf = (counts: number[]) => {
    const all = counts.reduce((sum, count) => sum + count, 0)
    return counts.map((count) => (all === 0 ? 0 : count / all))
  }
  const [own, whole] = [shareOf(tenths), shareOf(classTenths)]
  const most = Math.max(...own, ...whole)
  const height = (share = 0) => `${most === 0 ? 0 : (100 * share) / most}%`
  const words = tenths.flatMap((count, i) =>
    count === 0 ? [] : `${plural(count, 'paper')} from ${10 * i} to ${10 * i + 10} %`,
  )
  return (
    <div role="img" aria-label={`Shares of the points of ${name}: ${words.join(', ')}`} className={classes.histogram}>
      {own.map((share, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tenth has its place
        <span key={i} title={`${10 * i} to ${10 * i + 10} %: ${plural(tenths[i] ?? 0, 'paper')}`}>
          <i style={{ height: height(share) }} />
          <i style={{ height: height(whole[i]) }} />
        </span>
      ))}
    </div>
  )
}

function MistakeRow({ mistake, assignmentId }: { mistake: Mistake; assignmentId: number }) {
  const { count, points_lost, feedback, example_submission_id } = mistake
  return (
    <li>
      <span className={classes.count}>
        {plural(count, 'paper')}, −{plural(points_lost, 'point')}
        {count > 1 && ' each'}
      </span>
      <span className={classes.feedback}>{feedback}</span>
      <Link to={submissionPath(assignmentId, example_submission_id)} className={classes.example}>
        See an example
      </Link>
    </li>
  )
}

function difficultyLabel(share: number): string {
  if (share >= 80) return 'Easy'
  return share >= 50 ? 'Medium' : 'Hard'
}

/** Limits from test theory for item-total correlations. */
function discriminationLabel(discrimination: number): string {
  const value = `(${discrimination.toFixed(2).replace('-', '−')})`
  if (discrimination >= 0.3) return `Strong students got this right, weak ones did not ${value}`
  if (discrimination >= 0.1) return `Strong students did somewhat better than weak ones ${value}`
  if (discrimination >= 0) return `Strong and weak students did about the same ${value}`
  return `Weak students did better than strong ones: check the answer key ${value}`
}
