import { Link } from 'react-router-dom'
import { Wordmark } from '../../layout/Wordmark.tsx'
import { homeOf } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import classes from './Hero.module.css'

/** The landing page has no bar; this is the way in for those who know their way. */
export function LandingHeader() {
  const session = useSession()
  return (
    <header className={classes.header}>
      <Wordmark />
      <nav aria-label="Account" className={classes.account}>
        {session.status === 'signedIn' ? (
          <Link to={homeOf(session.user.role)}>Go to your dashboard</Link>
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
