import { Navigate } from 'react-router-dom'
import { homeOf } from '../lib/paths.ts'
import { useSession } from '../lib/session.tsx'
import { StartingUp } from './StartingUp.tsx'
import { Unreachable } from './Unreachable.tsx'

/** Until the landing page comes: to the sign-in page, or to where the role starts. */
export function StartPage() {
  const session = useSession()
  if (session.status === 'signedIn') return <Navigate to={homeOf(session.user.role)} replace />
  if (session.status === 'unreachable') return <Unreachable error={session.error} retry={session.retry} />
  if (session.status === 'loading') return <StartingUp />
  return <Navigate to="/auth/login" replace />
}
