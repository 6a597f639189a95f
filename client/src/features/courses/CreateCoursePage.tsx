import { type Course, createCourse } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { UnsavedChanges } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader } from '../../components/layout/Page.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { timeZone } from '../../lib/local-time.ts'
import { coursePath } from '../../paths.ts'
import { CourseFormFields, courseForm } from './CourseFormFields.tsx'
import classes from './CreateCoursePage.module.css'
import { courseErrorMessage, createCourseErrors } from './WithCourse.tsx'

const REDIRECT_MS = 2000

export function CreateCoursePage() {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const create = useSend(createCourse)
  const form = useContractForm(
    createCourse,
    courseForm({ name: '', description: '', course_code: '', time_zone: timeZone() }),
  )
  const [made, setMade] = useState<Course | null>(null)

  useEffect(() => {
    if (made === null) return
    const timer = setTimeout(() => navigate(coursePath(made.id, 'roster')), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [made, navigate])

  const submit = form.submit(async (body) => {
    const course = await create.send({ body })
    setMade(course)
    void refresh('/courses')
  })

  return (
    <Page width="standard">
      <PageHeader
        title="Create course"
        crumbs={[{ label: 'My Courses', to: '/courses' }, { label: 'Create course' }]}
      />
      <div className={classes.columns}>
        <form className="wide-stack" onSubmit={submit}>
          <CourseFormFields form={form} />
          {form.failure && <Notice tone="bad">{courseErrorMessage(form.failure, createCourseErrors)}</Notice>}
          <div role="status">
            {made !== null && <Notice>Course “{made.name}” created successfully! Next, its students…</Notice>}
          </div>
          <div className={classes.buttons}>
            <Button
              type="submit"
              size="sm"
              disabled={form.values.name.trim() === '' || made !== null}
              loading={form.submitting}
            >
              Create Course
            </Button>
            <LinkButton to="/courses" size="sm">
              Cancel
            </LinkButton>
          </div>
        </form>
        <aside className={classes.tips}>
          <h2>Tips</h2>
          <ul>
            <li>Use the name your students know, with the class or term: “Biology 8b”.</li>
            <li>Use a course code to distinguish parallel courses.</li>
            <li>Enroll students before uploading papers, so files named after them are matched automatically.</li>
          </ul>
        </aside>
      </div>
      <UnsavedChanges when={made === null && form.isDirty()}>
        The course has not been created. Your input will be lost.
      </UnsavedChanges>
    </Page>
  )
}
