import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { retentionWords } from '@assay/shared/rules/retention.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Loaded } from '../../components/feedback/Loaded.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { previewSentences, RulePreview, retentionChoices } from './RulePreview.tsx'

export function RetentionPanel({ courseId }: { courseId: number }) {
  const retention = useGet(getCourseRetention, { courseId })
  return (
    <Panel title="Keeping student work">
      <Loaded query={retention} skeleton={<RowSkeletons label="Loading the rule" />}>
        {(data) => <RuleForm courseId={courseId} retention={data} loaded={retention} />}
      </Loaded>
    </Panel>
  )
}

const SCHOOL = 'school'
const toValue = (months: number | null) => (months === null ? SCHOOL : String(months))
const toMonths = (value: string) => (value === SCHOOL ? null : Number(value))

interface FormProps {
  courseId: number
  retention: CourseRetention
  loaded: QueryResult<CourseRetention>
}

function RuleForm({ courseId, retention, loaded }: FormProps) {
  const { months, school_months, effective_months, upcoming } = retention
  const [chosen, setChosen] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const save = useSend(setCourseRetention)
  const refresh = useRevalidate()
  const value = chosen ?? toValue(months)
  const changed = value !== toValue(months)
  const wanted = toMonths(value)
  const preview = useGet(previewCourseRetention, { courseId }, wanted === null ? {} : { months: wanted }, {
    enabled: changed,
  })
  const sentences = changed && preview.data ? previewSentences(preview.data) : []
  const deletes = preview.data !== undefined && preview.data.assignments > 0

  async function store() {
    const after = await save.send({ params: { courseId }, body: { months: wanted } })
    loaded.patch(() => after)
    setChosen(null)
    toast.success('Rule saved.')
    void refresh(`/courses/${courseId}`)
  }

  const first = upcoming[0]
  return (
    <div className="wide-stack">
      <p className="plain">
        {months === null ? 'School’s rule' : 'This course’s rule'}: {retentionWords(effective_months)}.
      </p>
      {first && (
        <Notice tone="warn">
          The student work of {plural(upcoming.length, 'assignment')} will be deleted, from{' '}
          {formatDate(first.delete_at)} on. A longer rule takes that back.
        </Notice>
      )}
      <NativeSelect
        label="Student work of this course"
        description="Papers with answers, grades and comments. Assignments with their blanks, answer keys and rubrics stay."
        value={value}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: SCHOOL, label: `As the school does: ${retentionWords(school_months)}` },
          ...retentionChoices(months ?? 0),
        ]}
      />
      <RulePreview preview={changed ? preview : null} />
      {save.error && !asking && <Notice tone="bad">{messageOf(save.error, 'The rule was not saved.')}</Notice>}
      <div className="button-row">
        <Button
          size="sm"
          disabled={!changed || !preview.data}
          loading={save.sending && !asking}
          // Its failure is shown above.
          onClick={() => (deletes ? setAsking(true) : void store().catch(() => {}))}
        >
          Save Rule
        </Button>
        {changed && (
          <Button size="sm" variant="default" onClick={() => setChosen(null)}>
            Keep Current Rule
          </Button>
        )}
      </div>
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Save this rule?"
        confirmLabel="Save Rule"
        dangerous
        onConfirm={store}
      >
        <p>{sentences.join(' ')}</p>
        <p>
          The instructors of the course are emailed. Until the deletion, a longer rule or any new activity takes it
          back.
        </p>
      </ConfirmModal>
    </div>
  )
}
