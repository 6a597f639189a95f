import { confirmEmail, forgotPassword, type MailedLink } from '@assay/shared/auth.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Notice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatDate } from '../../lib/format.ts'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { InvalidLink, LinkFailed, LinkLoading } from './EmailLinkScreens.tsx'
import { useEmailLink } from './useEmailLink.ts'

const TITLE = 'Confirm your email address'

/**
 * The link shows that the mailbox is theirs, being signed in that the account is. Whoever has only the mailbox gets the account
 * by a new password, which signs out whoever registered it.
 */
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
    <InvalidLink title="This link holds no more" actions={null}>
      {confirmed
        ? 'Your address is confirmed already. There is nothing left to do.'
        : 'It is invalid, was used, or is older than seven days. Sign in and ask for a new one in your profile.'}
    </InvalidLink>
  )
}

function ConfirmOwn({ token, link, home }: { token: string; link: MailedLink; home: string }) {
  const session = useSession()
  const { send, sending, error } = useSend(confirmEmail)
  const [done, setDone] = useState(false)

  async function confirm() {
    try {
      await send({ body: { token } })
      setDone(true)
      toast.good('Your address is confirmed.')
      await session.refresh()
    } catch {
      // Told beside the button.
    }
  }

  if (done) {
    return (
      <AuthFrame title="Your address is confirmed">
        <div className={classes.fields}>
          <p className={classes.text} role="status">
            Courses and papers that are meant for <strong className={classes.address}>{link.email}</strong> find you
            from now on.
          </p>
          <Button component={Link} to={home} size="md" fullWidth>
            Go to your dashboard
          </Button>
        </div>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={TITLE}>
      <div className={classes.fields}>
        {error && (
          <Notice tone="bad">{messageOf(error, 'Your address could not be confirmed. Please try again.')}</Notice>
        )}
        <p className={classes.text}>
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

interface AccountOwnershipProps {
  token: string
  link: MailedLink
  signedInAs: string | null
}

function AccountOwnership({ token, link, signedInAs }: AccountOwnershipProps) {
  const session = useSession()
  const { send, sending, error } = useSend(forgotPassword)
  const [mailed, setMailed] = useState(false)
  const back = new URLSearchParams({ redirect: `/auth/confirm-email?${new URLSearchParams({ token })}` })

  async function takeOver() {
    try {
      await send({ body: { email: link.email } })
      setMailed(true)
    } catch {
      // Told beside the button.
    }
  }

  return (
    <AuthFrame title={TITLE}>
      <div className={classes.fields}>
        <p className={classes.text}>
          The account <strong>{link.username}</strong> was registered with{' '}
          <strong className={classes.address}>{link.email}</strong> on {formatDate(link.registered_at)}.
        </p>
        {signedInAs ? (
          <>
            <p className={classes.text}>
              You are signed in as <strong>{signedInAs}</strong>, which is another account.
            </p>
            <Button size="md" fullWidth onClick={() => void session.signOut()}>
              Sign out of {signedInAs}
            </Button>
          </>
        ) : (
          <Button component={Link} to={`/auth/login?${back}`} size="md" fullWidth>
            It is mine: sign in to confirm
          </Button>
        )}
      </div>
      <section className={classes.apart} aria-label="If you cannot sign in to it">
        <p className={classes.text}>
          You did not make this account, or do not know its password? The address is yours, so the account can be: set a
          new password, and whoever else was in it is signed out.
        </p>
        {error && <Notice tone="bad">{messageOf(error, 'Failed to send reset email. Please try again.')}</Notice>}
        {mailed ? (
          <p className={classes.text} role="status">
            <strong>Check your email.</strong> The link in it works once, within an hour.
          </p>
        ) : (
          <Button variant="default" size="md" fullWidth loading={sending} onClick={() => void takeOver()}>
            Mail me a link to set a new password
          </Button>
        )}
        <p className={classes.fine}>
          If you leave it as it is, nothing meant for you goes to that account: no course, no paper, no grade.
        </p>
      </section>
    </AuthFrame>
  )
}
