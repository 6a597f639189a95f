import { acceptEnrollment, declineEnrollment, type EnrollmentRequest } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'

export const EnrollmentRequests = ({ requests = [] }: { requests: EnrollmentRequest[] | undefined }) =>
  requests.map((request) => <Request key={request.course_id} request={request} />)

function Request({ request: { course_id, course_name } }: { request: EnrollmentRequest }) {
  const accept = useSend(acceptEnrollment)
  const decline = useSend(declineEnrollment)
  const refresh = useRevalidate()
  const answer = async ({ attempt }: typeof accept | typeof decline) => {
    if (await attempt({ params: { courseId: course_id } })) await refresh('/student')
  }
  return (
    <Notice
      actions={
        <>
          <Button size="xs" loading={accept.sending} onClick={() => void answer(accept)}>
            Accept
          </Button>
          <SecondaryButton size="xs" loading={decline.sending} onClick={() => void answer(decline)}>
            Decline
          </SecondaryButton>
        </>
      }
    >
      <em>{course_name}</em> would like to enrol you.
      <ErrorNotice error={accept.error ?? decline.error} fallback="This could not be saved. Please try again." />
    </Notice>
  )
}
