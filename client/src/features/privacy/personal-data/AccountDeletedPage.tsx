import { LinkButton } from '../../../components/display/buttons.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import { AuthFrame } from '../../auth/AuthFrame.tsx'
import auth from '../../auth/auth.module.css'

export function AccountDeletedPage() {
  usePageTitle('Account deleted')
  return (
    <AuthFrame title="Your account is being deleted">
      <div className={auth.fields}>
        <p className="plain">
          You have been signed out everywhere, and nobody can sign in with this account. Your papers, grades and all
          that names you are being deleted now. Files you handed in within the last hour are deleted when they are an
          hour old.
        </p>
        <p className="plain">
          Your school keeps scores that were released to you, under a placeholder instead of your name, and the audit
          log’s record of what was done, with the words removed. Backups of this server may still contain your data
          until they are replaced: ask whoever runs it.
        </p>
        <LinkButton to="/" size="md" fullWidth>
          Go to the start page
        </LinkButton>
      </div>
    </AuthFrame>
  )
}
