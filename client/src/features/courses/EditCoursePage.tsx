import { type CourseDetail, updateCourse } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { UnsavedChanges } from '../../components/feedback/UnsavedChangesModal.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import { RetentionPanel } from '../retention/RetentionPanel.tsx'
import { CourseFormFields, courseForm } from './CourseFormFields.tsx'
import classes from './CreateCoursePage.module.css'
import { courseChangeErrorMessage } from './course-error-messages.ts'
import { WithCourse } from './WithCourse.tsx'

const REDIRECT_MS = 1500

export function EditCoursePage() {
  return <WithCourse>{(course) => <EditForm course={course} />}</WithCourse>
}

function EditForm({ course }: { course: CourseDetail }) {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const save = useSend(updateCourse)
  // What was loaded when the form opened: a refresh meanwhile must not change what counts as changed.
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
  const back = `/courses/${course.id}`

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
