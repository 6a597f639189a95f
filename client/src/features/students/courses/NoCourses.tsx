import { PrimaryLinkButton } from '../../../components/display/buttons.tsx'
import { CourseIllustration, EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { launchId } from '../../../lib/session/launch-path.ts'
import { useUser } from '../../../lib/session/session.tsx'

export function NoCourses() {
  const { email } = useUser()
  if (launchId !== null) {
    return (
      <EmptyState illustration={<CourseIllustration />} title="No Courses Yet">
        Courses appear here after you open Assay from your LMS.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      illustration={<CourseIllustration />}
      title="No Courses Yet"
      action={<PrimaryLinkButton to="/student/join-course">Join a Course</PrimaryLinkButton>}
    >
      Join with the code your instructor gave you, or ask your instructor to add your email address,{' '}
      <strong>{email}</strong>. The course then appears here with your assignments and grades.
    </EmptyState>
  )
}
