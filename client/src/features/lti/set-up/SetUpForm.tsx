import { getCourse } from '@assay/shared/courses.ts'
import { type Launch, type SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { type ApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { launchStore } from '../../../lib/session/launch.ts'
import { toast } from '../../../lib/toast.ts'
import { AssignmentChoice } from './AssignmentChoice.tsx'
import { CourseChoice } from './CourseChoice.tsx'
import classes from './SetUp.module.css'
import { isComplete, type SetUpValues, setUpForm } from './set-up-form.ts'

interface Props {
  launch: Launch
  setUp: SetUp
  reload: () => Promise<boolean>
}

export function SetUpForm({ launch, setUp, reload }: Props) {
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
      // Once everything is set up, the page continues automatically.
      launchStore.set(settled)
      if (body.assignment.kind === 'later') await navigate(`/create-assignment?courseId=${settled.course_id}&for=link`)
    },
    {
      failed: (error) => {
        if (!isAlreadySetUp(error)) return
        // What there is to choose has changed, and this form with it.
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
        <Notice tone="bad">{messageOf(failure, 'This could not be saved. Please try again.')}</Notice>
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!isComplete(setUp, values)} loading={form.submitting}>
          {setUp.has_link && values.assignment === 'new' ? 'Continue to the new assignment' : 'Continue'}
        </Button>
      </div>
    </form>
  )
}

/** Somebody else has set it up meanwhile. */
const isAlreadySetUp = ({ status }: ApiError) => status === 409

/** The assignments of the course that is settled, or chosen here. */
function useOfferedAssignments(setUp: SetUp, { course, courseId }: SetUpValues) {
  const chosen = setUp.course_id === null && course === 'existing' ? courseId : null
  const detail = useGet(getCourse, { courseId: chosen ?? 0 }, undefined, { enabled: chosen !== null })
  return chosen === null ? setUp.assignments : (detail.data?.assignments ?? [])
}
