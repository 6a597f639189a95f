import type { Profile } from '@assay/shared/profile.ts'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import classes from './ProfilePage.module.css'

export function AccountCard({ profile }: { profile: Profile }) {
  const { created_at, updated_at, email_verified, from_lms } = profile
  return (
    <section className={classes.card} aria-labelledby="account">
      <div className={classes.head}>
        <h2 id="account">Account Security</h2>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Status</dt>
          <dd className={classes.good}>
            <IconCircleCheck size={16} aria-hidden /> Active
          </dd>
        </div>
        {!from_lms && (
          <div>
            <dt>Address</dt>
            <dd className={email_verified ? classes.good : classes.dim}>
              {email_verified ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleDashed size={16} aria-hidden />}
              {email_verified ? 'Confirmed' : 'Not confirmed'}
            </dd>
          </div>
        )}
        <div>
          <dt>Member Since</dt>
          <dd>{formatDate(created_at)}</dd>
        </div>
        <div>
          <dt>Last Updated</dt>
          <dd>{updated_at === created_at ? 'Never' : formatDateTime(updated_at)}</dd>
        </div>
        <div>
          <dt>User ID</dt>
          <dd>{profile.id}</dd>
        </div>
      </dl>
    </section>
  )
}
