import { JOIN_CODE_LENGTH } from '@assay/shared/rules/join-code.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { Page, PageHeader } from '../../../components/layout/Page.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { toast } from '../../../lib/toast.ts'
import { studentCoursePath } from '../../../paths.ts'
import classes from './JoinCoursePage.module.css'

export function JoinCoursePage() {
  const user = useUser()
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const { send } = useSend(joinCourse)
  const form = useContractForm(joinCourse, {
    initialValues: { code: '' },
    toBody: (values) => values,
    fieldErrors: (error) => ({ code: messageOf(error, 'You could not join the course. Please try again.') }),
  })
  const submit = form.submit(async (body) => {
    const course = await send({ body })
    toast.success(`You have joined ${course.name}.`)
    await refresh('/student')
    await navigate(studentCoursePath(course.id))
  })

  return (
    <Page width="narrow">
      <PageHeader
        title="Join Course"
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'Join Course' }]}
      />
      <form className={classes.form} noValidate onSubmit={submit}>
        <TextInput
          label="Course code"
          description={`${JOIN_CODE_LENGTH} letters and digits from your instructor. Dashes and capitals are ignored.`}
          classNames={{ input: classes.code }}
          placeholder="K7QM-3XPB"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          size="md"
          {...form.getInputProps('code')}
        />
        <div className="button-row">
          <Button type="submit" loading={form.submitting}>
            Join Course
          </Button>
          <LinkButton to="/student/dashboard">Cancel</LinkButton>
        </div>
      </form>
      <p className={classes.other}>
        No code? Your instructor can enroll you with your email address, <strong>{user.email}</strong>.
      </p>
    </Page>
  )
}
