import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import classes from './landing.module.css'

export function CallToAction() {
  const session = useSession()
  return (
    <section className={classes.call} aria-labelledby="call">
      <h2 id="call">Try it with one quiz</h2>
      <p>No credit card, no end date: Assay is free software under the MIT license.</p>
      <div className={classes.callButtons}>
        {session.status === 'signedIn' ? (
          <Button component={Link} to={homePathOf(session.user.role)} size="lg">
            Go to your dashboard
          </Button>
        ) : (
          <>
            <Button component={Link} to="/auth/register?role=instructor" size="lg">
              Start Free Trial
            </Button>
            <Button component={Link} to="/auth/login" size="lg" variant="default">
              Sign In
            </Button>
          </>
        )}
      </div>
    </section>
  )
}
