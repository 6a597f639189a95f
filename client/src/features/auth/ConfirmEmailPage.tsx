import { confirmEmail, forgotPassword, type MailedLink } from '@assay/shared/auth.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatDate } from '../../lib/format.ts'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { InvalidLink, LinkFailed, LinkLoading, useEmailLink } from './EmailLinkScreens.tsx'

const TITLE = 'Confirm your email address'

/** The link proves the mailbox, the session the account. With the mailbox alone one resets the password. */
export function ConfirmEmailPage() {
  usePageTitle(TITLE)
  const session = useSession()
  const { token, link, error, reload } = useEmailLink('confirm')
  const user = session.status === 'signedIn' ? session.user : null
  if (link === null) return <Invalid confirmed={user?.email_verified ?? false} />
  if (link && session.status !== 'loading') {
    return user?.username === link.username ? (
      <ConfirmOwn token={token} link={link} home={homePathOf(user.role)} />
    ) : (
      <AccountOwnership token={token} link={link} signedInAs={user?.username ?? null} />
    )
  }
  if (error) return <LinkFailed title={TITLE} error={error} retry={reload} />
  return <LinkLoading title={TITLE} />
}

function Invalid({ confirmed }: { confirmed: boolean }) {
  return (
    <InvalidLink title="This link has expired">
      {confirmed
        ? 'Your email address is already confirmed.'
        : 'It is invalid, was already used, or is older than seven days. Sign in and request a new one in your profile.'}
    </InvalidLink>
  )
}

function ConfirmOwn({ token, link, home }: { token: string; link: MailedLink; home: string }) {
  const session = useSession()
  const { attempt, sending, error } = useSend(confirmEmail)
  const [done, setDone] = useState(false)

  async function confirm() {
    if (!(await attempt({ body: { token } }))) return
    setDone(true)
    toast.success('Your address is confirmed.')
    await session.refresh()
  }
  if (done) {
    return (
      <AuthFrame title="Your address is confirmed">
        <div className={classes.fields}>
          <p className="plain" role="status">
            Courses and papers sent to <strong className={classes.address}>{link.email}</strong> now appear in your
            account.
          </p>
          <PrimaryLinkButton to={home} size="md" fullWidth>
            Go to your dashboard
          </PrimaryLinkButton>
        </div>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={TITLE}>
      <div className={classes.fields}>
        <ErrorNotice error={error} fallback="Your address could not be confirmed. Please try again." />
        <p className="plain">
          You are signed in as <strong>{link.username}</strong>. Is{' '}
          <strong className={classes.address}>{link.email}</strong> your address?
        </p>
        <Button size="md" fullWidth loading={sending} onClick={() => void confirm()}>
          Yes, confirm it
        </Button>
      </div>
    </AuthFrame>
  )
}

function AccountOwnership({ token, link, signedInAs }: { token: string; link: MailedLink; signedInAs: string | null }) {
  const session = useSession()
  const { attempt, sending, error } = useSend(forgotPassword)
  const [mailed, setMailed] = useState(false)
  const takeOver = async () => setMailed((await attempt({ body: { email: link.email } })) !== undefined)
  const back = new URLSearchParams({ redirect: `/auth/confirm-email?${new URLSearchParams({ token })}` })

  return (
    <AuthFrame title={TITLE}>
      <div className={classes.fields}>
        <p className="plain">
          The account <strong>{link.username}</strong> was registered with{' '}
          <strong className={classes.address}>{link.email}</strong> on {formatDate(link.registered_at)}.
        </p>
        {signedInAs ? (
          <>
            <p className="plain">
              You are signed in as <strong>{signedInAs}</strong>, a different account.
            </p>
            <Button size="md" fullWidth onClick={() => void session.signOut()}>
              Sign out of {signedInAs}
            </Button>
          </>
        ) : (
          <PrimaryLinkButton to={`/auth/login?${back}`} size="md" fullWidth>
            This is my account: sign in to confirm
          </PrimaryLinkButton>
        )}
      </div>
      <section className={classes.apart} aria-label="If you cannot sign in to it">
        <p className="plain">
          Didn’t create this account, or don’t know its password? Set a new password to take it over. This signs out
          everyone else.
        </p>
        <ErrorNotice error={error} fallback="Failed to send reset email. Please try again." />
        {mailed ? (
          <p className="plain" role="status">
            <strong>Check your email.</strong> The link works once and expires in an hour.
          </p>
        ) : (
          <SecondaryButton size="md" fullWidth loading={sending} onClick={() => void takeOver()}>
            Email me a password reset link
          </SecondaryButton>
        )}
        <p className="hint">If you do nothing, that account will not receive your courses, papers or grades.</p>
      </section>
    </AuthFrame>
  )
}
