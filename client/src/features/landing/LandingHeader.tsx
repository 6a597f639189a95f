import { Link } from 'react-router-dom'
import { Wordmark } from '../../layout/Wordmark.tsx'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import classes from './Hero.module.css'

/** The landing page has no bar; this is the way in for those who know their way. */
export function LandingHeader() {
  const session = useSession()
  return (
    <header className={classes.header}>
      <Wordmark />
      <nav aria-label="Account" className={classes.account}>
        {session.status === 'signedIn' ? (
          <Link to={homePathOf(session.user.role)}>Go to your dashboard</Link>
        ) : (
          <>
            <Link to="/auth/login">Sign In</Link>
            <Link to="/auth/register">Sign Up</Link>
          </>
        )}
      </nav>
    </header>
  )
}
