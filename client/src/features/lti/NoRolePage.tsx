import { listCourses } from '@assay/shared/courses.ts'
import type { Launch } from '@assay/shared/lti/lti.ts'
import { Button } from '@mantine/core'
import { LinkButton } from '../../components/display/buttons.tsx'
import { EmptyState, PeopleIllustration } from '../../components/feedback/EmptyState.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { useLaunch } from '../../lib/session/launch.ts'
import { lmsReturnUrl } from './lms-return-url.ts'

function reasonFor({ purpose, lms_administrator: administrator }: Launch, lms: string): string {
  if (purpose === 'student_view')
    return `You teach this course. Its students see their own papers and grades here, and you have none. To teach, switch back to your own role in ${lms}, then open Assay from there again.`
  if (administrator === 'not_listed')
    return `You administer ${lms}, but you are not a member of this course there. Only members can see its papers and grades. To teach it, enrol yourself in the course in ${lms} as a teacher, then open Assay from there again.`
  if (administrator === 'list_unreadable')
    return `You administer ${lms}, so Assay asked it whether you also teach this course, and got no list of the course’s members. Allow Assay to read it in ${lms} (Names and Role Provisioning Services), or ask a teacher of the course to add you as an instructor in Assay. Then open Assay from the course again.`
  return `${lms} lists you as neither a teacher nor a student in this course, as it does administrators and people who only look on, such as parents. Only members of the course can see its papers and grades. To see them, ask to be added to the course in ${lms} as a teacher, then open Assay from there again.`
}

export function NoRolePage() {
  const launch = useLaunch()
  const own = useGet(listCourses, undefined, { limit: 1 })
  const lms = launch?.platform.name ?? 'your LMS'
  const back = lmsReturnUrl(launch)
  const course = launch?.context_title ? `“${launch.context_title}”` : 'this course'
  const asStudent = launch?.purpose === 'student_view'
  const title = asStudent ? `You opened ${course} as a student` : `You have no role in ${course}`
  usePageTitle(title)
  return (
    <EmptyState
      titleOrder={1}
      illustration={<PeopleIllustration />}
      title={title}
      action={
        <>
          {back && (
            <Button component="a" href={back} target="_top">
              Back to {lms}
            </Button>
          )}
          {(own.total ?? 0) > 0 && <LinkButton to="/student/dashboard">My other courses</LinkButton>}
        </>
      }
    >
      {launch && reasonFor(launch, lms)}
      {!asStudent && ' To administer Assay, sign in at its own address with an administrator account.'}
    </EmptyState>
  )
}
