import { type CourseDetail, getCourse, updateCourse } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { UnsavedChangesModal } from '../../components/UnsavedChangesModal.tsx'
import { useGet, useRefresh, useSend } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { useIds } from '../../lib/useIds.ts'
import { useUnsavedChanges } from '../../lib/useUnsavedChanges.ts'
import { CourseFieldInputs, type CourseFields, courseBody, isAtCourseField } from './CourseForm.tsx'
import { CourseFailed } from './CourseStates.tsx'
import classes from './CreateCoursePage.module.css'
import { changeWords } from './course-words.ts'

const REDIRECT_MS = 1500

export function EditCoursePage() {
  const { courseId } = useIds('courseId')
  const course = useGet(getCourse, { courseId })
  if (course.data) return <EditForm key={course.data.id} course={course.data} />
  if (course.error) return <CourseFailed error={course.error} retry={course.reload} />
  return <PageSkeleton label="Loading course" />
}

function EditForm({ course }: { course: CourseDetail }) {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const save = useSend(updateCourse)
  // What was loaded when the form opened: a refresh meanwhile must not change what counts as changed.
  const [loaded] = useState<CourseFields>({
    name: course.name,
    description: course.description ?? '',
    course_code: course.course_code ?? '',
  })
  const [fields, setFields] = useState(loaded)
  const [saved, setSaved] = useState<string | null>(null)
  const changed = JSON.stringify(fields) !== JSON.stringify(loaded)
  const guard = useUnsavedChanges(changed && saved === null)
  const back = `/courses/${course.id}`

  useEffect(() => {
    if (saved === null) return
    const timer = setTimeout(() => navigate(back), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [saved, navigate, back])

  async function submit(event: FormEvent) {
    event.preventDefault()
    try {
      const { name } = await save.send({ params: { courseId: course.id }, body: courseBody(fields) })
      setSaved(name)
      toast.good(`Course "${name}" updated successfully!`)
      void refresh('/courses')
    } catch {
      // Shown beside the button.
    }
  }

  return (
    <Page width="standard">
      <PageHeader
        title="Edit Course"
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: back },
          { label: 'Edit Course' },
        ]}
      />
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <CourseFieldInputs fields={fields} change={setFields} error={save.error} />
        {save.error && !isAtCourseField(save.error) && (
          <Notice tone="bad">
            {changeWords(save.error, 'Course information is not available', 'Failed to update course')}
          </Notice>
        )}
        <div role="status">
          {changed && saved === null && <Notice tone="warn">You have unsaved changes</Notice>}
          {saved !== null && (
            <Notice>Course “{saved}” updated successfully! Taking you to the course…</Notice>
          )}
        </div>
        <div className={classes.buttons}>
          <Button
            type="submit"
            size="sm"
            disabled={fields.name.trim() === '' || !changed || saved !== null}
            loading={save.sending}
          >
            Save Changes
          </Button>
          <Button component={Link} to={back} size="sm" variant="default">
            Cancel
          </Button>
        </div>
      </form>
      <UnsavedChangesModal opened={guard.asking} stay={guard.stay} discard={guard.leave}>
        Your changes to the course have not been saved.
      </UnsavedChangesModal>
    </Page>
  )
}
