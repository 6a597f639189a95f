import { listQuestionStatistics } from '@assay/shared/analytics.ts'
import type { CourseDetail } from '@assay/shared/courses.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { QuestionStatisticsRow } from './QuestionStatisticsRow.tsx'
import classes from './QuestionsPanel.module.css'

/** One assignment at a time: how hard its questions were, and where points were lost. */
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
        <ol className={classes.list}>
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
