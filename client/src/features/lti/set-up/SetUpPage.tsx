import { getCourse } from '@assay/shared/courses.ts'
import { getSetUp, type Launch, type SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { Button, NativeSelect, Radio, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { Link, Navigate, useNavigate } from 'react-router-dom'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import type { ApiError } from '../../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { launchHomePath, launchStore, useLaunch } from '../../../lib/session/launch.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './SetUp.module.css'
import { isComplete, type OfferedAssignment, type SetUpValues, setUpForm } from './set-up-form.ts'

export function SetUpPage() {
  const launch = useLaunch()
  if (!launch) return null
  // Settled meanwhile, and come back to by the browser's button.
  if (launch.purpose !== 'set_up') return <Navigate to={launchHomePath(launch)} replace />
  return <LoadedSetUp launch={launch} />
}

function LoadedSetUp({ launch }: { launch: Launch }) {
  const setUp = useGet(getSetUp)
  const what = launch.link_title ?? launch.context_title
  return (
    <Page width="reading">
      <PageHeader
        title={what ? `Set up “${what}”` : 'Set up this course'}
        subtitle={`You only choose this once. After that, ${launch.platform.name} opens the right page automatically.`}
      />
      <Loaded
        query={setUp}
        title="The setup could not be loaded"
        skeleton={<RowSkeletons count={5} label="Loading the setup" />}
      >
        {(data) => <SetUpForm key={data.course_id} launch={launch} setUp={data} reload={setUp.reload} />}
      </Loaded>
    </Page>
  )
}

function SetUpForm({ launch, setUp, reload }: { launch: Launch; setUp: SetUp; reload: () => Promise<boolean> }) {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const { send } = useSend(setUpLaunch)
  const form = useContractForm(setUpLaunch, setUpForm(setUp))
  const { values, change, errors, failure } = form
  const offered = useOfferedAssignments(setUp, values)

  const submit = form.submit(
    async (body) => {
      const settled = await send({ body })
      void refresh('/courses', '/assignments', '/lti/launch')
      launchStore.set(settled)
      if (body.assignment.kind === 'later') await navigate(`/create-assignment?courseId=${settled.course_id}&for=link`)
    },
    {
      failed: (error) => {
        if (!isAlreadySetUp(error)) return
        toast.error(error.message)
        void reload()
      },
    },
  )

  return (
    <form className={classes.root} onSubmit={submit}>
      {launch.can_join_account && setUp.course_id === null && (
        <p className={classes.aside}>
          Already use Assay outside the LMS? <Link to="/lti/account">Merge that account</Link> first to choose from its
          courses.
        </p>
      )}
      {setUp.copied_from && (
        <Notice>
          This course was copied from “{setUp.copied_from.course_name}”. Student work stays in the original course.
        </Notice>
      )}
      {setUp.course_id === null && (
        <CourseChoice setUp={setUp} lms={launch.platform.name} values={values} change={change} errors={errors} />
      )}
      {setUp.has_link && (
        <AssignmentChoice setUp={setUp} offered={offered} values={values} change={change} errors={errors} />
      )}
      {failure && !isAlreadySetUp(failure) && (
        <ErrorNotice error={failure} fallback="This could not be saved. Please try again." />
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!isComplete(setUp, values)} loading={form.submitting}>
          {setUp.has_link && values.assignment === 'new' ? 'Continue to the new assignment' : 'Continue'}
        </Button>
      </div>
    </form>
  )
}

const isAlreadySetUp = ({ status }: ApiError) => status === 409

function useOfferedAssignments(setUp: SetUp, { course, courseId }: SetUpValues) {
  const chosen = setUp.course_id === null && course === 'existing' ? courseId : null
  const detail = useGet(getCourse, { courseId: chosen ?? 0 }, undefined, { enabled: chosen !== null })
  return chosen === null ? setUp.assignments : (detail.data?.assignments ?? [])
}

interface CourseChoiceProps {
  setUp: SetUp
  lms: string
  values: SetUpValues
  change: (part: Partial<SetUpValues>) => void
  errors: FormErrors
}

function CourseChoice({ setUp: { courses, context_title }, lms, values, change, errors }: CourseChoiceProps) {
  const isNew = values.course === 'new'
  const choose = (course: string) =>
    change({ course: course === 'existing' ? 'existing' : 'new', ...resetAssignment(values) })
  return (
    <Radio.Group
      label={context_title ? `Which course is “${context_title}”?` : 'Which course is this?'}
      classNames={{ label: classes.question }}
      value={values.course}
      onChange={choose}
      error={errors.course}
    >
      <div className={classes.choices}>
        <Radio value="new" label="A new course in Assay" description={`Students are added from ${lms}.`} />
        {isNew && (
          <TextInput
            className={classes.more}
            label="Course name"
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            maxLength={200}
            required
            data-path="name"
            error={errors.name}
          />
        )}
        {courses.length > 0 && (
          <Radio
            value="existing"
            label="Another section of a course I teach here"
            description="Its students are added to that course. Both sections share its assignments."
          />
        )}
        {!isNew && (
          <NativeSelect
            className={classes.more}
            label="Course"
            data={[
              { value: '', label: 'Choose a course' },
              ...courses.map(({ id, name, assignments }) => ({
                value: String(id),
                label: `${name} (${plural(assignments, 'assignment')})`,
              })),
            ]}
            data-path="courseId"
            error={errors.courseId}
            value={String(values.courseId ?? '')}
            onChange={(event) =>
              change({ courseId: Number(event.currentTarget.value) || null, ...resetAssignment(values) })
            }
            required
          />
        )}
      </div>
    </Radio.Group>
  )
}

const resetAssignment = ({ assignment }: SetUpValues): Partial<SetUpValues> => ({
  assignmentId: null,
  assignment: assignment === 'existing' ? 'new' : assignment,
})

interface AssignmentChoiceProps extends Omit<CourseChoiceProps, 'lms'> {
  offered: OfferedAssignment[]
}

const kinds = ['copy', 'existing', 'new', 'none'] as const

function AssignmentChoice({
  setUp: { link_title, copied_from },
  offered,
  values,
  change,
  errors,
}: AssignmentChoiceProps) {
  const choose = (value: string) => {
    const assignment = kinds.find((kind) => kind === value)
    if (assignment) change({ assignment })
  }
  return (
    <Radio.Group
      label={link_title ? `What should “${link_title}” open?` : 'What should this link open?'}
      classNames={{ label: classes.question }}
      value={values.assignment}
      onChange={choose}
      error={errors.assignment}
    >
      <div className={classes.choices}>
        {copied_from?.assignment_id != null && (
          <Radio
            value="copy"
            label={`A copy of “${copied_from.title}” from “${copied_from.course_name}”`}
            description="Copies its blank paper, answer key and rubric into a new draft, without student work."
          />
        )}
        {offered.length > 0 && (
          <Radio value="existing" label="An assignment of this course" description="It is already in Assay." />
        )}
        {offered.length > 0 && values.assignment === 'existing' && (
          <NativeSelect
            className={classes.more}
            label="Assignment"
            data={[
              { value: '', label: 'Choose an assignment' },
              ...offered.map(({ id, title, status }) => ({
                value: String(id),
                label: status === 'draft' ? `${title} (draft)` : title,
              })),
            ]}
            data-path="assignmentId"
            error={errors.assignmentId}
            value={String(values.assignmentId ?? '')}
            onChange={(event) => change({ assignmentId: Number(event.currentTarget.value) || null })}
            required
          />
        )}
        <Radio
          value="new"
          label="A new assignment"
          description="You choose the blank paper and the answer key on the next page."
        />
        <Radio
          value="none"
          label="The course, with all its assignments"
          description="This link then has no grade column."
        />
      </div>
    </Radio.Group>
  )
}
