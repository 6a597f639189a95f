import { lazy, Suspense } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { PageErrorBoundary } from '../errors/PageErrorBoundary.tsx'
import { useSession } from '../lib/session/session.tsx'
import footerClasses from './Footer.module.css'
import classes from './Layout.module.css'
import { pagesWithoutBar } from './pages-without-bar.ts'
import { useFocusOnNavigation } from './useFocusOnNavigation.ts'
import { useRoleAttribute } from './useRoleAttribute.ts'
import { Wordmark } from './Wordmark.tsx'

const SignedInBar = lazy(async () => {
  // Nothing else on a public page has loaded these styles.
  const [bar] = await Promise.all([import('./navigation/SignedInBar.tsx'), import('../theme/signed-in.css')])
  return { default: bar.SignedInBar }
})

export function Layout() {
  const { pathname } = useLocation()
  const main = useFocusOnNavigation()
  const bare = pagesWithoutBar.includes(pathname)
  return (
    <div className={classes.root}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {!bare && (
        <a className={classes.skip} href="#bar">
          Skip to navigation
        </a>
      )}
      {!bare && <Bar />}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <PageErrorBoundary key={pathname}>
          <Outlet />
        </PageErrorBoundary>
      </main>
      {(!bare || pathname === '/') && <Footer />}
      <ScrollRestoration />
    </div>
  )
}

function Bar() {
  const session = useSession()
  const user = session.status === 'signedIn' ? session.user : null
  useRoleAttribute(user?.role)
  return (
    <header id="bar" tabIndex={-1} className={classes.bar} data-bar>
      <div className={classes.barInner}>
        {/* The guard redirects students to theirs. */}
        <Link to={user ? '/dashboard' : '/'} className={classes.logo} aria-label="Assay, start page">
          <Wordmark />
        </Link>
        {user?.role === 'student' && <span className={`student-portal-word ${classes.portal}`}>Student portal</span>}
        {user && (
          <Suspense fallback={null}>
            <SignedInBar user={user} />
          </Suspense>
        )}
        {session.status === 'signedOut' && (
          <nav aria-label="Account" className={classes.account}>
            <Link to="/auth/login">Sign In</Link>
            <Link to="/auth/register">Sign Up</Link>
          </nav>
        )}
      </div>
    </header>
  )
}

function Footer() {
  return (
    <footer className={footerClasses.root}>
      <div className={footerClasses.inner}>
        <span>© {new Date().getFullYear()} Assay. AI-assisted grading, decided by the teacher.</span>
        <nav aria-label="Legal" className={footerClasses.links}>
          <Link to="/terms">Terms</Link>
          <Link to="/privacy">Privacy</Link>
        </nav>
      </div>
    </footer>
  )
}
