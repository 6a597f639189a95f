import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { LinkButton, PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'

export function InvalidLink({ title, children, again }: { title: string; children: ReactNode; again?: string }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.fields}>
        <Notice tone="warn">{children}</Notice>
        {again && (
          <PrimaryLinkButton to="/auth/forgot-password" size="md" fullWidth>
            {again}
          </PrimaryLinkButton>
        )}
        <LinkButton to="/auth/login" size="md" fullWidth>
          Go to login
        </LinkButton>
      </div>
    </AuthFrame>
  )
}

export function LinkFailed({ title, error, retry }: { title: string; error: ApiError; retry: () => void }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.fields}>
        <Notice tone="bad">{error.message}</Notice>
        <SecondaryButton size="md" onClick={retry}>
          Try Again
        </SecondaryButton>
      </div>
    </AuthFrame>
  )
}

export function LinkLoading({ title }: { title: string }) {
  return (
    <AuthFrame title={title}>
      <div className={classes.waiting} role="status">
        <Loader size="sm" aria-hidden /> Checking your link…
      </div>
    </AuthFrame>
  )
}
