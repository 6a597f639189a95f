import { type CourseDetail, updateCourse } from '@assay/shared/courses.ts'
import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { retentionWords } from '@assay/shared/rules/retention.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ConfirmModal, UnsavedChanges } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, Panel, RowSkeletons } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath } from '../../paths.ts'
import { previewSentences, RulePreview, retentionChoices } from '../privacy/retention/RulePreview.tsx'
import { CourseFormFields, courseForm } from './CourseFormFields.tsx'
import classes from './CreateCoursePage.module.css'
import { courseChangeErrorMessage, WithCourse } from './WithCourse.tsx'

const REDIRECT_MS = 1500

export function EditCoursePage() {
  return <WithCourse>{(course) => <EditForm course={course} />}</WithCourse>
}

function EditForm({ course }: { course: CourseDetail }) {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const save = useSend(updateCourse)
  // From when the form opened: a refresh must not change what counts as changed.
  const form = useContractForm(
    updateCourse,
    courseForm({
      name: course.name,
      description: course.description ?? '',
      course_code: course.course_code ?? '',
      time_zone: course.time_zone,
    }),
  )
  const changed = form.isDirty()
  const [saved, setSaved] = useState<string | null>(null)
  const back = coursePath(course.id)

  useEffect(() => {
    if (saved === null) return
    const timer = setTimeout(() => navigate(back), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [saved, navigate, back])

  const submit = form.submit(async (body) => {
    const { name } = await save.send({ params: { courseId: course.id }, body })
    setSaved(name)
    toast.success(`Course "${name}" updated successfully!`)
    void refresh('/courses')
  })

  return (
    <Page width="standard">
      <PageHeader
        title="Edit Course"
        crumbs={[{ label: 'My Courses', to: '/courses' }, { label: course.name, to: back }, { label: 'Edit Course' }]}
      />
      <form className="wide-stack" onSubmit={submit}>
        <CourseFormFields form={form} />
        {form.failure && (
          <Notice tone="bad">
            {courseChangeErrorMessage(form.failure, 'Course information is not available', 'Failed to update course')}
          </Notice>
        )}
        <div role="status">
          {changed && saved === null && <Notice tone="warn">You have unsaved changes</Notice>}
          {saved !== null && <Notice>Course “{saved}” updated successfully! Taking you to the course…</Notice>}
        </div>
        <div className={classes.buttons}>
          <Button
            type="submit"
            size="sm"
            disabled={form.values.name.trim() === '' || !changed || saved !== null}
            loading={form.submitting}
          >
            Save Changes
          </Button>
          <LinkButton to={back} size="sm">
            Cancel
          </LinkButton>
        </div>
      </form>
      <div className={classes.retention}>
        <RetentionPanel courseId={course.id} />
      </div>
      <UnsavedChanges when={changed && saved === null}>Your changes to the course have not been saved.</UnsavedChanges>
    </Page>
  )
}

function RetentionPanel({ courseId }: { courseId: number }) {
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
          <SecondaryButton size="sm" onClick={() => setChosen(null)}>
            Keep Current Rule
          </SecondaryButton>
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
