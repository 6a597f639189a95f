import type { CourseDetail } from '@assay/shared/courses.ts'
import { type CourseRetention, changeCourseRetention, getCourseRetention } from '@assay/shared/retention.ts'
import { describeRetention } from '@assay/shared/rules/retention-rule.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import panel from '../../components/layout/Panel.module.css'
import { Panel } from '../../components/layout/Panel.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDate } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import classes from './CourseRetentionPanel.module.css'
import { retentionOptions } from './retention-options.ts'

/** The value of the select that stands for no rule of the course's own. */
const SCHOOL = 'school'

/** For how long a course's student work is kept. Says what a rule means before it is saved. */
export function CourseRetentionPanel({ course }: { course: Pick<CourseDetail, 'id'> }) {
  const retention = useGet(getCourseRetention, { courseId: course.id })
  return (
    <div className={classes.root}>
      <Panel title="Keeping student work">
        <p className={panel.about}>
          Papers, answers, grades and feedback of an assignment can be deleted once nothing has happened in it for a
          while. You get an email two weeks before. The assignment, its rubric and scores in your LMS stay.
        </p>
        {body()}
      </Panel>
    </div>
  )

  function body() {
    if (retention.data) return <RuleForm courseId={course.id} rule={retention.data} loaded={retention} />
    if (retention.error) return <LoadError error={retention.error} retry={retention.reload} />
    return <RowSkeletons count={1} label="Loading the rule" />
  }
}

interface FormProps {
  courseId: number
  rule: CourseRetention
  loaded: QueryResult<CourseRetention>
}

function RuleForm({ courseId, rule, loaded }: FormProps) {
  const stored = rule.own_months === null ? SCHOOL : String(rule.own_months)
  const [chosen, setChosen] = useState<string | null>(null)
  const value = chosen ?? stored
  const changed = value !== stored
  const months = value === SCHOOL ? rule.school_months : Number(value)
  const preview = useGet(getCourseRetention, { courseId }, { months }, { enabled: changed })
  const { send, sending, error } = useSend(changeCourseRetention)
  const refresh = useRevalidate()
  const due = changed ? preview.data?.due : rule.due

  async function save() {
    const after = await send({ params: { courseId }, body: { months: value === SCHOOL ? null : Number(value) } })
    loaded.patch(() => after)
    setChosen(null)
    toast.success('Rule saved.')
    void refresh('/assignments', '/courses')
  }

  return (
    <div className={classes.rule}>
      <NativeSelect
        label="Student work"
        value={value}
        disabled={sending}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: SCHOOL, label: `School’s rule: ${describeRetention(rule.school_months)}` },
          ...retentionOptions(rule.own_months),
        ]}
      />
      <div role="status">{due && <Notice tone="warn">{dueWords(due, changed)}</Notice>}</div>
      {changed && preview.error && <LoadError error={preview.error} retry={preview.reload} />}
      {error && <Notice tone="bad">{messageOf(error, 'The rule could not be saved. Please try again.')}</Notice>}
      {changed && (
        <div className={classes.buttons}>
          <Button
            size="sm"
            loading={sending}
            disabled={preview.data === undefined}
            onClick={() => void save().catch(() => undefined)}
          >
            Save Rule
          </Button>
          <Button size="sm" variant="default" disabled={sending} onClick={() => setChosen(null)}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}

function dueWords({ assignments, papers, delete_at }: NonNullable<CourseRetention['due']>, asked: boolean): string {
  const of = assignments === 1 ? 'one assignment' : `${assignments} assignments`
  const work = papers === 1 ? 'One paper' : `${papers} papers`
  const will = asked ? 'would' : 'will'
  return `${work} in ${of} ${will} be deleted from ${formatDate(delete_at)} on, unless something happens there before. To keep grades, export them first.`
}
