import type { Profile } from '@assay/shared/profile.ts'
import { Link } from 'react-router-dom'
import { useLaunch } from '../../lib/session/launch.ts'
import classes from './ProfilePage.module.css'

/** In place of forms: who somebody is, their LMS says. */
export function LmsAccount({ profile: { full_name, username, email } }: { profile: Profile }) {
  const launch = useLaunch()
  const lms = launch?.platform.name ?? 'your LMS'
  return (
    <section className={classes.card} aria-labelledby="basic">
      <div className={classes.head}>
        <h2 id="basic">Basic Information</h2>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Name</dt>
          <dd>{full_name ?? username}</dd>
        </div>
        {email && (
          <div>
            <dt>Email</dt>
            <dd>{email}</dd>
          </div>
        )}
      </dl>
      <p className={classes.text}>
        This account was created by {lms}. Your name and email come from there, and there is no password.
        {launch?.can_join_account && (
          <>
            {' '}
            If you sign in to Assay with a password elsewhere, you can <Link to="/lti/account">merge the accounts</Link>
            .
          </>
        )}
      </p>
    </section>
  )
}
