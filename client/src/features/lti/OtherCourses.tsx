import type { Launch } from '@assay/shared/lti/lti.ts'
import { Link } from 'react-router-dom'
import { Notice } from '../../components/feedback/Notice.tsx'

/** For an account with a password, which the LMS has opened without it. */
export const OtherCourses = ({ launch }: { launch: Launch }) => (
  <Notice>
    Only your courses from {launch.platform.name} are shown. <Link to="/lti/account">Sign in with your password</Link>{' '}
    to see the others.
  </Notice>
)
